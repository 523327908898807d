import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { WARNING_CODES } from './documents/messages.js';
import * as errors from './errors.js';

const source = readFileSync(new URL('./errors.ts', import.meta.url), 'utf8');
const codes = codesIn(source);
const storageCodes = codesIn(readFileSync(new URL('../../storage-adapters/src/errors.ts', import.meta.url), 'utf8'));

describe('error codes', () => {
  it('error codes are unique, one per class', () => {
    const classes = Object.values(errors).filter((value) => typeof value === 'function');
    expect(codes).toHaveLength(classes.length - 1); // SriError has no code
    expect(new Set(codes).size).toBe(codes.length);
  });

  it.each(['en', 'es'])('docs/%s/errors.md explains the codes of all errors and warnings, and no other', (language) => {
    const page = readFileSync(new URL(`../../../docs/${language}/errors.md`, import.meta.url), 'utf8');
    const explained = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
    expect(explained.toSorted()).toEqual([...codes, ...storageCodes, ...WARNING_CODES].toSorted());
  });

  it('an error has a named class, and its message includes the first failure', () => {
    const failure = {
      field: 'items[0].quantity',
      rule: 'required',
      code: 'items.quantity',
      message: 'Es obligatorio.',
    };
    const error = new errors.ValidationError([failure, failure]);
    expect(error.name).toBe('ValidationError');
    expect(error.message).toBe('items[0].quantity: Es obligatorio. (y 1 más)');
    expect(new errors.ValidationError([]).message).toBe('La entrada no es válida.');
    expect(new errors.ValidationError([failure, failure], 'en').message).toMatch(/ \(and 1 more\)$/);
    expect(new errors.ValidationError([], 'en').message).toBe('The input is not valid.');
  });
});

function codesIn(text: string): string[] {
  return [...text.matchAll(/readonly code = '([A-Z_]+)'/g)].map((match) => match[1] ?? '');
}
