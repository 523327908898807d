import {
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  verify,
  X509Certificate,
} from 'node:crypto';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { keyOfNumbers } from '../testing/forged-key.js';
import { createTestIdentity, createTestSigner, type TestIdentity } from '../testing/test-p12.js';
import { toSigningCertificate } from './certificate.js';
import { certificateParts } from './certificate-parts.js';
import { createKeySigner } from './key-signer.js';
import { isSupportedKey } from './private-key.js';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await createTestIdentity();
});
const data = Buffer.from('<ds:SignedInfo></ds:SignedInfo>');
const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'der' });

describe('a signer with a key in memory', () => {
  it.each([
    { algorithm: 'rsa-sha1', digest: 'sha1' },
    { algorithm: 'rsa-sha256', digest: 'sha256' },
  ] as const)('signs with $algorithm, on the thread pool and at once', async ({ algorithm, digest }) => {
    const signer = createKeySigner(identity);
    const signature = await signer.sign(data, algorithm);
    expect(signature).toHaveLength(256);
    expect(verify(digest, data, signer.certificate.x509.publicKey, signature)).toBe(true);
    expect(signer.signSync(data, algorithm)).toEqual(signature);
  });

  it('accepts the certificate and the key in each of their forms', async () => {
    const { certificate, privateKey } = identity;
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const forms = [privateKey, pkcs8(privateKey), pem, Buffer.from(pem)];
    const certificates = [
      certificate,
      Buffer.from(new X509Certificate(certificate).toString()),
      toSigningCertificate(certificate),
    ];
    const signatures = forms.flatMap((form) =>
      certificates.map((each) =>
        Buffer.from(createKeySigner({ certificate: each, privateKey: form }).signSync(data, 'rsa-sha1')).toString(
          'hex',
        ),
      ),
    );
    expect(new Set(signatures).size).toBe(1);
  });

  it('signs several documents at a time', async () => {
    const signer = await createTestSigner({ ruc: '1790012345001' });
    expect(signer.certificate.ruc).toBe('1790012345001');
    const many = await Promise.all(Array.from({ length: 20 }, () => signer.sign(data, 'rsa-sha1')));
    expect(new Set(many.map((signature) => Buffer.from(signature).toString('hex'))).size).toBe(1);
  });

  it('refuses the key of another certificate', () => {
    const privateKey = rsaKeyOf(2048);
    for (const isProven of [false, true]) {
      expect(() => createKeySigner({ ...identity, privateKey, isProven })).toThrow(
        expect.objectContaining({ code: 'CERTIFICATE_KEY_NOT_FOUND' }),
      );
    }
  });

  it('refuses a certificate whose own key cannot be read', () => {
    const certificate = Buffer.from(identity.certificate);
    const rsaEncryption = Buffer.from('2a864886f70d010101', 'hex');
    certificate.writeUInt8(0x7f, certificate.indexOf(rsaEncryption) + rsaEncryption.length - 1);
    expect(() => createKeySigner({ ...identity, certificate })).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_KEY_NOT_FOUND' }),
    );
    expect(() => certificateParts(toSigningCertificate(certificate))).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_KEY_UNSUPPORTED' }),
    );
  });

  it.each([
    { name: 'RSA of 1024 bits', make: () => rsaKeyOf(1024) },
    { name: 'RSA of 2047 bits', make: () => rsaKeyOf(2047) },
    { name: 'RSA of 4097 bits', make: () => rsaKeyOf(4097) },
    { name: 'RSA-PSS', make: () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey },
    { name: 'EC', make: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
    { name: 'Ed25519', make: () => generateKeyPairSync('ed25519').privateKey },
    { name: 'a secret key', make: () => createSecretKey(Buffer.alloc(256)) },
    { name: 'the public key', make: () => createPublicKey(identity.privateKey) },
  ])('rejects a key that is $name', ({ make }) => {
    expect(() => createKeySigner({ ...identity, privateKey: make() })).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_KEY_UNSUPPORTED' }),
    );
  });

  it.each([2048, 3072, 4096])('accepts an RSA key of %i bits', (bits) => {
    expect(isSupportedKey(rsaKeyOf(bits))).toBe(true);
  });

  it.each([
    { name: 'nothing', broken: () => Buffer.alloc(0) },
    { name: 'cut off', broken: (key: Buffer) => key.subarray(0, 600) },
    { name: 'with a byte changed', broken: (key: Buffer) => Buffer.from(key).fill(0xff, 4, 5) },
    { name: 'text', broken: () => '-----BEGIN PRIVATE KEY-----\nMIIsecreto\n-----END PRIVATE KEY-----' },
  ])('never quotes an invalid key: $name', ({ broken }) => {
    const key = broken(pkcs8(identity.privateKey));
    const thrown = errorOf(() => createKeySigner({ ...identity, privateKey: key }));
    expect(thrown).toMatchObject({ code: 'CERTIFICATE_INVALID' });
    expect(inspect(thrown, { depth: 9 })).not.toMatch(/secreto|MII|OpenSSL|DECODER/i);
    expect(thrown).not.toHaveProperty('cause');
  });

  it('prints no key of a signer', () => {
    const shown = `${inspect(createKeySigner(identity), { depth: 9, showHidden: true })}${JSON.stringify(createKeySigner(identity))}`;
    const { d = '', p = '' } = identity.privateKey.export({ format: 'jwk' });
    expect(shown).not.toContain(d.slice(0, 20));
    expect(shown).not.toContain(p.slice(0, 20));
    expect(shown).not.toContain('PRIVATE KEY');
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return null;
}

/** An RSA private key of any size, made at once: its numbers have no primes, so that it can be inspected but not used. */
function rsaKeyOf(bits: number): KeyObject {
  const n = 2n ** BigInt(bits - 1) + 1n;
  const half = 2n ** BigInt(bits >> 1) + 1n;
  return keyOfNumbers({ n, e: 65_537n, d: n, p: half, q: half, dp: half, dq: half, qi: half });
}
