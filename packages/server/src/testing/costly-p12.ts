import { randomBytes } from 'node:crypto';

/** An empty container whose password check needs that many iterations of key derivation. */
export function costlyP12(iterations: number): Buffer {
  const digest = sequence(sequence(SHA256, NULL), der(0x04, randomBytes(32)));
  const content = sequence(DATA, der(0xa0, der(0x04, sequence())));
  return sequence(integer(3), content, sequence(digest, der(0x04, randomBytes(8)), integer(iterations)));
}

// --- internal ---

const DATA = Buffer.from('06092a864886f70d010701', 'hex');
const SHA256 = Buffer.from('0609608648016503040201', 'hex');
const NULL = Buffer.from('0500', 'hex');

/** A value of less than 128 bytes. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag, value.length), value]);
}

function sequence(...content: readonly Uint8Array[]): Buffer {
  return der(0x30, ...content);
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  // Whole bytes. A first byte of 0x80 or more would make the number negative.
  const digits = hex.length + (hex.length % 2);
  const padded = hex.padStart(/^[89a-f]/.test(hex) && hex.length % 2 === 0 ? digits + 2 : digits, '0');
  return der(0x02, Buffer.from(padded, 'hex'));
}
