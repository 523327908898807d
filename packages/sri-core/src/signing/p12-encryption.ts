import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import forge from 'node-forge';
import { type BerValue, berChildren, berNumber, berOctets, berOid, isBerNumber } from './ber.js';
import { deriveByPbkdf2, deriveByPkcs12, digestLength } from './p12-key-derivation.js';
import type { PasswordForms } from './p12-password.js';
import { P12Refusal, unsupportedAlgorithm } from './p12-refusal.js';

/** The means to open a container: one form of its password, and the budget of key derivation. */
export interface P12Secret extends PasswordForms {
  readonly spend: (steps: number) => void;
  /** The MAC keys derived so far, by `wide`. Two forms of a password may share one, and each may have cost half a second. */
  readonly macKeys: Map<string, Buffer>;
}

/**
 * Checks the MAC of a container: PKCS#12's own (RFC 7292, appendix A) or PBMAC1 (RFC 9579).
 *
 * @throws P12Refusal `wrongPassword` when the password is wrong.
 */
export function checkMac(macData: BerValue, content: Buffer, secret: P12Secret): void {
  const [digestInfo, salt, count] = berChildren(macData);
  const [algorithm, expected] = berChildren(digestInfo);
  const [type, parameters] = berChildren(algorithm);
  const oid = berOid(type);
  const { digest, key } =
    oid === PBMAC1 ? derivePbmac1Key(parameters, secret) : deriveOwnMacKey(oid, { salt, count }, secret);
  const actual = createHmac(digest, key).update(content).digest();
  const mac = berOctets(expected);
  if (mac.length !== actual.length || !timingSafeEqual(mac, actual)) {
    throw new P12Refusal('wrongPassword', 'The password is not the one of the container.');
  }
}

/**
 * Decrypts data under an AlgorithmIdentifier: PBES2 (RFC 8018), or PKCS#12's own 3DES and RC2 (RFC 7292, appendix C).
 *
 * @throws P12Refusal `wrongPassword` when the padding is invalid.
 */
export function decrypt(algorithm: BerValue | undefined, data: Buffer, secret: P12Secret): Buffer {
  const [type, parameters] = berChildren(algorithm);
  const oid = berOid(type);
  return oid === PBES2 ? decryptPbes2(parameters, data, secret) : decryptByPkcs12(oid, parameters, data, secret);
}

/** The password opens the container, but not this part of it. */
export function wrongContentPassword(): P12Refusal {
  return new P12Refusal('wrongPassword', 'The password does not open the contents of the container.');
}

// --- internal ---

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const PBMAC1 = '1.2.840.113549.1.5.14';
const HMAC_SHA1 = '1.2.840.113549.2.7';
/** Not an algorithm of node:crypto: forge decrypts it. */
const RC2 = 'rc2';

const DIGESTS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

const HMACS: Readonly<Record<string, string>> = {
  [HMAC_SHA1]: 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

const PBES2_CIPHERS: Readonly<Record<string, { readonly cipher: string; readonly keyLength: number }>> = {
  '1.2.840.113549.3.7': { cipher: 'des-ede3-cbc', keyLength: 24 },
  '2.16.840.1.101.3.4.1.2': { cipher: 'aes-128-cbc', keyLength: 16 },
  '2.16.840.1.101.3.4.1.22': { cipher: 'aes-192-cbc', keyLength: 24 },
  '2.16.840.1.101.3.4.1.42': { cipher: 'aes-256-cbc', keyLength: 32 },
};

const PKCS12_CIPHERS: Readonly<Record<string, { readonly cipher: string; readonly keyLength: number }>> = {
  '1.2.840.113549.1.12.1.3': { cipher: 'des-ede3-cbc', keyLength: 24 },
  '1.2.840.113549.1.12.1.4': { cipher: 'des-ede-cbc', keyLength: 16 },
  '1.2.840.113549.1.12.1.5': { cipher: RC2, keyLength: 16 },
  '1.2.840.113549.1.12.1.6': { cipher: RC2, keyLength: 5 },
};

interface MacKey {
  readonly digest: string;
  readonly key: Buffer;
}

function deriveOwnMacKey(
  oid: string,
  { salt, count }: { readonly salt: BerValue | undefined; readonly count: BerValue | undefined },
  { wide, spend, macKeys }: P12Secret,
): MacKey {
  const digest = DIGESTS[oid];
  if (!digest) throw unsupportedAlgorithm('message authentication', oid);
  const iterations = count ? berNumber(count) : 1;
  const derivation = { salt: berOctets(salt), iterations, length: digestLength(digest), digest, spend };
  const name = wide.toString('latin1');
  const key = macKeys.get(name) ?? deriveByPkcs12(wide, 3, derivation);
  macKeys.set(name, key);
  return { digest, key };
}

function derivePbmac1Key(parameters: BerValue | undefined, secret: P12Secret): MacKey {
  const [derivation, scheme] = berChildren(parameters);
  const oid = berOid(berChildren(scheme)[0]);
  const digest = HMACS[oid];
  if (!digest) throw unsupportedAlgorithm('message authentication', oid);
  return { digest, key: deriveKey(derivation, null, secret) };
}

function decryptPbes2(parameters: BerValue | undefined, data: Buffer, secret: P12Secret): Buffer {
  const [derivation, scheme] = berChildren(parameters);
  const [type, iv] = berChildren(scheme);
  const oid = berOid(type);
  const known = PBES2_CIPHERS[oid];
  if (!known) throw unsupportedAlgorithm('cipher', oid);
  return decipher(known.cipher, deriveKey(derivation, known.keyLength, secret), berOctets(iv), data);
}

/** @param keyLength null for the length in the parameters, as RFC 9579 requires. */
function deriveKey(derivation: BerValue | undefined, keyLength: number | null, { octets, spend }: P12Secret): Buffer {
  const [type, parameters] = berChildren(derivation);
  const oid = berOid(type);
  if (oid !== PBKDF2) throw unsupportedAlgorithm('key derivation', oid);
  const [salt, count, ...optional] = berChildren(parameters);
  const length = keyLength ?? berNumber(optional.find(isBerNumber));
  if (length < 1 || length > 64) throw new P12Refusal('invalid', 'The container asks for a key of an odd length.');
  const prf = optional.find((value) => !isBerNumber(value));
  const prfOid = prf ? berOid(berChildren(prf)[0]) : HMAC_SHA1;
  const digest = HMACS[prfOid];
  if (!digest) throw unsupportedAlgorithm('key derivation', prfOid);
  return deriveByPbkdf2(octets, { salt: berOctets(salt), iterations: berNumber(count), length, digest, spend });
}

function decryptByPkcs12(oid: string, parameters: BerValue | undefined, data: Buffer, secret: P12Secret): Buffer {
  const known = PKCS12_CIPHERS[oid];
  if (!known) throw unsupportedAlgorithm('cipher', oid);
  const [salt, count] = berChildren(parameters);
  const common = { salt: berOctets(salt), iterations: berNumber(count), digest: 'sha1', spend: secret.spend };
  const key = deriveByPkcs12(secret.wide, 1, { ...common, length: known.keyLength });
  const iv = deriveByPkcs12(secret.wide, 2, { ...common, length: 8 });
  return known.cipher === RC2 ? decipherRc2(key, iv, data) : decipher(known.cipher, key, iv, data);
}

function decipher(cipher: string, key: Buffer, iv: Buffer, data: Buffer): Buffer {
  const opening = createDecipheriv(cipher, key, iv);
  try {
    return Buffer.concat([opening.update(data), opening.final()]);
  } catch {
    throw wrongContentPassword();
  }
}

/** OpenSSL 3 keeps RC2 in a provider that Node does not load. */
function decipherRc2(key: Buffer, iv: Buffer, data: Buffer): Buffer {
  const opening = forge.rc2.createDecryptionCipher(key.toString('latin1'), key.length * 8);
  opening.start(iv.toString('latin1'));
  opening.update(forge.util.createBuffer(data.toString('latin1')));
  if (!opening.finish()) throw wrongContentPassword();
  return Buffer.from(opening.output.getBytes(), 'latin1');
}
