import { expect, it } from 'vitest';
import { formatAmount, formatDay, formatMoment } from './formats.js';

it.each([
  ['2026-11-24', '24 de noviembre de 2026', 'November 24, 2026'],
  ['2027-01-01', '1 de enero de 2027', 'January 1, 2027'],
])('the day %s is written in words in both languages', (day, es, en) => {
  expect([formatDay(day, 'es'), formatDay(day, 'en')]).toEqual([es, en]);
});

it('the day of a moment is the day in Ecuador', () => {
  expect(formatDay(new Date('2027-05-07T04:59:00Z'), 'en')).toBe('May 6, 2027');
});

it.each([
  ['2026-11-24T10:15:32-05:00', '24 de noviembre de 2026, 10:15'],
  // The day in Ecuador, whatever the offset.
  ['2026-11-25T04:59:00.000Z', '24 de noviembre de 2026, 23:59'],
  ['24/11/2026 08:05:00', '24 de noviembre de 2026, 08:05'],
  ['mañana', 'mañana'],
])('the moment %s is written in Ecuador’s time', (text, written) => {
  expect(formatMoment(text, 'es')).toBe(written);
});

it.each([
  ['0.00', '$0.00'],
  ['999.99', '$999.99'],
  ['1234.50', '$1,234.50'],
  ['2039130434782.59', '$2,039,130,434,782.59'],
  ['', ''],
])('the amount %s is written with a dollar sign and commas', (amount, written) => {
  expect(formatAmount(amount)).toBe(written);
});
