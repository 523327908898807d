import { createPublicKey, generateKeyPairSync, generatePrimeSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { forgeKey, keyOfNumbers, numbersOf, type RsaNumbers, rsaNumbers } from '../testing/forged-key.js';
import { createTestCertificate } from '../testing/test-certificate.js';
import { writeTestContainer } from '../testing/test-container.js';
import { createTestIdentity } from '../testing/test-p12.js';
import { createKeySigner } from './key-signer.js';
import { openP12, signerFromP12 } from './p12.js';
import { openContainer } from './p12-container.js';
import { isSupportedKey, isWholeKey, provesPossession } from './private-key.js';

const prime = (bits: number) => generatePrimeSync(bits, { bigint: true });
const right = rsaNumbers(prime(1024), prime(1024));
const { n, p, q, d } = right;

describe('the numbers of a private key', () => {
  it.each([2048, 3072, 4096])(
    'the numbers of a private key are consistent when OpenSSL made them: %i bits',
    (modulusLength) => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
      expect(isWholeKey(privateKey)).toBe(true);
      expect(provesPossession(privateKey, publicKey)).toBe(true);
    },
  );

  it.each<{ readonly name: string; readonly numbers: RsaNumbers }>([
    { name: 'd below the least common multiple', numbers: withExponent(d % (((p - 1n) * (q - 1n)) / 2n)) },
    { name: 'the smaller factor first', numbers: rsaNumbers(q, p) },
  ])('the numbers of a private key are also consistent with $name', ({ numbers }) => {
    expect(isWholeKey(keyOfNumbers(numbers))).toBe(true);
  });

  it.each<{ readonly name: string; readonly numbers: RsaNumbers }>([
    { name: 'p is another', numbers: { ...right, p: p + 2n } },
    { name: 'q is another', numbers: { ...right, q: q - 2n } },
    { name: 'p is 0', numbers: { ...right, p: 0n } },
    { name: 'p is 1 and q is n', numbers: { ...right, p: 1n, q: n } },
    { name: 'q is 1 and p is n', numbers: { ...right, p: n, q: 1n } },
    { name: 'd is another', numbers: { ...right, d: d + 2n } },
    { name: 'd is 1', numbers: { ...right, d: 1n, dp: 1n, dq: 1n } },
    { name: 'd fits p alone', numbers: withExponent(d + (p - 1n)) },
    { name: 'e is another', numbers: { ...right, e: 3n } },
    { name: 'dp is another', numbers: { ...right, dp: right.dp + 1n } },
    { name: 'dq is another', numbers: { ...right, dq: right.dq + 1n } },
    { name: 'qi is another', numbers: { ...right, qi: right.qi + 1n } },
    { name: 'a factor is 2', numbers: rsaNumbers(2n, prime(2047)) },
  ])('the numbers of a private key are inconsistent when $name', ({ numbers }) => {
    const privateKey = keyOfNumbers(numbers);
    expect(isWholeKey(privateKey)).toBe(false);
  });

  function withExponent(exponent: bigint): RsaNumbers {
    return { ...right, d: exponent, dp: exponent % (p - 1n), dq: exponent % (q - 1n) };
  }
});

it.each([
  { bits: 2047, supported: false },
  { bits: 2048, supported: true },
  { bits: 4096, supported: true },
  { bits: 4097, supported: false },
])('a private key of $bits bits is supported: $supported', ({ bits, supported }) => {
  const key = keyOfNumbers({ ...right, d: 3n, n: 2n ** BigInt(bits) - 1n });
  expect(isSupportedKey(key)).toBe(supported);
});

it('a public key and a key for RSA-PSS are not supported', () => {
  expect(isSupportedKey(createPublicKey(keyOfNumbers(right)))).toBe(false);
  expect(isSupportedKey(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey)).toBe(false);
});

describe('possession of a private key', () => {
  it('modulus and exponent do not prove possession of a private key', async () => {
    const { certificate, privateKey } = await createTestIdentity();
    const forged = forgeKey(certificate);
    expect(createPublicKey(forged).equals(createPublicKey(privateKey))).toBe(true);
    expect(provesPossession(forged, createPublicKey(privateKey))).toBe(false);
    // A signer proves it once.
    expect(createKeySigner({ certificate, privateKey: forged, isProven: true })).toBeDefined();
    expect(provesPossession(privateKey, createPublicKey(privateKey))).toBe(true);
  });

  it('a key that OpenSSL rejects does not prove possession', () => {
    const even = keyOfNumbers(rsaNumbers(4n, prime(2046), 65_537n));
    expect(isWholeKey(even)).toBe(true);
    expect(provesPossession(even, createPublicKey(even))).toBe(false);
    const bytes = writeTestContainer([{ certificate: certificateOf(even), privateKey: even }], { password: null });
    expect(openContainer({ bytes, password: null })).toMatchObject({
      outcome: 'opened',
      certificates: [{ key: null }],
    });
  });

  it('a key of exponent 1 proves possession, and is not supported: its signatures need no private key', async () => {
    const open = keyOfNumbers(rsaNumbers(p, q, 1n));
    const certificate = certificateOf(open);
    expect(provesPossession(open, createPublicKey(open))).toBe(true);
    expect(() => createKeySigner({ certificate, privateKey: open })).toThrow('and this key is another');
    const bytes = writeTestContainer([{ certificate, privateKey: open }], { password: null });
    await expect(openP12(bytes, null)).rejects.toMatchObject({ code: 'CERTIFICATE_KEY_UNSUPPORTED' });
  });

  it('a private key does not prove possession to another public key', () => {
    const make = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(provesPossession(make().privateKey, make().publicKey)).toBe(false);
  });
});

function certificateOf(key: KeyObject): Buffer {
  const name = [{ type: '2.5.4.3', text: 'PRUEBA' }];
  const dates = { validFrom: new Date('2020-01-01'), validTo: new Date('2040-01-01') };
  const issuer = { name, privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey };
  return createTestCertificate({ subject: name, publicKey: createPublicKey(key), issuer, ...dates, extensions: [] });
}

describe('a container with a public certificate and a key made to fit it', async () => {
  const identity = await createTestIdentity({ ruc: '1790012345001' });
  const forged = forgeKey(identity.certificate);
  const notFound = { code: 'CERTIFICATE_KEY_NOT_FOUND' };

  it.each([null, 'prueba'])('a container with a forged key never opens: password %s', async (password) => {
    const bytes = writeTestContainer([{ ...identity, privateKey: forged }], { password });
    await expect(openP12(bytes, password)).rejects.toMatchObject(notFound);
    await expect(openP12(bytes, password, { allowOutOfDate: true })).rejects.toMatchObject(notFound);
    await expect(signerFromP12(bytes, password)).rejects.toMatchObject({
      ...notFound,
      message: 'No private key in the container belongs to one of its certificates.',
    });
  });

  it('a forged key makes no signer, in any form of the key', () => {
    const { certificate } = identity;
    const forms = [
      forged,
      forged.export({ type: 'pkcs8', format: 'der' }),
      forged.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ];
    for (const privateKey of forms) {
      expect(() => createKeySigner({ certificate, privateKey })).toThrow(expect.objectContaining(notFound));
    }
  });

  it('a forged key does not hide the real key, in either order', async () => {
    const pairs = [
      { certificate: identity.certificate, privateKey: forged },
      { certificate: identity.certificate, privateKey: identity.privateKey },
    ];
    for (const entries of [pairs, pairs.toReversed()]) {
      const { privateKey } = await openP12(writeTestContainer(entries, { password: null }), null);
      expect(privateKey.equals(identity.privateKey)).toBe(true);
    }
  });

  it('a forged pair is not chosen next to a pair of the sender', async () => {
    const own = await createTestIdentity({ ruc: '1790099999001', commonName: 'OTRA' });
    const bytes = writeTestContainer([{ ...identity, privateKey: forged }, own], { password: null });
    const { certificate, choice } = await openP12(bytes, null);
    expect(certificate.ruc).toBe('1790099999001');
    expect(choice.map(({ reason }) => reason)).toEqual(['noPrivateKey', 'chosen']);
  });

  it('a container with one wrong number in its key never opens, although OpenSSL signs with the key', async () => {
    const numbers = numbersOf(identity.privateKey);
    const privateKey = keyOfNumbers({ ...numbers, dp: numbers.dq });
    expect(provesPossession(privateKey, createPublicKey(privateKey))).toBe(true);
    const bytes = writeTestContainer([{ ...identity, privateKey }], { password: null });
    await expect(openP12(bytes, null)).rejects.toMatchObject(notFound);
  });

  it('a container of fifty forged keys stays within the time limit', () => {
    const entries = Array.from({ length: 50 }, () => ({ ...identity, privateKey: forged }));
    const before = process.cpuUsage();
    expect(openContainer({ bytes: writeTestContainer(entries, { password: null }), password: null })).toMatchObject({
      outcome: 'opened',
      keyCount: 50,
    });
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });
});
