import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { payloadHash } from './payload-hash.js';

describe('payload hash', () => {
  it('the payload hash does not depend on the order of keys', () => {
    expect(payloadHash({ a: 1, b: { c: [1, 2], d: 'x' } })).toBe(payloadHash({ b: { d: 'x', c: [1, 2] }, a: 1 }));
  });

  it('the payload hash is the digest of the JSON text with sorted names and no spacing', () => {
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(payloadHash({ b: [1, 'x', null], 'a "b"': { ñ: true }, left: undefined })).toBe(
      digest('{"a \\"b\\"":{"ñ":true},"b":[1,"x",null]}'),
    );
    expect(payloadHash({ 'a"': 1, '"': 2, '"a': 3 })).toBe(digest('{"\\"":2,"\\"a":3,"a\\"":1}'));
    expect(payloadHash(undefined)).toBe(digest('null'));
    expect(payloadHash([])).toBe(digest('[]'));
  });

  it.each([
    ['another value', { a: '1.00' }, { a: '1.0' }],
    ['a string for a number', { a: '1' }, { a: 1 }],
    ['another order of items', { a: [1, 2] }, { a: [2, 1] }],
    ['null for absent', { a: null }, {}],
    ['a key moved one level', { a: { b: 1 } }, { a: {}, b: 1 }],
  ])('the payload hash distinguishes %s', (_, one, other) => {
    expect(payloadHash(one)).not.toBe(payloadHash(other));
  });
});
