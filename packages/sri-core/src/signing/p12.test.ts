import { readdirSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTestContainer } from '../testing/test-container.js';
import { createTestIdentity, type TestIdentity } from '../testing/test-p12.js';
import { openP12, signerFromP12 } from './p12.js';
import { P12_THREADS } from './p12-thread.js';

const PASSWORD = 'contraseña-muy-secreta';
let identity: TestIdentity;
let container: Uint8Array;
beforeAll(async () => {
  identity = await createTestIdentity({ ruc: '1790012345001' });
  container = writeTestContainer([identity, { certificate: identity.authority }], { password: PASSWORD });
});

describe('opening a container', () => {
  it('openP12 returns the certificate, its key, the chain and the reasons', async () => {
    const { certificate, privateKey, chain, choice } = await openP12(container, PASSWORD);
    expect(Buffer.from(certificate.der)).toEqual(Buffer.from(identity.certificate));
    expect(certificate.ruc).toBe('1790012345001');
    expect(privateKey.equals(identity.privateKey)).toBe(true);
    expect(chain.map((each) => Buffer.from(each))).toEqual([Buffer.from(identity.authority)]);
    expect(choice).toEqual([
      { subject: 'PRUEBA COMPAÑÍA LIMITADA', serialNumber: certificate.serialNumber, chosen: true, reason: 'chosen' },
      { subject: 'AC SUBORDINADA DE PRUEBA', serialNumber: expect.any(String), chosen: false, reason: 'isAuthority' },
    ]);
  });

  it('signerFromP12 creates a signer in one step', async () => {
    const signer = await signerFromP12(container, PASSWORD);
    expect(signer.p12.certificate).toBe(signer.certificate);
    expect(await signer.sign(Buffer.from('x'), 'rsa-sha256')).toHaveLength(256);
  });

  it('openP12 leaves the bytes unchanged, and several calls can run at a time', async () => {
    const before = Buffer.from(container);
    const wrong = openP12(container, 'otra').catch(({ code }) => code);
    const opened = await Promise.all(Array.from({ length: 8 }, () => openP12(container, PASSWORD)));
    expect(new Set(opened.map(({ certificate }) => certificate.fingerprint)).size).toBe(1);
    expect(await wrong).toBe('CERTIFICATE_PASSWORD_INVALID');
    expect(Buffer.from(container)).toEqual(before);
  });

  it.each([
    { name: 'an empty file', bytes: Buffer.alloc(0), message: 'empty' },
    { name: 'more than 256 KiB', bytes: Buffer.alloc(256 * 1024 + 1), message: 'more than' },
    { name: 'something else', bytes: Buffer.from('%PDF-1.7'), message: 'The file is a PDF' },
  ])('openP12 rejects $name', async ({ bytes, message }) => {
    const refusal = { code: 'CERTIFICATE_INVALID', message: expect.stringContaining(message) };
    await expect(openP12(bytes, 'x')).rejects.toMatchObject(refusal);
  });

  it('openP12 accepts passwords of up to 1024 characters, and rejects longer ones', async () => {
    const made = (password: string) => writeTestContainer([identity], { password, iterations: 1 });
    const [longest, longer] = ['x'.repeat(1024), 'x'.repeat(1025)];
    expect((await openP12(made(longest), longest)).certificate.ruc).toBe('1790012345001');
    await expect(openP12(made(longer), longer)).rejects.toMatchObject({ code: 'CERTIFICATE_PASSWORD_INVALID' });
  });

  it('openP12 accepts bytes up to its limit, and no more', async () => {
    expect((await openP12(container, PASSWORD, { maxBytes: container.length })).choice).toHaveLength(2);
    const tooLarge = { code: 'CERTIFICATE_INVALID', message: `The file has more than ${container.length - 1} bytes.` };
    await expect(openP12(container, PASSWORD, { maxBytes: container.length - 1 })).rejects.toMatchObject(tooLarge);
    const filled = Buffer.concat([container, Buffer.alloc(256 * 1024 - container.length)]);
    expect((await openP12(filled, PASSWORD)).choice).toHaveLength(2);
  });

  it('openP12 lets the caller reuse its bytes at once, also while the container waits', async () => {
    const opening = Array.from({ length: P12_THREADS + 1 }, () => {
      const bytes = Buffer.from(container);
      const opened = openP12(bytes, PASSWORD);
      bytes.fill(0);
      return opened;
    });
    expect((await Promise.all(opening)).map(({ certificate }) => certificate.ruc)).toEqual(
      opening.map(() => '1790012345001'),
    );
  });

  it('openP12 quotes neither the password nor the key in its errors', async () => {
    const broken = Buffer.from(container).fill(0, 300, 320);
    const attempts = [
      () => openP12(container, `${PASSWORD}!`),
      () => openP12(container, `${PASSWORD}!`.repeat(200)),
      () => openP12(broken, PASSWORD),
      () => openP12(container.subarray(0, 500), PASSWORD),
      () => openP12(container, PASSWORD, { now: new Date('1999-01-01T00:00:00Z') }),
      () => openP12(container, PASSWORD, { now: new Date('2199-01-01T00:00:00Z') }),
      () => openP12(container, PASSWORD, { maxBytes: 10 }),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('secreta');
    }
  });
});

it('no file of the main thread loads forge', () => {
  const here = new URL('.', import.meta.url);
  const users = readdirSync(here).filter(
    (file) => !file.endsWith('.test.ts') && readFileSync(new URL(file, here), 'utf8').includes("'node-forge'"),
  );
  expect(users).toEqual(['ber.ts', 'p12-encryption.ts']);
  const importers = readdirSync(here).filter((file) => {
    const text = readFileSync(new URL(file, here), 'utf8');
    return !file.endsWith('.test.ts') && /^import (?!type).*'\.\/(ber|p12-encryption|p12-container)\.js'/m.test(text);
  });
  expect(importers).toEqual(['p12-container.ts', 'p12-encryption.ts', 'p12-worker.ts']);
});
