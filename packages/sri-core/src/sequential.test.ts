import { expect, it } from 'vitest';
import { formatDocumentNumber, formatSequential, isDocumentNumber } from './sequential.js';

it('writes numbers with nine digits', () => {
  expect(formatSequential(7)).toBe('000000007');
  expect(formatSequential(999_999_999)).toBe('999999999');
  expect(formatDocumentNumber('001', '002', 7)).toBe('001-002-000000007');
});

it.each([
  ['001-002-000000007', true],
  ['001-002-7', false],
  ['1-2-000000007', false],
  ['001002000000007', false],
  ['001-002-000000007\n', false],
  ['0001-002-000000007', false],
  ['001-002-0000000071', false],
  ['٠٠١-002-000000007', false],
  ['', false],
])('recognizes %j as a document number: %s', (text, expected) => {
  expect(isDocumentNumber(text)).toBe(expected);
});
