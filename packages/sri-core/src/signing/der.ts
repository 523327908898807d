import { CertificateInvalidError } from '../errors.js';

/** One value of DER, as a window onto its source bytes. */
export interface DerValue {
  /** The identifier octet: `0x30` SEQUENCE, `0xa0` context 0 constructed … */
  readonly tag: number;
  readonly content: Uint8Array;
  /** Identifier, length and content. */
  readonly bytes: Uint8Array;
}

/** Identifier octets of the types in certificates. */
export const DER_TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  visibleString: 0x1a,
  generalString: 0x1b,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/**
 * Reads the single DER value that fills `bytes`.
 *
 * @throws CertificateInvalidError when the bytes are not one complete DER value.
 */
export function readDer(bytes: Uint8Array): DerValue {
  const [value, ...rest] = readDerSequence(bytes);
  if (!value || rest.length > 0) throw malformed();
  return value;
}

/**
 * Reads consecutive DER values in `bytes`: the members of a SEQUENCE or SET, from its content.
 *
 * @throws CertificateInvalidError when the bytes are not complete DER values.
 */
export function readDerSequence(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const value = readAt(bytes, offset);
    values.push(value);
    offset += value.bytes.length;
  }
  return values;
}

/**
 * The dotted form of an OBJECT IDENTIFIER's content. Its numbers may exceed 2⁵³: `2.25` holds whole UUIDs.
 *
 * @throws CertificateInvalidError when it is not an identifier, or has more than 128 octets.
 */
export function readObjectIdentifier(content: Uint8Array): string {
  if (content.length > LONGEST_NUMBER) throw malformed();
  const arcs: bigint[] = [];
  let arc = 0n;
  let isOpen = true;
  for (const octet of content) {
    arc = (arc << 7n) | BigInt(octet & 0x7f);
    isOpen = (octet & 0x80) !== 0;
    if (isOpen) continue;
    arcs.push(arc);
    arc = 0n;
  }
  const [first, ...rest] = arcs;
  if (first === undefined || isOpen) throw malformed();
  const root = first < 40n ? 0n : first < 80n ? 1n : 2n;
  return [root, first - root * 40n, ...rest].join('.');
}

/**
 * An INTEGER's content as a number, which may be negative.
 *
 * @throws CertificateInvalidError when it has no octet, or more than 128.
 */
export function readInteger(content: Uint8Array): bigint {
  if (content.length === 0 || content.length > LONGEST_NUMBER) throw malformed();
  return BigInt.asIntN(content.length * 8, BigInt(`0x${Buffer.from(content).toString('hex')}`));
}

/** The text of a string type; null for any other type, and for octets outside its alphabet. */
export function readText({ tag, content }: DerValue): string | null {
  switch (tag) {
    case DER_TAG.utf8String:
      return decodeUtf8(content);
    case DER_TAG.numericString:
    case DER_TAG.printableString:
    case DER_TAG.teletexString:
    case DER_TAG.ia5String:
    case DER_TAG.visibleString:
    case DER_TAG.generalString:
      return Buffer.from(content).toString('latin1');
    case DER_TAG.bmpString:
      return content.length % 2 === 0 ? Buffer.from(content).swap16().toString('utf16le') : null;
    default:
      return null;
  }
}

/** The text of UTF-8 octets; null when they are not UTF-8. */
export function decodeUtf8(octets: Uint8Array): string | null {
  try {
    return STRICT_UTF8.decode(octets);
  } catch {
    return null;
  }
}

// --- internal ---

/** The octet limit of one number. The cost of big numbers grows with the square of their length; real ones have 20 at most. */
const LONGEST_NUMBER = 128;

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readAt(bytes: Uint8Array, offset: number): DerValue {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  // Certificates have no tag above 30, which would need a second octet, and DER has no indefinite length (0x80).
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || first === 0x80) throw malformed();
  let start = offset + 2;
  let length = first;
  if (first > 0x80) {
    start += first - 0x80;
    if (first > 0x84) throw malformed();
    length = bytes.subarray(offset + 2, start).reduce((sum, octet) => sum * 256 + octet, 0);
  }
  const end = start + length;
  if (end > bytes.length) throw malformed();
  return { tag, content: bytes.subarray(start, end), bytes: bytes.subarray(offset, end) };
}

function malformed(): CertificateInvalidError {
  return new CertificateInvalidError('The certificate is not well-formed DER.');
}
