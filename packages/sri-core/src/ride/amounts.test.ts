import { describe, expect, it } from 'vitest';
import { addAmounts, isZero, shortenDecimal, shortenRate } from './amounts.js';

describe('amounts as a RIDE prints them', () => {
  it.each([
    ['2.500000', '2.50'],
    ['1.000000', '1.00'],
    ['0.000123', '0.000123'],
    ['1.230400', '1.2304'],
    ['10.10', '10.10'],
    ['7', '7'],
    ['1.5', '1.5'],
    ['abc', 'abc'],
    ['', ''],
  ])('shortens %j to %j', (amount, printed) => {
    expect(shortenDecimal(amount)).toBe(printed);
  });

  it.each([
    ['15.00', '15'],
    ['12.50', '12.5'],
    ['0.02', '0.02'],
    ['100', '100'],
    ['0', '0'],
  ])('writes the rate %j as %j', (rate, printed) => {
    expect(shortenRate(rate)).toBe(printed);
  });

  it.each([
    ['0', true],
    ['0.00', true],
    ['.0', true],
    ['0.01', false],
    ['', false],
    ['x', false],
  ])('%j is zero: %j', (amount, zero) => {
    expect(isZero(amount)).toBe(zero);
  });

  it('adds to the cent, and gives up on what is no amount', () => {
    expect(addAmounts(['0.10', '0.20', '199999999.99'])).toBe('200000000.29');
    expect(addAmounts([])).toBe('0.00');
    expect(addAmounts(['1.00', 'uno'])).toBeNull();
  });
});
