import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecimalError } from './errors.js';
import { formatDecimal, parseDecimal, roundHalfUp, sum } from './money.js';

describe('parseDecimal', () => {
  it.each([
    ['0', 2, 0n],
    ['00', 2, 0n],
    ['7.5', 2, 750n],
    ['7.50', 2, 750n],
    ['0.01', 2, 1n],
    ['1234567890123.45', 2, 123456789012345n],
    ['12345678901234.56', 2, 1234567890123456n],
    ['999999999999.999999', 6, 999999999999999999n],
    ['0.000001', 6, 1n],
    ['12', 0, 12n],
  ])('parseDecimal reads %s at scale %i', (text, scale, expected) => {
    expect(parseDecimal(text, scale)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '.',
    '1.',
    '.5',
    '-1',
    '+1',
    '-0',
    '1,5',
    '1e5',
    '0x1',
    'NaN',
    'Infinity',
    '1 ',
    ' 1',
    '1\n',
    '1.2.3',
    '1..2',
    '١٢',
    '１２',
    '1.234',
    '9'.repeat(31),
    `1.${'0'.repeat(19)}`,
    '1_000',
  ])('parseDecimal rejects %j', (text) => {
    expect(() => parseDecimal(text, 2)).toThrow(DecimalError);
  });

  it.each([12.5, null, undefined, 5n])('parseDecimal rejects %s, which is no text', (value) => {
    expect(() => parseDecimal(value as unknown as string, 2)).toThrow(DecimalError);
  });

  it('parseDecimal rejects decimals beyond the scale rather than rounding, without quoting the value', () => {
    expect(() => parseDecimal('98765.4321', 2)).toThrow(/at most 2 decimals/);
    expect(() => parseDecimal('98765.4321', 2)).not.toThrow(/98765/);
  });

  it('parseDecimal reads the output of formatDecimal', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 29n }), fc.integer({ min: 0, max: 18 }), (value, scale) => {
        expect(parseDecimal(formatDecimal(value, scale), scale)).toBe(value);
      }),
    );
  });
});

describe('formatDecimal', () => {
  it.each([
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [-5n, 2, '-0.05'],
    [120000n, 2, '1200.00'],
    [-120000n, 2, '-1200.00'],
    [1n, 6, '0.000001'],
    [42n, 0, '42'],
  ])('formatDecimal writes %s at scale %i as %s', (value, scale, expected) => {
    expect(formatDecimal(value, scale)).toBe(expected);
  });
});

describe('roundHalfUp', () => {
  it.each([
    { name: 'below half', value: 1499n, to: 1n },
    { name: 'half goes up', value: 1500n, to: 2n },
    { name: 'above half', value: 1501n, to: 2n },
    { name: 'negative half goes away from zero', value: -1500n, to: -2n },
    { name: 'negative below half', value: -1499n, to: -1n },
    { name: 'nothing', value: 0n, to: 0n },
  ])('roundHalfUp rounds a value: $name', ({ value, to }) => {
    expect(roundHalfUp(value, 5, 2)).toBe(to);
  });

  it('roundHalfUp adds decimals without changing the value', () => {
    expect(roundHalfUp(750n, 2, 6)).toBe(7500000n);
    expect(roundHalfUp(1n, 0, 30)).toBe(10n ** 30n);
  });

  it('roundHalfUp is never off by more than half a unit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (value) => {
        const difference = roundHalfUp(value, 12, 2) * 10n ** 10n - value;
        expect(difference <= 5n * 10n ** 9n && difference >= -5n * 10n ** 9n).toBe(true);
      }),
    );
  });
});

it('sums an empty list to zero', () => {
  expect(sum([])).toBe(0n);
  expect(sum([1n, 2n, -5n])).toBe(-2n);
});
