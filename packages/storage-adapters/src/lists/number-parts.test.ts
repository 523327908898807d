import { formatSequential } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { counterInBlocks, numbersWithPart } from './number-parts.js';

const PARTS = ['0', '7', '00', '12', '99', '123', '000', '121', '1212', '0012', '9999', '12121', '001212', '000121212'];

describe('parts of numbers', () => {
  it.each(PARTS)('finds %s in every number up to the last that holds it', (part) => {
    const expected = Array.from({ length: 12_345 }, (_, index) => index + 1).filter((number) =>
      formatSequential(number).includes(part),
    );
    expect(numbersWithPart(part, 12_345, 20_000)?.toSorted((a, b) => a - b)).toEqual(expected);
  });

  it.each(PARTS)('counts %s in whole blocks', (part) => {
    const countInBlock = counterInBlocks(part);
    for (const block of [0, 1, 7, 12, 121, 12_121, 121_212, 999_999]) {
      const numbers = Array.from({ length: 1_000 }, (_, index) => String(block * 1_000 + index).padStart(9, '0'));
      const expected = numbers.filter((number) => number.includes(part)).length;
      expect(countInBlock(String(block).padStart(6, '0')), String(block)).toBe(expected);
    }
  });

  it('gives up a part of too many numbers, and finds no number for other characters than digits', () => {
    expect(numbersWithPart('7', 100, 18)).toBeNull();
    expect(numbersWithPart('7', 100, 19)).toHaveLength(19);
    expect(numbersWithPart('0000000001', 1_000_000, 100)).toEqual([]);
    expect(numbersWithPart('', 10, 100)).toEqual([]);
    expect(numbersWithPart('1a', 1_000_000, 100)).toEqual([]);
  });
});
