import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto';

/** A key with the modulus and exponent of another certificate, and other private numbers. */
export function forgeKey(certificate: Uint8Array): KeyObject {
  const { n, e } = new X509Certificate(certificate).publicKey.export({ format: 'jwk' });
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  return createPrivateKey({ format: 'jwk', key: { ...own, n, e } as JsonWebKey });
}

/** Builds an RSA key of any given numbers, valid or not. */
export function keyOfNumbers(numbers: RsaNumbers): KeyObject {
  const parts = Object.entries(numbers).map(([name, value]) => [name, toBase64url(value)]);
  return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...Object.fromEntries(parts) } });
}

/** The numbers of an RSA private key (RFC 8017, section 3.2). */
export type RsaNumbers = Readonly<Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', bigint>>;

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

function toBase64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
