import { createCipheriv, createHmac, type KeyObject, pbkdf2Sync, randomBytes } from 'node:crypto';
import { deriveByPkcs12 } from '../signing/p12-key-derivation.js';
import { toPasswordForms } from '../signing/p12-password.js';
import { der, derBmp, derContext, derInteger, derNull, derOctets, derOid, derSequence, derSet } from './der-writer.js';

/** The content of a container. */
export interface TestContainerEntry {
  /** DER. */
  readonly certificate?: Uint8Array;
  readonly privateKey?: KeyObject;
  /** friendlyName of both. */
  readonly name?: string;
}

export interface TestContainerOptions {
  /** Null: no encryption and no MAC. */
  readonly password: string | null;
  /** Default 2048, as in OpenSSL. */
  readonly iterations?: number;
}

/**
 * Writes a PKCS#12 container as OpenSSL 3 does: PBES2 with AES-256 and PBKDF2 over HMAC-SHA-256, and a SHA-256 MAC. The
 * certificates are in the order of the entries. For tests and demos.
 *
 * @see RFC 7292.
 */
export function writeTestContainer(entries: readonly TestContainerEntry[], options: TestContainerOptions): Buffer {
  const { password, iterations = 2048 } = options;
  const certificates = derSequence(...entries.flatMap(certificateBag));
  const keys = derSequence(...entries.flatMap((entry, index) => keyBag(entry, index, password, iterations)));
  const content = derSequence(
    password === null ? dataContent(certificates) : encryptedContent(certificates, password, iterations),
    dataContent(keys),
  );
  const mac = password === null ? [] : [macData(content, password, iterations)];
  return derSequence(derInteger(3), dataContent(content), ...mac);
}

/** Encrypts under PBES2: the AlgorithmIdentifier and the encrypted octets. */
export function encryptPbes2(
  data: Uint8Array,
  password: string,
  iterations: number,
): [algorithm: Buffer, data: Buffer] {
  const salt = randomBytes(16);
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(password, salt, iterations, 32, 'sha256'), iv);
  const algorithm = derSequence(
    derOid('1.2.840.113549.1.5.13'),
    derSequence(
      derSequence(
        derOid('1.2.840.113549.1.5.12'),
        derSequence(derOctets(salt), derInteger(iterations), derSequence(derOid('1.2.840.113549.2.9'), derNull())),
      ),
      derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctets(iv)),
    ),
  );
  return [algorithm, Buffer.concat([cipher.update(data), cipher.final()])];
}

// --- internal ---

const DATA = '1.2.840.113549.1.7.1';

function dataContent(data: Uint8Array): Buffer {
  return derSequence(derOid(DATA), derContext(0, derOctets(data)));
}

function encryptedContent(data: Uint8Array, password: string, iterations: number): Buffer {
  const [algorithm, encrypted] = encryptPbes2(data, password, iterations);
  return derSequence(
    derOid('1.2.840.113549.1.7.6'),
    derContext(0, derSequence(derInteger(0), derSequence(derOid(DATA), algorithm, der(0x80, encrypted)))),
  );
}

function certificateBag(entry: TestContainerEntry, index: number): Buffer[] {
  if (!entry.certificate) return [];
  const value = derSequence(derOid('1.2.840.113549.1.9.22.1'), derContext(0, derOctets(entry.certificate)));
  return [bag('1.2.840.113549.1.12.10.1.3', value, attributes(entry, index))];
}

function keyBag(entry: TestContainerEntry, index: number, password: string | null, iterations: number): Buffer[] {
  if (!entry.privateKey) return [];
  const pkcs8 = entry.privateKey.export({ type: 'pkcs8', format: 'der' });
  if (password === null) return [bag('1.2.840.113549.1.12.10.1.1', pkcs8, attributes(entry, index))];
  const [algorithm, encrypted] = encryptPbes2(pkcs8, password, iterations);
  const shrouded = derSequence(algorithm, derOctets(encrypted));
  return [bag('1.2.840.113549.1.12.10.1.2', shrouded, attributes(entry, index))];
}

function bag(type: string, value: Uint8Array, attributeValues: readonly Buffer[]): Buffer {
  return derSequence(
    derOid(type),
    derContext(0, value),
    ...(attributeValues.length > 0 ? [derSet(...attributeValues)] : []),
  );
}

/** friendlyName, and for a pair the localKeyId that links its two halves. */
function attributes({ name, privateKey, certificate }: TestContainerEntry, index: number): Buffer[] {
  const friendlyName = name === undefined ? [] : [attribute('1.2.840.113549.1.9.20', derBmp(name))];
  const isPair = privateKey && certificate;
  return isPair ? [attribute('1.2.840.113549.1.9.21', derOctets(Buffer.of(index + 1))), ...friendlyName] : friendlyName;
}

function attribute(type: string, value: Uint8Array): Buffer {
  return derSequence(derOid(type), derSet(value));
}

function macData(content: Uint8Array, password: string, iterations: number): Buffer {
  const salt = randomBytes(16);
  const wide = toPasswordForms(password)[0]?.wide ?? Buffer.alloc(0);
  const derivation = { salt, iterations, length: 32, digest: 'sha256', spend: () => undefined };
  const mac = createHmac('sha256', deriveByPkcs12(wide, 3, derivation))
    .update(content)
    .digest();
  const algorithm = derSequence(derOid('2.16.840.1.101.3.4.2.1'), derNull());
  return derSequence(derSequence(algorithm, derOctets(mac)), derOctets(salt), derInteger(iterations));
}
