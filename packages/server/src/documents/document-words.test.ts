import { expect, it } from 'vitest';
import { toIsoMoment, writeDay, writeMoment, writeTotal } from './document-words.js';

it.each([
  ['2026-11-24', '24 de noviembre de 2026', 'November 24, 2026'],
  ['2027-01-01', '1 de enero de 2027', 'January 1, 2027'],
])('the day %s is written as people do', (day, es, en) => {
  expect([writeDay(day, 'es'), writeDay(day, 'en')]).toEqual([es, en]);
});

it.each([
  ['2026-11-24T10:15:32-05:00', '24 de noviembre de 2026, 10:15'],
  // The day in Ecuador, whatever the offset.
  ['2026-11-25T04:59:00.000Z', '24 de noviembre de 2026, 23:59'],
  ['24/11/2026 08:05:00', '24 de noviembre de 2026, 08:05'],
  ['mañana', 'mañana'],
])('the moment %s is written in Ecuador’s time', (text, written) => {
  expect(writeMoment(text, 'es')).toBe(written);
});

it.each([
  ['2026-11-24T10:15:32-05:00', '2026-11-24T10:15:32-05:00'],
  ['2026-11-24T10:15:32.000-05:00', '2026-11-24T10:15:32.000-05:00'],
  ['05/11/2026 12:00:10', '2026-11-05T12:00:10-05:00'],
  ['2026-11-05 12:00:10', '2026-11-05T12:00:10-05:00'],
  ['mañana', 'mañana'],
])('the moment %s has its offset in answers', (text, written) => {
  expect(toIsoMoment(text)).toBe(written);
});

it.each([
  ['0.00', '0.00'],
  ['999.99', '999.99'],
  ['1234.50', '1,234.50'],
  ['12345678901.23', '12,345,678,901.23'],
  ['', ''],
])('the amount %s has commas for thousands', (amount, written) => {
  expect(writeTotal(amount)).toBe(written);
});
