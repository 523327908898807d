import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment, Random } from 'sri-core';

/**
 * Makes an API key: `<brand>_<test|live>_<32 random><6 check>`, all base62. The check characters are the CRC-32 of
 * everything before them, so that a mistyped key is rejected without a query.
 */
export function createApiToken(random: Random, brand: string, environment: Environment): string {
  const body = `${brand}_${environment === 'production' ? 'live' : 'test'}_${randomBase62(random, RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/** Whether the text has the form of a key: our own with its checksum, or the 64 hex digits of an imported one. */
export function isPlausibleToken(token: string): boolean {
  if (/^[0-9a-f]{64}$/i.test(token)) return true;
  if (!/^[a-z]{2,8}_(test|live)_[0-9A-Za-z]{38}$/.test(token)) return false;
  return checksum(token.slice(0, -CHECK_LENGTH)) === token.slice(-CHECK_LENGTH);
}

/**
 * The stored form of a key or a verification token. Both are random enough for a plain digest.
 *
 * @returns lower-case hex SHA-256.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A token for a verification link: 64 hex digits. */
export function createVerificationToken(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('hex');
}

// --- internal ---

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;

function randomBase62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length)) {
      // 248 is the largest multiple of 62 in a byte; higher values would favour some characters.
      if (byte < 248) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
