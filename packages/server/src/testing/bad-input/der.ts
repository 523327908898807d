/** A value of DER with its tag and length. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

/** SEQUENCE */
export function derSequence(...contents: readonly Uint8Array[]): Buffer {
  return der(0x30, ...contents);
}

/** OCTET STRING */
export function derOctets(content: Uint8Array): Buffer {
  return der(0x04, content);
}

/** INTEGER of up to 32 bits. */
export function derInteger(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeInt8(value < 0 ? -1 : 0);
  bytes.writeInt32BE(value | 0, 1);
  return der(0x02, bytes);
}

/** OBJECT IDENTIFIER, from its dotted form. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(toBase128)));
}

// --- internal ---

function lengthOf(length: number): Buffer {
  if (length < 128) return Buffer.of(length);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const first = bytes.findIndex((byte) => byte !== 0);
  return Buffer.concat([Buffer.of(0x80 | (4 - first)), bytes.subarray(first)]);
}

function toBase128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 0x80);
  return digits;
}
