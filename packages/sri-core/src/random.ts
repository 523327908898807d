import { hash, randomBytes, randomFillSync } from 'node:crypto';

/** Randomness as a port, so that golden files can be made with fixed bytes. */
export interface Random {
  /** Unpredictable bytes, for identifiers and the access key's free digits. */
  bytes(count: number): Uint8Array;
}

/**
 * The operating system's generator. It fetches many bytes at a time, because a call costs more than the bytes. Each byte is
 * used once and then wiped.
 */
export const systemRandom: Random = {
  bytes(count) {
    if (count > SMALL) return randomBytes(count);
    if (drawn + count > STOCK.length) {
      randomFillSync(STOCK);
      drawn = 0;
    }
    const bytes = Buffer.from(STOCK.subarray(drawn, drawn + count));
    STOCK.fill(0, drawn, drawn + count);
    drawn += count;
    return bytes;
  },
};

/** `count` decimal digits, each equally likely. */
export function randomDigits(random: Random, count: number): string {
  let digits = '';
  for (let draws = 0; digits.length < count; draws += 1) {
    // Bytes above 249 alone, or no bytes at all, would keep this loop for ever.
    if (draws === MOST_DRAWS)
      throw new TypeError('random.bytes has to return as many bytes as asked for, unpredictable ones.');
    for (const byte of random.bytes(count - digits.length)) {
      // 250 is the largest multiple of ten in a byte; higher values would favour the low digits.
      if (byte < 250) digits += byte % 10;
    }
  }
  return digits;
}

/**
 * Creates a source of UUIDs of version 7 (RFC 9562). They sort by time, and within one millisecond of one process by order
 * of creation.
 */
export function createUuidSource(random: Random): (now: Date) => string {
  let lastTime = 0;
  let counter = 0;
  return (now) => {
    const time = Math.max(now.getTime(), lastTime);
    const bytes = Buffer.from(random.bytes(10));
    // A fresh counter starts in the lower half of its 12 bits, so that a busy millisecond has room to count up.
    counter = time === lastTime ? counter + 1 : bytes.readUInt16BE(0) & 0x7ff;
    lastTime = time;
    if (counter > 0xfff) {
      lastTime += 1;
      counter = 0;
    }
    const hex = lastTime.toString(16).padStart(12, '0');
    const variant = (bytes.readUInt8(2) & 0x3f) | 0x80;
    const tail = Buffer.concat([Buffer.of(variant), bytes.subarray(3)]).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}

/** The UUID of a text, of version 8 (RFC 9562): the same in every process. */
export function uuidOf(text: string): string {
  const digits = hash('sha256', text);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

// --- internal ---

const SMALL = 64;
const MOST_DRAWS = 100;
const STOCK = Buffer.alloc(4096);
let drawn = STOCK.length;
