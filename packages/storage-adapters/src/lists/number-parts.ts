import { BLOCK_SIZE } from './figures.js';

/**
 * The numbers up to `last` that contain the part in their nine digits.
 *
 * @returns null for more than `most`.
 */
export function numbersWithPart(part: string, last: number, most: number): readonly number[] | null {
  if (!/^\d{1,9}$/.test(part)) return [];
  const numbers = new Set<number>();
  for (let behind = 9 - part.length; behind >= 0; behind -= 1) {
    const tail = 10 ** behind;
    const own = Number(part) * tail;
    const step = tail * 10 ** part.length;
    for (let start = own; start <= last; start += step) {
      for (let number = start; number < start + tail && number <= last; number += 1) {
        if (number > 0) numbers.add(number);
        if (numbers.size > most) return null;
      }
    }
  }
  return [...numbers];
}

/** Whether the nine digits of a number contain the part. */
export function hasPart(number: number, part: string): boolean {
  return String(number).padStart(9, '0').includes(part);
}

/**
 * Counts numbers that contain the part, in whole blocks of a thousand.
 *
 * @returns a function of the block: the first six of the nine digits.
 */
export function counterInBlocks(part: string): (block: string) => number {
  const known = new Map<string, number>();
  return (block) => {
    if (block.includes(part)) return BLOCK_SIZE;
    // Only these last digits of the block can begin a part that ends after the block.
    const reaching = part.length > 1 ? block.slice(1 - part.length) : '';
    const before = known.get(reaching);
    if (before !== undefined) return before;
    let count = 0;
    for (let number = 0; number < BLOCK_SIZE; number += 1) {
      if ((reaching + String(number).padStart(DIGITS_BEHIND, '0')).includes(part)) count += 1;
    }
    known.set(reaching, count);
    return count;
  };
}

// --- internal ---

/** Digits of a number that its block leaves out. */
const DIGITS_BEHIND = String(BLOCK_SIZE - 1).length;
