/** One DER value: identifier octet, length, and the parts joined as its content. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOctets(content.length), content]);
}

export const derSequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const derSet = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
export const derOctets = (octets: Uint8Array): Buffer => der(0x04, octets);
export const derBits = (octets: Uint8Array, unusedBits = 0): Buffer => der(0x03, Buffer.of(unusedBits), octets);
export const derNull = (): Buffer => der(0x05);
export const derTrue = (): Buffer => der(0x01, Buffer.of(0xff));

/** A constructed value of context class: `[number] EXPLICIT`. */
export const derContext = (number: number, ...parts: readonly Uint8Array[]): Buffer => der(0xa0 | number, ...parts);

export const derUtf8 = (text: string): Buffer => der(0x0c, Buffer.from(text, 'utf8'));
export const derPrintable = (text: string): Buffer => der(0x13, Buffer.from(text, 'latin1'));
export const derIa5 = (text: string): Buffer => der(0x16, Buffer.from(text, 'latin1'));
export const derBmp = (text: string): Buffer => der(0x1e, Buffer.from(text, 'utf16le').swap16());

/** A non-negative INTEGER. */
export function derInteger(value: bigint | number): Buffer {
  const digits = value.toString(16);
  const octets = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return der(0x02, (octets[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), octets]) : octets);
}

/** OBJECT IDENTIFIER of a dotted number. */
export function derOid(dotted: string): Buffer {
  const [root = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt);
  return der(0x06, ...[root * 40n + second, ...rest].map(base128));
}

/** A date as in certificates (RFC 5280, 4.1.2.5): UTCTime until 2049, GeneralizedTime after. */
export function derTime(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  const year = date.getUTCFullYear();
  return year >= 1950 && year < 2050
    ? der(0x17, Buffer.from(digits.slice(2), 'latin1'))
    : der(0x18, Buffer.from(digits, 'latin1'));
}

// --- internal ---

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const digits = length.toString(16);
  const octets = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(0x80 | octets.length), octets]);
}

function base128(arc: bigint): Buffer {
  const octets = [Number(arc & 0x7fn)];
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) octets.unshift(0x80 | Number(rest & 0x7fn));
  return Buffer.from(octets);
}
