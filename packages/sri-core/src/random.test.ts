import { describe, expect, it, vi } from 'vitest';
import { createUuidSource, randomDigits, systemRandom } from './random.js';

describe('systemRandom', () => {
  it('systemRandom returns every byte once, in portions of any size', () => {
    const portions = Array.from({ length: 2_000 }, (_, index) => systemRandom.bytes(8 + (index % 60)));
    for (const [index, portion] of portions.entries()) expect(portion).toHaveLength(8 + (index % 60));
    const texts = portions.map((portion) => Buffer.from(portion).toString('hex'));
    expect(new Set(texts.map((text) => text.slice(0, 16))).size).toBe(texts.length);
    const bytes = [...Buffer.concat(portions)];
    expect(bytes.filter((byte) => byte === 0).length).toBeLessThan(bytes.length / 128);
  });

  it('systemRandom wipes its own copy of a byte', () => {
    const copying = vi.spyOn(Buffer, 'from');
    systemRandom.bytes(16);
    const [own] = copying.mock.lastCall ?? [];
    copying.mockRestore();
    expect([...(own as Buffer)]).toEqual(new Array(16).fill(0));
  });
});

describe('randomDigits', () => {
  it.each([0, 255])('randomDigits refuses a source that gives no digit, of %i only', (value) => {
    const bytes = (count: number) => new Uint8Array(value && count).fill(value);
    expect(() => randomDigits({ bytes }, 8)).toThrow('random.bytes has to return');
  });

  it('randomDigits returns the requested number of digits, each about equally often', () => {
    const digits = randomDigits(systemRandom, 50_000);
    expect(digits).toMatch(/^[0-9]{50000}$/);
    for (const digit of '0123456789') {
      const count = digits.split(digit).length - 1;
      expect(count).toBeGreaterThan(4_500);
      expect(count).toBeLessThan(5_500);
    }
  });

  it('randomDigits drops the bytes that would favour low digits, and requests more', () => {
    const bytes = [250, 255, 249, 251, 17, 0, 1];
    const random = { bytes: (count: number) => Uint8Array.from(bytes.splice(0, count)) };
    expect(randomDigits(random, 3)).toBe('970');
  });
});

describe('createUuidSource', () => {
  const now = new Date('2026-11-21T12:00:00Z');

  it('createUuidSource makes UUIDs of version 7 with their time', () => {
    const uuid = createUuidSource(systemRandom)(now);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(now.getTime());
  });

  it('createUuidSource sorts by creation within a millisecond, past a full counter, and when the clock goes back', () => {
    const next = createUuidSource(systemRandom);
    const made = Array.from({ length: 10_000 }, () => next(now));
    made.push(next(new Date(now.getTime() - 60_000)), next(new Date(now.getTime() + 60_000)));
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it('createUuidSource takes its random bits from the source, except version and variant', () => {
    const next = createUuidSource({ bytes: (count) => new Uint8Array(count).fill(0xff) });
    expect(next(now).slice(13)).toBe('-77ff-bfff-ffffffffffff');
  });

  it('createUuidSource counts to the end of its twelve bits before it runs ahead of the clock', () => {
    const next = createUuidSource({ bytes: (count) => new Uint8Array(count).fill(0xff) });
    const made = Array.from({ length: 0x802 }, () => next(now));
    const time = (uuid: string | undefined) => Number.parseInt((uuid ?? '').replaceAll('-', '').slice(0, 12), 16);
    expect(made.at(-2)?.slice(14, 18)).toBe('7fff');
    expect(time(made.at(-2))).toBe(now.getTime());
    expect(made.at(-1)?.slice(14, 18)).toBe('7000');
    expect(time(made.at(-1))).toBe(now.getTime() + 1);
  });

  it('createUuidSource starts each millisecond at a random count in the lower half', () => {
    const next = createUuidSource(systemRandom);
    const counts = Array.from({ length: 200 }, (_, index) =>
      Number.parseInt(next(new Date(now.getTime() + index)).slice(15, 18), 16),
    );
    expect(Math.max(...counts)).toBeLessThan(0x800);
    expect(new Set(counts).size).toBeGreaterThan(100);
    expect(counts.toSorted((a, b) => a - b)).not.toEqual(counts);
  });
});
