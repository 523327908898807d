import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, hash, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestIdentity, createTestP12, type TestIdentity } from '../testing/test-p12.js';
import { hasTool } from '../testing/xml-tools.js';
import { openP12 as openInTime } from './p12.js';

// Starting Java or OpenSSL, and a hundred thousand iterations, are much slower on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const openP12 = (bytes: Uint8Array, password: string | null) => openInTime(bytes, password, { timeoutMs: 120_000 });

// Containers of common programs. Every kind must open completely, or report its fault.

const hasOpenssl = hasTool('openssl');
const hasKeytool = hasTool('keytool');
const directory = mkdtempSync(join(tmpdir(), 'sri-core-p12-'));
const path = (name: string) => join(directory, name);
let identity: TestIdentity;
let fingerprint: string;

beforeAll(async () => {
  identity = await createTestIdentity({ ruc: '1790012345001' });
  fingerprint = hash('sha256', identity.certificate);
  writeFileSync(path('key.pem'), identity.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(path('certificate.pem'), new X509Certificate(identity.certificate).toString());
  writeFileSync(path('authority.pem'), new X509Certificate(identity.authority).toString());
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function openssl(password: string, ...flags: readonly string[]): Buffer {
  const files = ['-inkey', path('key.pem'), '-in', path('certificate.pem'), '-out', path('made.p12')];
  execFileSync('openssl', ['pkcs12', '-export', ...files, '-passout', `pass:${password}`, ...flags], { stdio: 'pipe' });
  return readFileSync(path('made.p12'));
}

describe.skipIf(!hasOpenssl)('a container of OpenSSL', () => {
  it.each([
    { name: 'legacy: RC2-40 and 3DES, SHA-1', flags: ['-legacy'] },
    { name: 'RC2-128', flags: ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-RC2-128'] },
    { name: '3DES, SHA-1', flags: ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'] },
    { name: '3DES of two keys', flags: ['-certpbe', 'PBE-SHA1-2DES', '-keypbe', 'PBE-SHA1-2DES', '-macalg', 'sha1'] },
    { name: 'PBES2 with AES-256, SHA-256', flags: [] },
    {
      name: 'PBES2 with AES-128, SHA-384',
      flags: ['-certpbe', 'AES-128-CBC', '-keypbe', 'AES-128-CBC', '-macalg', 'sha384'],
    },
    {
      name: 'PBES2 with AES-192, SHA-512',
      flags: ['-certpbe', 'AES-192-CBC', '-keypbe', 'AES-192-CBC', '-macalg', 'sha512'],
    },
    { name: 'PBES2 with 3DES', flags: ['-certpbe', 'des-ede3-cbc', '-keypbe', 'des-ede3-cbc'] },
    { name: '100 000 iterations', flags: ['-iter', '100000', '-macalg', 'sha512'] },
    { name: 'certificate unencrypted', flags: ['-certpbe', 'NONE'] },
    { name: 'nothing encrypted', flags: ['-certpbe', 'NONE', '-keypbe', 'NONE'] },
    { name: 'no MAC', flags: ['-nomac'] },
    { name: 'one iteration for the MAC', flags: ['-nomaciter'] },
    { name: 'a friendly name', flags: ['-name', 'FIRMA DE JOSÉ NÚÑEZ'] },
  ])('opens a container of OpenSSL: $name', async ({ flags }) => {
    const { certificate, privateKey, chain } = await openP12(openssl('secreta', ...flags), 'secreta');
    expect(certificate.fingerprint).toBe(fingerprint);
    expect(certificate.ruc).toBe('1790012345001');
    expect(certificate.x509.checkPrivateKey(privateKey)).toBe(true);
    expect(chain).toEqual([]);
  });

  it.each([
    { name: 'legacy', flags: ['-legacy'] },
    { name: 'PBES2', flags: [] },
    { name: 'PBES2 without MAC', flags: ['-nomac'] },
    { name: 'legacy without MAC', flags: ['-legacy', '-nomac'] },
  ])('reports a wrong password for a container of OpenSSL: $name', async ({ flags }) => {
    const bytes = openssl('secreta', ...flags);
    for (const password of ['otra', '', null, 'Secreta', 'contraseña']) {
      await expect(openP12(bytes, password)).rejects.toMatchObject({ code: 'CERTIFICATE_PASSWORD_INVALID' });
    }
  });

  it.each([
    { name: 'legacy', flags: ['-legacy'] },
    { name: '3DES', flags: ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'] },
    { name: 'PBES2', flags: [] },
    { name: 'PBES2 without MAC', flags: ['-nomac'] },
  ])('opens a container of OpenSSL without a password: $name', async ({ flags }) => {
    const bytes = openssl('', ...flags);
    expect((await openP12(bytes, null)).certificate.fingerprint).toBe(fingerprint);
    expect((await openP12(bytes, '')).certificate.fingerprint).toBe(fingerprint);
  });

  it.each([
    { password: 'clávé', flags: [] },
    { password: 'clávé', flags: ['-legacy'] },
    { password: 'contraseña €uro', flags: [] },
    { password: 'contraseña €uro', flags: ['-legacy'] },
    { password: 'llave 🔑', flags: [] },
    { password: 'a b"c\\d\'e', flags: [] },
  ])('opens a container with the password $password $flags', async ({ password, flags }) => {
    expect((await openP12(openssl(password, ...flags), password)).certificate.fingerprint).toBe(fingerprint);
  });

  it('opens a container when the accents of the password are composed otherwise', async () => {
    const bytes = openssl('clávé'.normalize('NFD'));
    expect((await openP12(bytes, 'clávé'.normalize('NFC'))).certificate.fingerprint).toBe(fingerprint);
  });

  it('returns the chain of a container of OpenSSL', async () => {
    const { certificate, chain, choice } = await openP12(openssl('x', '-certfile', path('authority.pem')), 'x');
    expect(certificate.fingerprint).toBe(fingerprint);
    expect(chain.map((der) => Buffer.from(der))).toEqual([identity.authority]);
    expect(choice.map(({ reason }) => reason).toSorted()).toEqual(['chosen', 'isAuthority']);
  });

  it('reports a missing private key in a container', async () => {
    const bytes = openssl('x', '-nokeys');
    await expect(openP12(bytes, 'x')).rejects.toMatchObject({ code: 'CERTIFICATE_KEY_NOT_FOUND' });
  });

  it.each([
    ['EC', 'ec:P-256', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
    ['Ed25519', 'ed25519', ['-newkey', 'ed25519']],
    ['RSA of 1024 bits', 'rsa1024', ['-newkey', 'rsa:1024']],
    ['RSA-PSS', 'rsa-pss', ['-newkey', 'rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048']],
  ])('reports an unsupported kind of key in a container: %s', async (_, name, flags) => {
    const files = ['-keyout', path(`${name}.key`), '-out', path(`${name}.pem`)];
    execFileSync('openssl', ['req', '-x509', '-nodes', '-subj', '/CN=x', ...flags, ...files], { stdio: 'pipe' });
    const from = ['-inkey', path(`${name}.key`), '-in', path(`${name}.pem`), '-out', path(`${name}.p12`)];
    execFileSync('openssl', ['pkcs12', '-export', ...from, '-passout', 'pass:x'], { stdio: 'pipe' });
    await expect(openP12(readFileSync(path(`${name}.p12`)), 'x')).rejects.toMatchObject({
      code: 'CERTIFICATE_KEY_UNSUPPORTED',
    });
  });

  it('opens a handmade certificate, although OpenSSL marks such certificates as authorities', async () => {
    const files = ['-keyout', path('own.key'), '-out', path('own.pem')];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=MÍO', '-utf8', ...files], {
      stdio: 'pipe',
    });
    const from = ['-inkey', path('own.key'), '-in', path('own.pem'), '-out', path('own.p12')];
    execFileSync('openssl', ['pkcs12', '-export', ...from, '-passout', 'pass:x'], { stdio: 'pipe' });
    const { certificate } = await openP12(readFileSync(path('own.p12')), 'x');
    expect(certificate.issuerName).toBe('CN=MÍO');
    expect(certificate.ruc).toBeNull();
  });

  it('OpenSSL reads the output of createTestP12', async () => {
    writeFileSync(path('ours.p12'), await createTestP12({ password: 'prueba' }));
    const flags = ['pkcs12', '-in', path('ours.p12'), '-passin', 'pass:prueba', '-nodes'];
    expect(execFileSync('openssl', flags, { stdio: 'pipe' }).toString()).toContain('BEGIN PRIVATE KEY');
  });
});

describe.skipIf(!hasKeytool)('a container of Java’s keytool', () => {
  const keytool = (...flags: readonly string[]) => execFileSync('keytool', flags, { stdio: 'pipe' }).toString();
  const store = ['-keystore', path('java.p12'), '-storetype', 'PKCS12', '-storepass', 'secreta'];
  const pair = (alias: string, ...flags: readonly string[]) =>
    keytool(
      '-genkeypair',
      '-alias',
      alias,
      '-keyalg',
      'RSA',
      '-keysize',
      '2048',
      '-dname',
      `CN=${alias}`,
      ...store,
      ...flags,
    );

  it('opens a container of keytool with two key pairs, and uses the pair for signing', async () => {
    pair('descifrado', '-ext', 'KeyUsage:c=keyEncipherment');
    pair('firma', '-ext', 'KeyUsage:c=digitalSignature,nonRepudiation');
    const { certificate, choice } = await openP12(readFileSync(path('java.p12')), 'secreta');
    expect(certificate.issuerName).toBe('CN=firma');
    expect(choice.map(({ subject, reason }) => `${subject}: ${reason}`).toSorted()).toEqual([
      'descifrado: notForSigning',
      'firma: chosen',
    ]);
    await expect(openP12(readFileSync(path('java.p12')), 'otra')).rejects.toMatchObject({
      code: 'CERTIFICATE_PASSWORD_INVALID',
    });
  });

  it('keytool reads the output of createTestP12', async () => {
    writeFileSync(path('ours.p12'), await createTestP12({ password: 'prueba' }));
    const listing = keytool('-list', '-keystore', path('ours.p12'), '-storepass', 'prueba');
    expect(listing).toContain('PrivateKeyEntry');
  });
});

describe('a container of forge', () => {
  // Loaded only here: no file of the library loads forge on the main thread.
  const forge: typeof import('node-forge') = createRequire(import.meta.url)('node-forge');

  it.each([{ algorithm: '3des' }, { algorithm: 'aes128' }, { algorithm: 'aes256' }] as const)(
    'opens a container of forge: $algorithm',
    async ({ algorithm }) => {
      const key = forge.pki.privateKeyFromPem(identity.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
      const { publicKey, privateKey } = rsaPair();
      const certificate = forge.pki.createCertificate();
      certificate.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString());
      certificate.validity.notBefore = new Date(Date.now() - 1000);
      certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
      certificate.setSubject([{ shortName: 'CN', value: 'FORGE' }]);
      certificate.setIssuer([{ shortName: 'CN', value: 'FORGE' }]);
      certificate.sign(key, forge.md.sha256.create());
      const own = forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
      const asn1 = forge.pkcs12.toPkcs12Asn1(own, [certificate], 'secreta', { algorithm });
      const bytes = Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
      expect((await openP12(bytes, 'secreta')).certificate.issuerName).toBe('CN=FORGE');
    },
  );
});

function rsaPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}
