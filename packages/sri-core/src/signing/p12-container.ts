import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { LocalizedText } from '../catalogs/catalog.js';
import { type BerValue, berChildren, berNumber, berOctets, berOid, readBer, withoutTail, writeBer } from './ber.js';
import { checkMac, decrypt, type P12Secret, wrongContentPassword } from './p12-encryption.js';
import { createWorkBudget } from './p12-key-derivation.js';
import { whatItIsInstead } from './p12-kind.js';
import { toPasswordForms } from './p12-password.js';
import { P12Refusal } from './p12-refusal.js';
import { isSupportedKey, isWholeKey, provesPossession } from './private-key.js';

/** A container to open. */
export interface ContainerRequest {
  readonly bytes: Uint8Array;
  /** Null when it has none. */
  readonly password: string | null;
}

/**
 * The content of a container, or the reason why it cannot be read. Plain data and key objects, so that it can leave the
 * thread.
 */
export type ContainerAnswer =
  | { readonly outcome: 'opened'; readonly certificates: readonly ContainerCertificate[]; readonly keyCount: number }
  | { readonly outcome: 'wrongPassword'; readonly message: string }
  | { readonly outcome: 'invalid'; readonly message: string; readonly found: LocalizedText | null };

/** A certificate of a container, with its private key when the container has a matching one. */
export interface ContainerCertificate {
  readonly der: Uint8Array;
  /** The friendlyNames of the certificate and of its key, if any. */
  readonly names: readonly string[];
  readonly key: KeyObject | null;
}

/**
 * Opens a PKCS#12 container (RFC 7292). It never throws; a result quotes neither the password nor the contents. node-forge
 * reads the BER and RC2. node:crypto does the rest: it is some ten times faster, and handles passwords with accents under
 * PBES2 correctly, which forge does not.
 */
export function openContainer({ bytes, password }: ContainerRequest): ContainerAnswer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const shared = { spend: createWorkBudget(), macKeys: new Map<string, Buffer>() };
  try {
    const { content, mac } = readPfx(file);
    let refusal = new P12Refusal('wrongPassword', 'The password is not the one of the container.');
    for (const form of toPasswordForms(password)) {
      const secret = { ...form, ...shared };
      try {
        if (mac) checkMac(mac, content, secret);
        return pairUp(readBags(content, secret));
      } catch (error) {
        if (!(error instanceof P12Refusal) || error.outcome !== 'wrongPassword') throw error;
        refusal = error;
      }
    }
    throw refusal;
  } catch (error) {
    // Messages of forge and OpenSSL concern their own structures and may quote the input.
    const { outcome, message } = error instanceof P12Refusal ? error : DAMAGED;
    if (outcome === 'wrongPassword') return { outcome, message };
    const found = whatItIsInstead(file);
    return { outcome, message: found?.en ?? message, found };
  }
}

// --- internal ---

interface Bags {
  readonly keys: { readonly key: KeyObject | null; readonly name: string | null }[];
  readonly certificates: { readonly der: Buffer; readonly name: string | null }[];
}

const DAMAGED = new P12Refusal('invalid', 'The file is damaged, or is not a PKCS#12 container.');
const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const KEY_BAG = '1.2.840.113549.1.12.10.1.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERT_BAG = '1.2.840.113549.1.12.10.1.3';
const SAFE_CONTENTS_BAG = '1.2.840.113549.1.12.10.1.6';
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const FRIENDLY_NAME = '1.2.840.113549.1.9.20';

/** Far above any real container, and low enough to process a hostile one without a noticeable pause. */
const MOST_ENTRIES = 50;

function readPfx(bytes: Buffer): { readonly content: Buffer; readonly mac: BerValue | undefined } {
  const [version, authSafe, mac] = berChildren(readBer(withoutTail(bytes)));
  if (berNumber(version) !== 3) throw new P12Refusal('invalid', 'The file is not a PKCS#12 container of version 3.');
  const [type, content] = berChildren(authSafe);
  if (berOid(type) !== DATA) {
    throw new P12Refusal('invalid', 'The container is protected by a public key instead of a password.');
  }
  return { content: berOctets(berChildren(content)[0]), mac };
}

function readBags(content: Buffer, secret: P12Secret): Bags {
  const bags: Bags = { keys: [], certificates: [] };
  for (const part of berChildren(readBer(content))) {
    const [type, body] = berChildren(part);
    const [inner] = berChildren(body);
    switch (berOid(type)) {
      case DATA:
        collectBags(readBer(berOctets(inner)), secret, bags);
        break;
      case ENCRYPTED_DATA:
        collectBags(decryptContents(inner, secret), secret, bags);
        break;
      default:
        throw new P12Refusal('invalid', 'The container is encrypted for a public key instead of a password.');
    }
  }
  return bags;
}

function decryptContents(encryptedData: BerValue | undefined, secret: P12Secret): BerValue {
  const [, info] = berChildren(encryptedData);
  const [, algorithm, encrypted] = berChildren(info);
  return readDecrypted(decrypt(algorithm, berOctets(encrypted), secret));
}

function decryptKey(shrouded: BerValue | undefined, secret: P12Secret): KeyObject | null {
  const [algorithm, encrypted] = berChildren(shrouded);
  const pkcs8 = decrypt(algorithm, berOctets(encrypted), secret);
  readDecrypted(pkcs8);
  return toKey(pkcs8);
}

/** One wrong password in 256 leaves valid padding; only then are there contents to read. */
function readDecrypted(octets: Buffer): BerValue {
  try {
    return readBer(octets);
  } catch {
    throw wrongContentPassword();
  }
}

function collectBags(contents: BerValue | undefined, secret: P12Secret, bags: Bags): void {
  for (const bag of berChildren(contents)) {
    const [type, body, attributes] = berChildren(bag);
    const [value] = berChildren(body);
    const name = readFriendlyName(attributes);
    switch (berOid(type)) {
      case KEY_BAG:
        bags.keys.push({ key: toKey(writeBer(value)), name });
        break;
      case SHROUDED_KEY_BAG:
        bags.keys.push({ key: decryptKey(value, secret), name });
        break;
      case CERT_BAG: {
        const [certificateType, certificate] = berChildren(value);
        if (berOid(certificateType) !== X509_CERTIFICATE) break;
        bags.certificates.push({ der: berOctets(berChildren(certificate)[0]), name });
        break;
      }
      case SAFE_CONTENTS_BAG:
        collectBags(value, secret, bags);
        break;
      default: // revocation lists, and other kinds of secrets
    }
    if (bags.keys.length > MOST_ENTRIES || bags.certificates.length > MOST_ENTRIES) {
      throw new P12Refusal('invalid', `The container holds more than ${MOST_ENTRIES} keys or certificates.`);
    }
  }
}

function readFriendlyName(attributes: BerValue | undefined): string | null {
  for (const attribute of attributes ? berChildren(attributes) : []) {
    const [type, values] = berChildren(attribute);
    const text = berChildren(values)[0]?.value;
    if (berOid(type) === FRIENDLY_NAME && typeof text === 'string') return text;
  }
  return null;
}

/** Null for a kind of key unknown to node:crypto, which does not reject the others. */
function toKey(pkcs8: Buffer): KeyObject | null {
  try {
    return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  } catch {
    return null;
  }
}

/** Finds the key of each certificate. A key matches its public key only if its signature verifies. */
function pairUp({ keys, certificates }: Bags): ContainerAnswer {
  const byPublicKey = new Map<string, { readonly key: KeyObject; readonly name: string | null }>();
  for (const { key, name } of keys) {
    if (!key) continue;
    const publicKey = createPublicKey(key);
    // A key that the SRI does not accept is reported later, and no certificate is chosen for it.
    if (isSupportedKey(key) && !(isWholeKey(key) && provesPossession(key, publicKey))) continue;
    byPublicKey.set(toSpki(publicKey), { key, name });
  }
  const paired = certificates.map(({ der, name }) => {
    const own = byPublicKey.get(publicKeyOf(der));
    const names = [name, own?.name ?? null].filter((text) => text !== null);
    return { der: Uint8Array.from(der), names, key: own?.key ?? null };
  });
  return { outcome: 'opened', certificates: paired, keyCount: keys.length };
}

function publicKeyOf(certificate: Buffer): string {
  try {
    return toSpki(new X509Certificate(certificate).publicKey);
  } catch {
    return ''; // a kind of key unknown to node:crypto, or not a certificate
  }
}

function toSpki(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('latin1');
}
