import forge from 'node-forge';
import { P12Refusal } from './p12-refusal.js';

/** A value of BER, which may have indefinite lengths and strings in pieces. der.ts reads only DER. */
export type BerValue = forge.asn1.Asn1;

/** Reads one BER value that fills `bytes`. Throws on any other input, also beyond 256 levels. */
export function readBer(bytes: Buffer): BerValue {
  return forge.asn1.fromDer(bytes.toString('latin1'));
}

/** The DER of a value. */
export function writeBer(value: BerValue | undefined): Buffer {
  return Buffer.from(forge.asn1.toDer(required(value)).getBytes(), 'latin1');
}

/** The members of a SEQUENCE, SET or explicitly tagged value. */
export function berChildren(value: BerValue | undefined): BerValue[] {
  const { value: inner } = required(value);
  if (!Array.isArray(inner)) throw incomplete();
  return inner;
}

/** The octets of a string type, joined when they come in pieces. */
export function berOctets(value: BerValue | undefined): Buffer {
  const { value: inner } = required(value);
  return Array.isArray(inner) ? Buffer.concat(inner.map(berOctets)) : Buffer.from(inner, 'latin1');
}

/** The dotted form of an OBJECT IDENTIFIER. */
export function berOid(value: BerValue | undefined): string {
  return forge.asn1.derToOid(berOctets(value).toString('latin1'));
}

/** A non-negative integer. A value beyond every limit becomes infinity. */
export function berNumber(value: BerValue | undefined): number {
  const octets = berOctets(value);
  if ((octets[0] ?? 0x80) & 0x80) {
    throw new P12Refusal('invalid', 'The container holds a malformed number.');
  }
  return octets.length <= 6 ? octets.readUIntBE(0, octets.length) : Number.POSITIVE_INFINITY;
}

/** Whether the value is an INTEGER, for an optional field. */
export function isBerNumber(value: BerValue): boolean {
  return value.tagClass === forge.asn1.Class.UNIVERSAL && value.type === forge.asn1.Type.INTEGER;
}

/** Cuts off bytes after the outer value: transfers add line ends and zeros, and other readers ignore them too. */
export function withoutTail(bytes: Buffer): Buffer {
  const first = bytes[1] ?? 0;
  if (first === 0x80 || first > 0x84) return bytes;
  const octets = first > 0x80 ? first - 0x80 : 0;
  if (bytes.length < 2 + octets) return bytes;
  return bytes.subarray(0, 2 + octets + (octets > 0 ? bytes.readUIntBE(2, octets) : first));
}

// --- internal ---

function required(value: BerValue | undefined): BerValue {
  if (!value) throw incomplete();
  return value;
}

function incomplete(): P12Refusal {
  return new P12Refusal('invalid', 'The container is incomplete.');
}
