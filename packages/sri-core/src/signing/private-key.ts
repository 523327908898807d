import { type KeyObject, randomBytes, sign, verify } from 'node:crypto';

/**
 * Whether the SRI accepts signatures of a private key: RSA (not RSA-PSS) of 2048 to 4096 bits. Of a key with exponent 1,
 * signatures need no private key.
 */
export function isSupportedKey(key: KeyObject): boolean {
  const { modulusLength: bits = 0, publicExponent } = key.asymmetricKeyDetails ?? {};
  const isRsa = key.asymmetricKeyType === 'rsa' && publicExponent !== 1n;
  return key.type === 'private' && isRsa && bits >= 2048 && bits <= 4096;
}

/**
 * Whether an RSA private key matches a public key: the public key verifies a signature of the private key. Equal modulus and
 * exponent prove nothing: a certificate shows both, and every buyer has the certificate.
 *
 * @param privateKey a key that `isSupportedKey` accepts; the proof takes 1 to 6 ms.
 */
export function provesPossession(privateKey: KeyObject, publicKey: KeyObject): boolean {
  const text = randomBytes(64);
  try {
    return verify('sha256', text, publicKey, sign('sha256', text, privateKey));
  } catch {
    return false; // OpenSSL rejects such a key
  }
}

/**
 * Whether the numbers of an RSA private key are consistent: p · q = n, e · d ≡ 1, and dp, dq and qi follow from them (RFC
 * 8017, section 3.2). The numbers pass through memory that is not wiped, so this runs in the P12's thread.
 */
export function isWholeKey(privateKey: KeyObject): boolean {
  const jwk = privateKey.export({ format: 'jwk' });
  const [n, e, d] = [toNumber(jwk.n), toNumber(jwk.e), toNumber(jwk.d)];
  const [p, q] = [toNumber(jwk.p), toNumber(jwk.q)];
  const [dp, dq, qi] = [toNumber(jwk.dp), toNumber(jwk.dq), toNumber(jwk.qi)];
  return (
    p > 1n &&
    q > 1n &&
    p * q === n &&
    (e * d) % (p - 1n) === 1n &&
    (e * d) % (q - 1n) === 1n &&
    dp === d % (p - 1n) &&
    dq === d % (q - 1n) &&
    (qi * q) % p === 1n
  );
}

// --- internal ---

/** Zero is an empty text in a JWK. */
function toNumber(base64url: string | undefined): bigint {
  return BigInt(`0x0${Buffer.from(String(base64url), 'base64url').toString('hex')}`);
}
