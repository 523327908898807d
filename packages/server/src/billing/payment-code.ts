import type { Random } from 'sri-core';

/**
 * The code to be written on a transfer: `P-` and nine characters that cannot be mistaken for one another. There are
 * 2^45 codes. The database rejects a code that is in use, and the caller retries.
 */
export function createPaymentCode(random: Random): string {
  const characters = [...random.bytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return `P-${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`;
}

// --- internal ---

const LENGTH = 9;
/** 32 characters, so that each is equally likely; neither I, L, O nor U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
