import { describe, expect, it } from 'vitest';
import { createUuidSource, randomDigits, systemRandom } from './random.js';

describe('randomDigits', () => {
  it('gives as many digits as asked for, each about as often', () => {
    const digits = randomDigits(systemRandom, 50_000);
    expect(digits).toMatch(/^[0-9]{50000}$/);
    for (const digit of '0123456789') {
      const count = digits.split(digit).length - 1;
      expect(count).toBeGreaterThan(4_500);
      expect(count).toBeLessThan(5_500);
    }
  });

  it('drops the bytes that would favour low digits, and asks for more', () => {
    const bytes = [250, 255, 7, 251, 19, 0];
    const random = { bytes: (count: number) => Uint8Array.from(bytes.splice(0, count)) };
    expect(randomDigits(random, 3)).toBe('790');
  });
});

describe('createUuidSource', () => {
  const now = new Date('2026-11-21T12:00:00Z');

  it('makes UUIDs of version 7 that hold their time', () => {
    const uuid = createUuidSource(systemRandom)(now);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(now.getTime());
  });

  it('sorts by making within a millisecond, past a full counter, and when the clock goes back', () => {
    const next = createUuidSource(systemRandom);
    const made = Array.from({ length: 10_000 }, () => next(now));
    made.push(next(new Date(now.getTime() - 60_000)), next(new Date(now.getTime() + 60_000)));
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });
});
