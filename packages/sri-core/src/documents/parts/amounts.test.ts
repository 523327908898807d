import { describe, expect, it } from 'vitest';
import { addAmounts, isZero, shortenDecimal, shortenRate, writeAmount } from './amounts.js';

describe('amounts as a RIDE prints them', () => {
  it.each([
    ['2.500000', '2.50'],
    ['1.000000', '1.00'],
    ['0.000123', '0.000123'],
    ['1.230400', '1.2304'],
    ['10.10', '10.10'],
    ['7', '7'],
    ['1.5', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['+01.500000', '1.50'],
    ['-2.100', '-2.10'],
    ['abc', 'abc'],
    ['.', '.'],
    ['', ''],
    ['1,5', '1,5'],
    [`${'0'.repeat(60)}1`, `${'0'.repeat(60)}1`],
  ])('shortens the amount %j to %j', (amount, printed) => {
    expect(shortenDecimal(amount)).toBe(printed);
  });

  it.each([
    ['40.48', '40.48'],
    ['40', '40.00'],
    ['40.5', '40.50'],
    ['+40.', '40.00'],
    ['.5', '0.50'],
    ['00059.1300', '59.13'],
    ['59.135', '59.135'],
    ['-1', '-1.00'],
    ['-0.00', '0.00'],
    ['', ''],
    ['uno', 'uno'],
  ])('writes the amount %j as %j', (amount, printed) => {
    expect(writeAmount(amount)).toBe(printed);
  });

  it.each([
    ['15.00', '15'],
    ['.20', '0.2'],
    ['015', '15'],
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
    ['+00.000', true],
    ['-0', true],
    ['.', false],
    ['0.01', false],
    ['', false],
    ['x', false],
  ])('reads the amount %j as zero: %j', (amount, zero) => {
    expect(isZero(amount)).toBe(zero);
  });

  it('adds amounts to the cent, and returns null for an invalid amount', () => {
    expect(addAmounts(['0.10', '0.20', '199999999.99'])).toBe('200000000.29');
    expect(addAmounts(['.1', '+2', '3.500'])).toBe('5.60');
    expect(addAmounts([])).toBe('0.00');
    expect(addAmounts(['1.00', 'uno'])).toBeNull();
  });
});

it('shortens a number of any length in linear time', () => {
  const long = `1.${'0'.repeat(50_000)}1`;
  const before = process.cpuUsage();
  expect([shortenDecimal(`${long}00`), shortenRate(`${long}00`)]).toEqual([long, long]);
  // A few milliseconds; quadratic time would be seconds.
  expect(process.cpuUsage(before).user).toBeLessThan(500_000);
});
