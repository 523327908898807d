import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { der, derContext, derInteger, derNull, derOctets, derOid, derSequence } from '../testing/der-writer.js';
import { writeTestContainer } from '../testing/test-container.js';
import { createTestIdentity, createTestP12, type TestIdentity } from '../testing/test-p12.js';
import { openP12, signerFromP12 } from './p12.js';

const PASSWORD = 'contraseña-muy-secreta';
let identity: TestIdentity;
let container: Uint8Array;
beforeAll(async () => {
  identity = await createTestIdentity({ ruc: '1790012345001' });
  container = writeTestContainer([identity, { certificate: identity.authority }], { password: PASSWORD });
});

const DATA = '1.2.840.113549.1.7.1';
const data = (content: Uint8Array) => derSequence(derOid(DATA), derContext(0, derOctets(content)));

/** A container whose MAC asks for that many steps; what is in it does not matter. */
function costly(iterations: number): Buffer {
  const algorithm = derSequence(derOid('2.16.840.1.101.3.4.2.3'), derNull());
  const mac = createHmac('sha512', '').digest();
  const macData = derSequence(
    derSequence(algorithm, derOctets(mac)),
    derOctets(Buffer.alloc(8)),
    derInteger(iterations),
  );
  return derSequence(derInteger(3), data(derSequence()), macData);
}

describe('opening a container', () => {
  it('gives the certificate, its key, the chain and the reasons', async () => {
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

  it('gives a signer in one step', async () => {
    const signer = await signerFromP12(container, PASSWORD);
    expect(signer.p12.certificate).toBe(signer.certificate);
    expect(await signer.sign(Buffer.from('x'), 'rsa-sha256')).toHaveLength(256);
  });

  it('leaves the bytes as they are, and several can be opened at a time', async () => {
    const before = Buffer.from(container);
    const wrong = openP12(container, 'otra').catch(({ code }) => code);
    const opened = await Promise.all(Array.from({ length: 8 }, () => openP12(container, PASSWORD)));
    expect(new Set(opened.map(({ certificate }) => certificate.fingerprint)).size).toBe(1);
    expect(await wrong).toBe('CERTIFICATE_PASSWORD_INVALID');
    expect(Buffer.from(container)).toEqual(before);
  });

  it.each([
    { name: 'an empty file', bytes: Buffer.alloc(0), code: 'CERTIFICATE_INVALID' },
    { name: 'more than 256 KiB', bytes: Buffer.alloc(256 * 1024 + 1), code: 'CERTIFICATE_INVALID' },
    { name: 'something else', bytes: Buffer.from('%PDF-1.7'), code: 'CERTIFICATE_INVALID' },
    { name: '10⁹ iterations', bytes: costly(1_000_000_000), code: 'CERTIFICATE_INVALID' },
  ])('refuses $name', async ({ bytes, code }) => {
    await expect(openP12(bytes, 'x')).rejects.toMatchObject({ code });
  });

  it('refuses a password that nobody has', async () => {
    const password = 'x'.repeat(100_000);
    await expect(openP12(container, password)).rejects.toMatchObject({ code: 'CERTIFICATE_PASSWORD_INVALID' });
  });

  it('says nothing of the password or the key in its errors', async () => {
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

describe('the thread that opens containers', () => {
  it('leaves the event loop free', async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 5);
    const begin = performance.now();
    await openP12(costly(400_000), 'x').catch(() => null);
    clearInterval(timer);
    // 400 000 steps take some 400 ms; a loop that waits for them ticks once.
    expect(performance.now() - begin).toBeGreaterThan(100);
    expect(ticks).toBeGreaterThan(10);
  });

  it('is ended when it takes too long, and the next container has a new one', async () => {
    const error: unknown = await openP12(costly(4_000_000), 'x', { timeoutMs: 60 }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'CERTIFICATE_INVALID', message: 'The container took too long to open.' });
    expect((await openP12(container, PASSWORD)).certificate.ruc).toBe('1790012345001');
  });

  it('has a limit of memory, and the process goes on', async () => {
    // A quarter of a megabyte never needs that much, so this test lets more of it in.
    const bytes = derSequence(derInteger(3), data(der(0x30, Buffer.alloc(12_000_000, Buffer.of(0x30, 0x00)))));
    await expect(openP12(bytes, null, { maxBytes: 16_000_000, timeoutMs: 20_000 })).rejects.toMatchObject({
      code: 'CERTIFICATE_INVALID',
      message: 'The container asks for more memory than is allowed to open it.',
    });
    expect((await openP12(container, PASSWORD)).certificate.ruc).toBe('1790012345001');
  });

  it('does not keep the process alive', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => next(
        context.parentURL?.endsWith('.ts') && name.startsWith('.') ? name.replace(/js$/, 'ts') : name, context) });
      const { openP12 } = await import(${JSON.stringify(new URL('./p12.ts', import.meta.url).href)});
      const bytes = Buffer.from(process.argv[1], 'base64');
      const { certificate } = await openP12(bytes, 'prueba');
      const loaded = process.getBuiltinModule('node:module').createRequire(${JSON.stringify(import.meta.url)}).cache;
      console.log(certificate.ruc, Object.keys(loaded).some((file) => file.includes('node-forge')));`;
    const bytes = Buffer.from(await createTestP12({ ruc: '1790012345001' })).toString('base64');
    const begin = performance.now();
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, bytes], { timeout: 20_000 });
    expect(output.toString().trim()).toBe('1790012345001 false');
    expect(performance.now() - begin).toBeLessThan(8000); // the idle thread would hold it for ten seconds
  });
});

it('forge is loaded by no file of the main thread', () => {
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
