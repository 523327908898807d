import { expect, it } from 'vitest';
import { findExcess, MAX_DEPTH, MAX_FIELD_NAMES, MAX_VALUES } from './json-excess.js';

const excessOf = (text: string) => findExcess(Buffer.from(text))?.rule ?? null;
const object = (names: readonly string[]) => `{${names.map((name) => `${JSON.stringify(name)}:1`).join()}}`;
const many = (count: number, prefix = 'k') => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

it('accepts the largest document: a thousand lines with ten taxes and three details each', () => {
  const tax = { code: '2', rateCode: '4', rate: '15', taxableBase: '1', taxAmount: '0.15' };
  const item = {
    mainCode: 'A',
    auxiliaryCode: 'B',
    description: 'C "quoted", {with: [signs]}',
    unitOfMeasure: 'u',
    quantity: '1',
    unitPrice: '1',
    discount: '0',
    additionalDetails: Array(3).fill({ name: 'a', value: 'b' }),
    taxes: Array(10).fill(tax),
  };
  expect(excessOf(JSON.stringify({ documentType: '01', items: Array(1000).fill(item) }))).toBeNull();
});

it('counts the values of lists and objects', () => {
  expect(excessOf(`[${'1,'.repeat(MAX_VALUES - 1)}1]`)).toBeNull();
  expect(excessOf(`[${'1,'.repeat(MAX_VALUES)}1]`)).toBe('maxValues');
  expect(excessOf(`[${'[],'.repeat(MAX_VALUES / 2)}1]`)).toBe('maxValues');
  expect(excessOf(`[${'{"a":1},'.repeat(MAX_VALUES / 2)}1]`)).toBe('maxValues');
});

/** More names than allowed, with a reserve: two of the names have the same hash once in five hundred runs. */
const TOO_MANY = MAX_FIELD_NAMES + 5;

it('counts the field names of one object', () => {
  expect(excessOf(object(many(MAX_FIELD_NAMES)))).toBeNull();
  expect(excessOf(object(many(TOO_MANY)))).toBe('maxFieldNames');
});

it('counts the field names of many objects, and counts another order of names as different', () => {
  const all = many(TOO_MANY);
  expect(excessOf(`[${all.map((name) => object([name])).join()}]`)).toBe('maxFieldNames');
  const pairs = many(70).flatMap((first) => many(70).map((second) => object([first, `${second}x`])));
  expect(excessOf(`[${pairs.join()}]`)).toBe('maxFieldNames');
  expect(
    excessOf(
      `[${Array(9000)
        .fill(object(many(8)))
        .join()}]`,
    ),
  ).toBeNull();
});

it('counts the names after a nested object together with the names before it', () => {
  const nested = many(50).map((name) => `{"a":${object([name])},"${name}":1}`);
  expect(excessOf(`[${nested.join()}]`)).toBeNull();
  const deep = many(2500).map((name) => `{"a":${object([name])},"${name}":1}`);
  expect(excessOf(`[${deep.join()}]`)).toBe('maxFieldNames');
});

it('counts levels', () => {
  expect(excessOf('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH))).toBeNull();
  expect(excessOf('['.repeat(MAX_DEPTH + 1))).toBe('depth');
  expect(excessOf('{"a":'.repeat(MAX_DEPTH + 1))).toBe('depth');
  expect(excessOf('[]'.repeat(1000))).toBeNull();
});

it('counts nothing within a text', () => {
  const signs = '{[,:'.repeat(MAX_VALUES);
  expect(excessOf(JSON.stringify(signs))).toBeNull();
  expect(excessOf(JSON.stringify(`"${signs}\\`))).toBeNull();
  expect(excessOf(`"${'\\"'.repeat(10)}${signs}"`)).toBeNull();
  expect(excessOf(`"\\\\"${'['.repeat(MAX_DEPTH + 1)}`)).toBe('depth');
});

it('reads invalid JSON to its end', () => {
  for (const text of ['', '"', '"\\', ']]]]', ':::', '}'.repeat(1000), '{"a"', '\u0000'])
    expect(excessOf(text)).toBeNull();
});
