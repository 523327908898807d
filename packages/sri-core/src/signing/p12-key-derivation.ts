import { hash, pbkdf2Sync } from 'node:crypto';
import { P12Refusal } from './p12-refusal.js';

/**
 * Creates the budget of key derivation, in hash steps. A derivation is charged before it runs: PBKDF2 is native code,
 * which even a terminated thread does not interrupt. Firefox writes the costliest files in use, 4.2 million steps; 5
 * million take 1 to 3 s.
 */
export function createWorkBudget(steps = 5_000_000): (steps: number) => void {
  let left = steps;
  return (wanted) => {
    if (wanted < 1) throw new P12Refusal('invalid', 'The container asks for no iteration of its key derivation.');
    left -= wanted;
    if (left < 0) {
      throw new P12Refusal('invalid', 'The container asks for more key derivation work than is allowed to open it.');
    }
  };
}

/** The parameters of both derivations. */
interface Derivation {
  readonly salt: Buffer;
  readonly iterations: number;
  /** Output length in octets. */
  readonly length: number;
  /** Name of the hash in node:crypto. */
  readonly digest: string;
  readonly spend: (steps: number) => void;
}

/** PBKDF2 (RFC 8018, 5.2), over the octets of the password. */
export function deriveByPbkdf2(password: Buffer, { salt, iterations, length, digest, spend }: Derivation): Buffer {
  spend(iterations * Math.ceil(length / digestLength(digest)));
  return pbkdf2Sync(password, salt, iterations, length, digest);
}

/**
 * PKCS#12's own derivation (RFC 7292, appendix B.2).
 *
 * @param password as UTF-16, big-endian, with its final zero.
 * @param purpose 1 a key, 2 an initialization vector, 3 a key for the MAC.
 */
export function deriveByPkcs12(password: Buffer, purpose: 1 | 2 | 3, derivation: Derivation): Buffer {
  const { salt, iterations, length, digest, spend } = derivation;
  const blockLength = digestLength(digest) > 32 ? 128 : 64;
  const diversifier = Buffer.alloc(blockLength, purpose);
  const input = Buffer.concat([repeatInBlocks(salt, blockLength), repeatInBlocks(password, blockLength)]);
  const derived: Buffer[] = [];
  for (let left = length; left > 0; ) {
    spend(iterations);
    const first = hash(digest, Buffer.concat([diversifier, input]), 'buffer');
    const last = hashAgain(digest, first, iterations - 1);
    derived.push(last);
    left -= last.length;
    if (left > 0) addToBlocks(input, Buffer.alloc(blockLength, last));
  }
  return Buffer.concat(derived, length);
}

/** Octets of a hash. */
export function digestLength(digest: string): number {
  return hash(digest, '', 'buffer').length;
}

// --- internal ---

/** The text repeated up to a whole number of blocks; empty for an empty text. */
function repeatInBlocks(text: Buffer, blockLength: number): Buffer {
  return Buffer.alloc(Math.ceil(text.length / blockLength) * blockLength, text);
}

/** Adds `addend` plus one to each block of `input`, in place, as big-endian numbers that wrap around. */
function addToBlocks(input: Buffer, addend: Buffer): void {
  for (let start = 0; start < input.length; start += addend.length) {
    let carry = 1;
    for (let index = addend.length - 1; index >= 0; index -= 1) {
      carry += input.readUInt8(start + index) + addend.readUInt8(index);
      input[start + index] = carry & 0xff;
      carry >>= 8;
    }
  }
}

function hashAgain(digest: string, value: Buffer, times: number): Buffer {
  if (digest === 'sha1') return sha1Again(value, times);
  let result = value;
  for (let time = 0; time < times; time += 1) result = hash(digest, result, 'buffer');
  return result;
}

/**
 * SHA-1 of a SHA-1, `times` over (FIPS 180-4, 6.1). Each input is one block with the same padding, which makes this far
 * faster than calls into node:crypto: a file from Firefox opens in 1 s instead of 4.
 */
function sha1Again(value: Buffer, times: number): Buffer {
  const state = Int32Array.from([0, 4, 8, 12, 16], (offset) => value.readInt32BE(offset));
  const words = new Int32Array(80);
  words[5] = 0x80000000; // the padding's first bit; the last word is the length, 160 bits
  words[15] = 160;
  for (let time = 0; time < times; time += 1) {
    words.set(state);
    sha1Block(words, state);
  }
  const result = Buffer.alloc(20);
  for (const [index, word] of state.entries()) result.writeInt32BE(word, index * 4);
  return result;
}

/** Hashes one block, the first 16 of `words`, into `state`. */
function sha1Block(words: Int32Array, state: Int32Array): void {
  for (let index = 16; index < 80; index += 1) {
    const mixed = at(words, index - 3) ^ at(words, index - 8) ^ at(words, index - 14) ^ at(words, index - 16);
    words[index] = (mixed << 1) | (mixed >>> 31);
  }
  let a = 0x67452301;
  let b = 0xefcdab89 | 0;
  let c = 0x98badcfe | 0;
  let d = 0x10325476;
  let e = 0xc3d2e1f0 | 0;
  for (let index = 0; index < 80; index += 1) {
    let mixed: number;
    if (index < 20) mixed = ((b & c) | (~b & d)) + 0x5a827999;
    else if (index < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1;
    else if (index < 60) mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    else mixed = (b ^ c ^ d) + 0xca62c1d6;
    const next = (((a << 5) | (a >>> 27)) + mixed + e + at(words, index)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  state[0] = a + 0x67452301;
  state[1] = b + 0xefcdab89;
  state[2] = c + 0x98badcfe;
  state[3] = d + 0x10325476;
  state[4] = e + 0xc3d2e1f0;
}

function at(words: Int32Array, index: number): number {
  return words[index] as number; // the callers stay within the 80 words
}
