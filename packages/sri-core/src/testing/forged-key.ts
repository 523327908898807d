import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { derInteger, derSequence } from './der-writer.js';

/** A key with the modulus and exponent of another certificate, and other private numbers. */
export function forgeKey(certificate: Uint8Array): KeyObject {
  const { n, e } = numbersOf(new X509Certificate(certificate).publicKey);
  const own = numbersOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
  return keyOfNumbers({ ...own, n, e });
}

/** Builds an RSA key of any given numbers, valid or not. Node 26 would reject invalid numbers as a JWK. */
export function keyOfNumbers(numbers: RsaNumbers): KeyObject {
  const integers = NAMES.map((name) => derInteger(numbers[name]));
  return createPrivateKey({ format: 'der', type: 'pkcs1', key: derSequence(derInteger(0), ...integers) });
}

/** The numbers of an RSA key; a public one has `n` and `e` alone. */
export function numbersOf(key: KeyObject): RsaNumbers {
  const parts = Object.entries(key.export({ format: 'jwk' })).filter(([name]) => NAMES.includes(name as never));
  return Object.fromEntries(parts.map(([name, value]) => [name, toNumber(value)])) as RsaNumbers;
}

/** In the order of RFC 8017, appendix A.1.2. */
const NAMES = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const;

/** The numbers of an RSA private key (RFC 8017, section 3.2). */
export type RsaNumbers = Readonly<Record<(typeof NAMES)[number], bigint>>;

/** The numbers that follow from two factors and an exponent. */
export function rsaNumbers(p: bigint, q: bigint, e = 65_537n): RsaNumbers {
  const d = inverse(e, (p - 1n) * (q - 1n));
  return { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
}

// --- internal ---

/** x with a · x ≡ 1 (mod m), by Euclid's extended algorithm. */
function inverse(a: bigint, m: bigint): bigint {
  let [older, newer] = [a % m, m];
  let [result, next] = [1n, 0n];
  while (newer !== 0n) {
    const quotient = older / newer;
    [older, newer] = [newer, older - quotient * newer];
    [result, next] = [next, result - quotient * next];
  }
  return ((result % m) + m) % m;
}

function toNumber(base64url: unknown): bigint {
  return BigInt(`0x${Buffer.from(String(base64url), 'base64url').toString('hex')}`);
}
