import type { Random } from 'sri-core';

/**
 * What is written on a transfer so that it is recognized: `P-` and nine characters that cannot be mistaken for one
 * another. Two to the forty-fifth are possible; the database refuses one that was given already, and the caller asks again.
 */
export function createPaymentCode(random: Random): string {
  const characters = [...random.bytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return `P-${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`;
}

// --- internal ---

const LENGTH = 9;
/** 32 characters, so that each is equally likely; neither I, L, O nor U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
