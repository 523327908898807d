import { CertificateInvalidError } from '../errors.js';
import {
  DER_TAG,
  type DerValue,
  readDer,
  readDerSequence,
  readInteger,
  readObjectIdentifier,
  readText,
} from './der.js';

/** The fields of a certificate that node:crypto does not return, or returns only in OpenSSL's wording. */
export interface CertificateFields {
  /** Signed, of any length: authorities use up to 160 bits. */
  readonly serialNumber: bigint;
  /** The Name of the authority, as in the certificate. */
  readonly issuer: DerValue;
  readonly subject: readonly NameAttribute[];
  /** The allowed uses of the key; null without a limit in the certificate (RFC 5280, 4.2.1.3). */
  readonly keyUsage: ReadonlySet<KeyUsage> | null;
  /** The content of each extension's OCTET STRING, by dotted OID. */
  readonly extensions: ReadonlyMap<string, Uint8Array>;
}

/** A key use, by its name in RFC 5280; nonRepudiation is contentCommitment there. */
export type KeyUsage = (typeof KEY_USAGES)[number];

/** One attribute of a distinguished name: dotted type and value. */
export interface NameAttribute {
  readonly type: string;
  readonly value: DerValue;
}

/**
 * Reads fields from a certificate's bytes.
 *
 * @param bytes the DER of an X.509 certificate.
 * @throws CertificateInvalidError when the bytes are not a certificate.
 * @see RFC 5280, 4.1.
 */
export function readCertificateFields(bytes: Uint8Array): CertificateFields {
  const [signed] = readDerSequence(readDer(bytes).content);
  const fields = signed ? readDerSequence(signed.content) : [];
  if (fields[0]?.tag === CONTEXT_0) fields.shift(); // the version, absent in v1
  const [serialNumber, , issuer, , subject, , ...optional] = fields;
  if (serialNumber?.tag !== DER_TAG.integer || issuer?.tag !== DER_TAG.sequence || !subject) {
    throw new CertificateInvalidError('The certificate is not an X.509 certificate.');
  }
  const extensions = readExtensions(optional.find(({ tag }) => tag === CONTEXT_3));
  return {
    serialNumber: readInteger(serialNumber.content),
    issuer,
    subject: readNameParts(subject).flat(),
    keyUsage: readKeyUsage(extensions.get(KEY_USAGE_OID)),
    extensions,
  };
}

/** The attributes of a distinguished name, in order: one list per part, most of them with one attribute. */
export function readNameParts(name: DerValue): NameAttribute[][] {
  return readDerSequence(name.content).map((rdn) =>
    readDerSequence(rdn.content).flatMap((part) => {
      const [type, value] = readDerSequence(part.content);
      return type && value ? [{ type: readObjectIdentifier(type.content), value }] : [];
    }),
  );
}

/** The common name of a subject; else its other texts; null for an empty subject. */
export function readCommonName(subject: readonly NameAttribute[]): string | null {
  const named = subject.filter(({ type }) => type === COMMON_NAME_OID);
  const texts = (named.length > 0 ? named : subject).map(({ value }) => readText(value)?.trim()).filter(Boolean);
  return texts.length > 0 ? texts.join(', ') : null;
}

// --- internal ---

const CONTEXT_0 = 0xa0;
const CONTEXT_3 = 0xa3;
const COMMON_NAME_OID = '2.5.4.3';
const KEY_USAGE_OID = '2.5.29.15';

/** In bit order, from the most significant. */
const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
] as const;

function readExtensions(field: DerValue | undefined): ReadonlyMap<string, Uint8Array> {
  const extensions = new Map<string, Uint8Array>();
  for (const extension of field ? readDerSequence(readDer(field.content).content) : []) {
    const parts = readDerSequence(extension.content);
    const [type] = parts;
    const value = parts.at(-1); // a «critical» flag may come before
    if (!type || value?.tag !== DER_TAG.octetString) continue;
    extensions.set(readObjectIdentifier(type.content), value.content);
  }
  return extensions;
}

function readKeyUsage(extension: Uint8Array | undefined): ReadonlySet<KeyUsage> | null {
  if (!extension) return null;
  const { tag, content } = readDer(extension);
  const bits = tag === DER_TAG.bitString ? (content[1] ?? 0) : 0; // content[0] counts the unused bits
  return new Set(KEY_USAGES.filter((_, index) => bits & (0x80 >> index)));
}
