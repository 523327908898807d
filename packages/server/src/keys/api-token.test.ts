import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createApiToken, createVerificationToken, hashToken, isPlausibleToken } from './api-token.js';

const random = { bytes: (count: number) => randomBytes(count) };

describe('API keys', () => {
  it('a key carries brand, environment, 32 random characters and 6 check characters', () => {
    expect(createApiToken(random, 'sri', 'sandbox')).toMatch(/^sri_test_[0-9A-Za-z]{38}$/);
    expect(createApiToken(random, 'sri', 'production')).toMatch(/^sri_live_[0-9A-Za-z]{38}$/);
  });

  it('a key of fixed bytes keeps its known checksum', () => {
    const fixed = { bytes: (count: number) => new Uint8Array(count).fill(7) };
    expect(createApiToken(fixed, 'sri', 'sandbox')).toMatchInlineSnapshot(
      `"sri_test_777777777777777777777777777777772YJn0o"`,
    );
  });

  it('a key is recognized by its checksum', () => {
    for (let round = 0; round < 200; round += 1) {
      const token = createApiToken(random, 'acme', 'sandbox');
      expect(isPlausibleToken(token)).toBe(true);
      const at = 10 + (round % 38);
      const other = token[at] === 'a' ? 'b' : 'a';
      expect(isPlausibleToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    }
  });

  it.each(['', 'sri_test_', `sri_prod_${'a'.repeat(38)}`, 'x'.repeat(64), `${'0'.repeat(63)}g`, 'SRI_test_x'])(
    'rejects %j as a key',
    (text) => {
      expect(isPlausibleToken(text)).toBe(false);
    },
  );

  it.each(['ACME', 'AcmeXsri', 'a', 'abcdefghi', 'sri2'])('rejects a key whose brand has another form: %s', (brand) => {
    // The checksum is right, but the form is wrong.
    expect(isPlausibleToken(createApiToken(random, brand, 'sandbox'))).toBe(false);
  });

  it('createApiToken discards biased bytes, and requests more', () => {
    const bytes = [248, 0, 255, 61, 247];
    const fixed = { bytes: (count: number) => Uint8Array.from({ length: count }, () => bytes.shift() ?? 1) };
    expect(createApiToken(fixed, 'sri', 'sandbox').slice(9, 15)).toBe('0zz111');
  });

  it.each([`${'0'.repeat(64)}0`, `x${'0'.repeat(64)}`])('rejects hex digits with extra characters: %s', (text) => {
    expect(isPlausibleToken(text)).toBe(false);
  });

  it('accepts 64 hex digits as an imported key', () => {
    expect(isPlausibleToken('0123456789abcDEF'.repeat(4))).toBe(true);
  });

  it('hashToken returns the SHA-256 digest of a key', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(createVerificationToken(random)).toMatch(/^[0-9a-f]{64}$/);
  });
});
