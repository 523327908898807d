import { formatSequential } from 'sri-core';

/** Numbers in one block: those that share their first six digits. */
export const BLOCK_SIZE = 1000;

/** How many of the thousand numbers of a block hold the part somewhere in their nine digits. Looks at none of them. */
export function createPartCounter(part: string): (block: number) => number {
  const byOverlap = new Map<string, number>();
  return (block) => {
    const head = toHead(block);
    if (head.includes(part)) return BLOCK_SIZE;
    // Only the ends of the head with which the part begins matter, and there are at most three ways to go on from them.
    const overlaps = [1, 2, 3].map((own) => (own < part.length ? head.endsWith(part.slice(0, -own)) : false)).join();
    const known = byOverlap.get(overlaps);
    if (known !== undefined) return known;
    const count = part.length > 3 && !overlaps.includes('true') ? 0 : countTails(head, part);
    byOverlap.set(overlaps, count);
    return count;
  };
}

/**
 * The numbers up to `last` that hold the part somewhere in their nine digits.
 *
 * @returns null when there are more than `most`.
 */
export function numbersWithPart(part: string, last: number, most: number): readonly number[] | null {
  if (!/^\d{1,9}$/.test(part)) return [];
  const numbers = new Set<number>();
  for (let behind = 9 - part.length; behind >= 0; behind -= 1) {
    const tail = 10 ** behind;
    const own = Number(part) * tail;
    const step = tail * 10 ** part.length;
    for (let start = own; start <= last && start < 1e9; start += step) {
      for (let number = start; number < start + tail && number <= last; number += 1) {
        if (number > 0) numbers.add(number);
        if (numbers.size > most) return null;
      }
    }
  }
  return [...numbers];
}

/** Six digits, as a block is named. */
export function toHead(block: number): string {
  return formatSequential(block).slice(3);
}

// --- internal ---

function countTails(head: string, part: string): number {
  let count = 0;
  for (let tail = 0; tail < BLOCK_SIZE; tail += 1) {
    if (`${head}${formatSequential(tail).slice(6)}`.includes(part)) count += 1;
  }
  return count;
}
