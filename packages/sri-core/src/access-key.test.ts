import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildAccessKey, buildPreviewKey, checkDigit, isAccessKey, parseAccessKey } from './access-key.js';
import { AccessKeyError } from './errors.js';

// Keys printed in the Ficha técnica off-line v2.34 and on an authorised document, and one made for the rule 10 → 1.
const KEYS = [
  { name: 'an invoice of the Ficha', key: '0503201201176001321000110010030009900641234567814' },
  { name: 'another invoice of the Ficha', key: '0211202401050306179800120010020000000677300995216' },
  { name: 'a credit note of the Ficha', key: '0603201304176001321000110015010000000461234567817' },
  { name: 'a third invoice of the Ficha', key: '1111202401099338176200110020010000003961234567815' },
  { name: 'a real key, 11 becomes 0', key: '1811202301179001691900120721260002540020711013510' },
  { name: 'made up, 10 becomes 1', key: '1609202604176001321000110010010000000031234567811' },
];

describe('parseAccessKey', () => {
  it.each(KEYS)('parseAccessKey reads $name', ({ key }) => {
    const parts = parseAccessKey(key);
    expect(parts.accessKey).toBe(key);
    expect(buildAccessKey(parts)).toBe(key);
    expect(isAccessKey(key)).toBe(true);
  });

  it('parseAccessKey returns the parts of a key', () => {
    expect(parseAccessKey('0211202401050306179800120010020000000677300995216')).toEqual({
      accessKey: '0211202401050306179800120010020000000677300995216',
      issueDate: '02/11/2024',
      documentType: '01',
      ruc: '0503061798001',
      environment: 'production',
      branchCode: '001',
      issuePointCode: '002',
      sequential: 67,
      numericCode: '73009952',
    });
  });

  it.each([
    { name: 'an erratum of the Ficha (0 printed as 6)', key: '0403201301176815353000110015010000000081234567816' },
    { name: 'an erratum of the Ficha (5 printed as 0)', key: '2111202401176001321000110010010000011171234567810' },
    { name: '48 digits', key: '050320120117600132100011001003000990064123456781' },
    { name: '50 digits', key: '05032012011760013210001100100300099006412345678144' },
    { name: 'a blank before it', key: ' 0503201201176001321000110010030009900641234567814' },
    { name: 'a line break after it', key: '0503201201176001321000110010030009900641234567814\n' },
    { name: 'digits of another script', key: '٠503201201176001321000110010030009900641234567814' },
    { name: 'nothing', key: '' },
  ])('parseAccessKey rejects $name', ({ key }) => {
    expect(() => parseAccessKey(key)).toThrow(AccessKeyError);
    expect(isAccessKey(key)).toBe(false);
  });

  it.each([
    { name: 'a day that does not exist', digits: '310220260117600132100011001001000000001123456781' },
    { name: 'an environment other than 1 and 2', digits: '211120260117600132100013001001000000001123456781' },
  ])('parseAccessKey rejects $name although its check digit is right', ({ digits }) => {
    expect(() => parseAccessKey(digits + checkDigit(digits))).toThrow(AccessKeyError);
  });
});

describe('checkDigit', () => {
  it.each([
    { name: '11 becomes 0', digits: '181120230117900169190012072126000254002071101351', digit: 0 },
    { name: '10 becomes 1', digits: '160920260417600132100011001001000000003123456781', digit: 1 },
    { name: '48 zeros', digits: '0'.repeat(48), digit: 0 },
  ])('checkDigit computes the digit: $name', ({ digits, digit }) => {
    expect(checkDigit(digits)).toBe(digit);
  });

  it('checkDigit detects any single wrong digit, except the one that 10 → 1 and 11 → 0 hide', () => {
    const key = KEYS[0]?.key ?? '';
    for (let index = 0; index < 48; index += 1) {
      const other = (Number(key[index]) + 1) % 10;
      const digits = key.slice(0, index) + other + key.slice(index + 1, 48);
      expect(checkDigit(digits)).not.toBe(Number(key[48]));
    }
  });
});

describe('buildAccessKey', () => {
  const parts = {
    issueDate: '21/11/2026',
    documentType: '01',
    ruc: '1790012345001',
    environment: 'sandbox',
    branchCode: '001',
    issuePointCode: '002',
    sequential: 123,
    numericCode: '00000042',
  } as const;

  it.each([
    { name: 'a day that does not exist', change: { issueDate: '31/11/2026' }, problem: /issue date/ },
    { name: 'an ISO date', change: { issueDate: '2026-11-21' }, problem: /issue date/ },
    { name: 'a type of one digit', change: { documentType: '1' }, problem: /document type .* 2 digits/ },
    { name: 'a RUC of 12 digits', change: { ruc: '179001234500' }, problem: /RUC .* 13 digits/ },
    { name: 'a RUC that ends in a letter', change: { ruc: '179001234500A' }, problem: /RUC .* 13 digits/ },
    { name: 'a RUC that begins with a letter', change: { ruc: 'A790012345001' }, problem: /RUC .* 13 digits/ },
    { name: 'a branch of two digits', change: { branchCode: '01' }, problem: /branch code .* 3 digits/ },
    { name: 'an issue point with a blank', change: { issuePointCode: '00 ' }, problem: /issue point code .* 3 digits/ },
    { name: 'no numeric code', change: { numericCode: undefined as never }, problem: /numeric code .* 8 digits/ },
    {
      name: 'a numeric code of nine digits',
      change: { numericCode: '123456789' },
      problem: /numeric code .* 8 digits/,
    },
    { name: 'number 0', change: { sequential: 0 }, problem: /sequential/ },
    { name: 'a number of ten digits', change: { sequential: 1_000_000_000 }, problem: /sequential/ },
    { name: 'half a number', change: { sequential: 1.5 }, problem: /sequential/ },
    { name: 'no number', change: { sequential: Number.NaN }, problem: /sequential/ },
  ])('buildAccessKey rejects $name, and names the part', ({ change, problem }) => {
    const build = () => buildAccessKey({ ...parts, ...change });
    expect(build).toThrow(AccessKeyError);
    expect(build).toThrow(problem);
  });

  it.each([1, 999_999_999])('buildAccessKey accepts the first number and the last: %d', (sequential) => {
    expect(parseAccessKey(buildAccessKey({ ...parts, sequential })).sequential).toBe(sequential);
  });

  it('buildAccessKey builds the key of number 0 for a preview, which no document has', () => {
    const key = buildPreviewKey(parts);
    expect(parseAccessKey(key)).toEqual({ ...parts, sequential: 0, numericCode: '00000000', accessKey: key });
  });

  it('buildAccessKey builds keys that parse back to their parts', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
    fc.assert(
      fc.property(
        fc.record({
          issueDate: fc.constantFrom('01/01/2020', '29/02/2024', '31/12/2099'),
          documentType: digits(2),
          ruc: digits(13),
          environment: fc.constantFrom('sandbox' as const, 'production' as const),
          branchCode: digits(3),
          issuePointCode: digits(3),
          sequential: fc.integer({ min: 1, max: 999_999_999 }),
          numericCode: digits(8),
        }),
        (some) => {
          const accessKey = buildAccessKey(some);
          expect(parseAccessKey(accessKey)).toEqual({ ...some, accessKey });
        },
      ),
    );
  });
});
