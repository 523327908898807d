import { type Expected, invalidField } from './refusal.js';

/** A valid key and a forged one. */
export interface KeyDeps {
  /** A valid key. */
  readonly good: string;
  /** Well-formed, with the right check digits, but unknown. */
  readonly unknown: string;
}

/** Values of `Authorization` that must be rejected; null means no header. */
export function badCredentials({ good, unknown }: KeyDeps): Readonly<Record<string, string | null>> {
  return {
    nothing: null,
    'an empty header': '',
    'a scheme alone': 'Bearer',
    'a scheme and a blank': 'Bearer ',
    'a key alone': good,
    'another scheme': `Basic ${good}`,
    'a scheme that begins alike': `Bearers ${good}`,
    'no blank': `Bearer${good}`,
    'a tab': `Bearer\t${good}`,
    'a colon': `Bearer: ${good}`,
    quotes: `Bearer "${good}"`,
    'angle brackets': `Bearer <${good}>`,
    'blanks inside the key': `Bearer ${good.slice(0, 10)} ${good.slice(10)}`,
    'two keys': `Bearer ${unknown} ${good}`,
    'two headers': `Bearer ${unknown}, Bearer ${good}`,
    'the good header twice': `Bearer ${good}, Bearer ${good}`,
    'an unknown key': `Bearer ${unknown}`,
    'a letter less': `Bearer ${good.slice(0, -1)}`,
    'a letter more': `Bearer ${good}0`,
    'other check digits': `Bearer ${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
    capitals: `Bearer ${good.toUpperCase()}`,
    'another environment in its name': `Bearer ${good.replace('_test_', '_live_')}`,
    '64 digits': `Bearer ${'0'.repeat(64)}`,
    '64 letters': `Bearer ${'g'.repeat(64)}`,
    'a letter outside ASCII': `Bearer ${good}\u00f1`,
    '512 letters': `Bearer ${'x'.repeat(512)}`,
    '513 letters': `Bearer ${'x'.repeat(513)}`,
    '16 KiB': `Bearer ${'x'.repeat(16_384)}`,
    '16 KiB of blanks': `Bearer ${' '.repeat(16_384)}${unknown}`,
    SQL: "Bearer ' OR 1=1--",
    'a percent sign': 'Bearer %',
    __proto__: 'Bearer __proto__',
  };
}

const MISSING: Expected = { status: 400, code: 'BAD_REQUEST', reason: 'ISSUER_ID_REQUIRED' };
const MALFORMED: Expected = { status: 400, code: 'BAD_REQUEST', reason: 'ISSUER_ID_INVALID' };

/** A value sent in a header. */
export interface SentHeader {
  readonly name: string;
  /** Null leaves the header out. */
  readonly value: string | null;
  /** The expected refusal; null if it is valid. */
  readonly expected: Expected | null;
}

/** Values of `X-Issuer-Id` with their expected refusals; null if a value equals the plain id. */
export function issuerHeaders(id: string): readonly SentHeader[] {
  const malformed: Readonly<Record<string, string>> = {
    'a word': 'me',
    'two ids': `${id}, ${id}`,
    'two ids without a blank': `${id},${id}`,
    braces: `{${id}}`,
    quotes: `"${id}"`,
    'a URN': `urn:uuid:${id}`,
    'no dashes': id.replaceAll('-', ''),
    'a digit less': id.slice(0, -1),
    'a digit more': `${id}0`,
    'a letter that is no digit': `${id.slice(0, -1)}g`,
    SQL: "' OR 1=1--",
    'a star': '*',
    undefined: 'undefined',
    '8 000 letters': 'a'.repeat(8000),
    'letters outside ASCII': '\u00f1'.repeat(36),
  };
  return [
    { name: 'nothing', value: null, expected: MISSING },
    { name: 'an empty header', value: '', expected: MISSING },
    { name: 'blanks', value: '   ', expected: MISSING },
    ...Object.entries(malformed).map(([name, value]) => ({ name, value, expected: MALFORMED })),
    {
      name: 'an issuer that does not exist',
      value: '00000000-0000-7000-8000-000000000000',
      expected: { status: 404, code: 'NOT_FOUND' },
    },
    { name: 'capitals', value: id.toUpperCase(), expected: null },
    { name: 'blanks around it', value: `  ${id} `, expected: null },
  ];
}

/** The same for a header that is a filter. It may be absent, and any id is valid. */
export function issuerFilters(id: string, code: string): readonly SentHeader[] {
  return issuerHeaders(id).map(({ name, value, expected }) => {
    const isFine = expected === null || expected.status === 404 || value === null;
    return { name, value, expected: isFine ? null : { status: 400, code } };
  });
}

const NOT_THE_APPLICATION: Expected = { status: 403, code: 'INTERNAL_SERVICE_ONLY' };

/** Invalid values of `X-Internal-Service-Secret`. */
export function wrongSecrets(good: string): readonly SentHeader[] {
  const values: Readonly<Record<string, string | null>> = {
    nothing: null,
    'an empty header': '',
    'another secret': [...good].reverse().join('').replace(/^./, '#'),
    'a letter less': good.slice(0, -1),
    'a letter more': `${good}x`,
    'other letters': good.toUpperCase(),
    'the secret twice': `${good}, ${good}`,
    'a scheme before it': `Bearer ${good}`,
    quotes: `"${good}"`,
    'a pattern of it': '*',
    'letters outside ASCII': '\u00f1'.repeat(good.length),
    '16 KiB': 'w'.repeat(16_384),
    __proto__: '__proto__',
  };
  return Object.entries(values).map(([name, value]) => ({ name, value, expected: NOT_THE_APPLICATION }));
}

const ABSENT: Expected = { status: 401, code: 'UNAUTHORIZED' };

/** Values of `X-Tenant-Id` that the web application may send in place of a key. */
export function tenantHeaders(id: string): readonly SentHeader[] {
  return issuerHeaders(id).map(({ name, value, expected }) => {
    if (expected === null || expected.status === 404) return { name, value, expected };
    return { name, value, expected: value?.trim() ? invalidField('header:X-Tenant-Id') : ABSENT };
  });
}

const KEY_INVALID: Expected = { status: 400, code: 'BAD_REQUEST', reason: 'IDEMPOTENCY_KEY_INVALID' };

/** Values of `Idempotency-Key`; a valid one has no expected refusal. */
export const IDEMPOTENCY_KEYS: readonly (SentHeader & { readonly value: string })[] = [
  { name: 'an empty header', value: '', expected: KEY_INVALID },
  { name: 'blanks', value: '   ', expected: KEY_INVALID },
  { name: '256 letters', value: 'k'.repeat(256), expected: KEY_INVALID },
  { name: '10 000 letters', value: 'k'.repeat(10_000), expected: KEY_INVALID },
  { name: '255 letters', value: 'k'.repeat(255), expected: null },
  { name: 'a letter', value: 'k', expected: null },
  { name: 'letters outside ASCII', value: 'cl\u00e1v\u00e9', expected: null },
  { name: 'SQL', value: "' OR 1=1--", expected: null },
  { name: 'a percent sign', value: '%', expected: null },
  { name: '__proto__', value: '__proto__', expected: null },
  { name: 'a list', value: 'a, b', expected: null },
];
