import { describe, expect, it } from 'vitest';
import { isInForce } from './catalog.js';
import { countries } from './countries.js';
import { documentTypes } from './document-types.js';
import { idTypes } from './id-types.js';
import { paymentMethods } from './payment-methods.js';
import { supportCodes } from './support-codes.js';
import { supportDocumentTypes } from './support-document-types.js';
import { findTaxRate, isTaxRate, taxRates } from './tax-rates.js';
import { taxTypes } from './tax-types.js';
import { termUnits } from './term-units.js';
import { findWithholdingCodes, withholdingCodes } from './withholding-codes.js';
import { withholdingTaxes } from './withholding-taxes.js';

describe('catalogs', () => {
  it.each([
    { name: 'document-types', rows: documentTypes, codes: ['01', '03', '04', '05', '06', '07'] },
    { name: 'id-types', rows: idTypes, codes: ['04', '05', '06', '07', '08'] },
    { name: 'payment-methods', rows: paymentMethods, codes: ['01', '15', '16', '17', '18', '19', '20', '21'] },
    { name: 'term-units', rows: termUnits, codes: ['dias', 'semanas', 'meses', 'anios'] },
    { name: 'tax-types', rows: taxTypes, codes: ['2', '3', '5'] },
    { name: 'withholding-taxes', rows: withholdingTaxes, codes: ['1', '2', '6'] },
  ])(
    'the catalog of $name holds the codes of its table, each named in both languages, with its source',
    ({ rows, codes }) => {
      expect(rows.map((row) => row.code)).toEqual(codes);
      for (const row of rows) {
        expect(row.description.es.length).toBeGreaterThan(1);
        expect(row.description.en.length).toBeGreaterThan(1);
        expect(row.source).toMatch(/^Ficha técnica off-line v2\.34/);
      }
    },
  );

  it('the catalog of tax rates lists each rate once', () => {
    const codes = taxRates.map((row) => `${row.taxCode}:${row.rateCode}`);
    expect(new Set(codes).size).toBe(codes.length);
    for (const row of taxRates) expect(row.description.es && row.description.en && row.source).toBeTruthy();
  });
});

describe('countries', () => {
  it('the catalog of countries names each once in both languages, in the order of the three-digit codes', () => {
    const codes = countries.map((row) => row.code);
    expect(codes).toEqual([...new Set(codes)].sort());
    for (const code of codes) expect(code).toMatch(/^\d{3}$/);
    for (const language of ['es', 'en'] as const) {
      expect(new Set(countries.map((row) => row.description[language])).size).toBe(countries.length);
    }
  });

  it.each([
    { code: '110', en: 'United States' },
    { code: '105', en: 'Colombia' },
    { code: '331', en: 'China' },
    { code: '593', en: 'Ecuador' },
    { code: '016', en: 'American Samoa' },
  ])('the country $code is $en', ({ code, en }) => {
    expect(countries.find((row) => row.code === code)?.description.en).toBe(en);
  });
});

describe('IVA', () => {
  it.each([
    { rateCode: '2', rate: '12', day: '2024-03-31', inForce: true },
    { rateCode: '2', rate: '12', day: '2024-04-01', inForce: false },
    { rateCode: '4', rate: '15', day: '2024-03-31', inForce: false },
    { rateCode: '4', rate: '15', day: '2026-11-21', inForce: true },
    { rateCode: '5', rate: '5', day: '2024-04-01', inForce: true },
    { rateCode: '3', rate: '14', day: '2016-06-01', inForce: true },
    { rateCode: '3', rate: '14', day: '2017-06-01', inForce: false },
    { rateCode: '0', rate: '0', day: '2026-11-21', inForce: true },
    { rateCode: '6', rate: '0', day: '2026-11-21', inForce: true },
    { rateCode: '7', rate: '0', day: '2026-11-21', inForce: true },
    { rateCode: '8', rate: '8', day: '2026-02-15', inForce: true },
    { rateCode: '10', rate: '13', day: '2026-11-21', inForce: true },
  ])('the IVA code $rateCode is $rate % and on $day in force: $inForce', ({ rateCode, rate, day, inForce }) => {
    const row = findTaxRate('2', rateCode);
    expect(row?.rate).toBe(rate);
    expect(row && isInForce(row, day)).toBe(inForce);
  });
});

describe('the rate codes of a tax', () => {
  it.each([
    { taxCode: '2', rateCode: '4', expected: true },
    { taxCode: '2', rateCode: '1', expected: false },
    { taxCode: '2', rateCode: '3011', expected: false },
    { taxCode: '3', rateCode: '3011', expected: true },
    { taxCode: '3', rateCode: '3999', expected: true },
    { taxCode: '3', rateCode: '4', expected: false },
    { taxCode: '3', rateCode: '30110', expected: false },
    { taxCode: '3', rateCode: '13011', expected: false },
    { taxCode: '5', rateCode: '5001', expected: true },
    { taxCode: '5', rateCode: '5002', expected: false },
    { taxCode: '9', rateCode: '4', expected: false },
  ])('the catalog has the rate code $rateCode with tax $taxCode: $expected', ({ taxCode, rateCode, expected }) => {
    expect(isTaxRate(taxCode, rateCode)).toBe(expected);
  });
});

describe('withholding codes', () => {
  it.each([
    { tax: '1', code: '312', day: '2026-02-28', rates: ['1.75'] },
    { tax: '1', code: '312', day: '2026-03-01', rates: ['2'] },
    { tax: '1', code: '303A', day: '2026-02-28', rates: ['3'] },
    { tax: '1', code: '303A', day: '2026-11-21', rates: ['5'] },
    { tax: '1', code: '310', day: '2026-07-31', rates: ['1'] },
    { tax: '1', code: '310', day: '2026-08-01', rates: ['1', '0'] },
    { tax: '1', code: '332', day: '2026-11-21', rates: ['0'] },
    { tax: '1', code: '346', day: '2026-11-21', rates: [null] },
    { tax: '1', code: '344', day: '2026-02-28', rates: [null] },
    { tax: '1', code: '344', day: '2026-03-01', rates: [] },
    { tax: '1', code: '501', day: '2026-11-21', rates: [null] },
    { tax: '1', code: '1', day: '2026-11-21', rates: [] },
    { tax: '2', code: '1', day: '2026-11-21', rates: ['30'] },
    { tax: '2', code: '725', day: '2026-11-21', rates: [] },
    { tax: '6', code: '4580', day: '2021-12-31', rates: ['5'] },
    { tax: '6', code: '4580', day: '2022-03-31', rates: ['4.75'] },
    { tax: '6', code: '4580', day: '2022-12-31', rates: ['4.00'] },
    { tax: '6', code: '4580', day: '2024-03-31', rates: ['3.50'] },
    { tax: '6', code: '4580', day: '2024-04-01', rates: ['5'] },
    { tax: '6', code: '4586', day: '2025-04-30', rates: [] },
    { tax: '6', code: '4586', day: '2025-05-01', rates: ['2.5'] },
  ])('the withholding code $code of tax $tax is on $day at $rates', ({ tax, code, day, rates }) => {
    expect(findWithholdingCodes(tax, code, day).map((row) => row.rate)).toEqual(rates);
  });

  it('findWithholdingCodes rejects a day in another form than the catalog’s', () => {
    expect(() => findWithholdingCodes('1', '312', '01/03/2026')).toThrow(
      'date has to be a day in the form YYYY-MM-DD.',
    );
  });

  it('a withholding code has at most five characters, a source, two names, and each percentage and time once', () => {
    const rows = withholdingCodes.map(({ tax, code, rate, validFrom }) => [tax, code, rate, validFrom].join(' '));
    expect(new Set(rows).size).toBe(rows.length);
    for (const { code, description, rate, source } of withholdingCodes) {
      expect(code).toMatch(/^[0-9A-Z]{1,5}$/);
      expect(description.es && description.en && source).toBeTruthy();
      if (rate !== null) expect(rate).toMatch(/^\d{1,3}(\.\d{1,2})?$/);
    }
  });

  it('a withholding code of income tax has one percentage a day, except the two of transport', () => {
    const several = withholdingCodes.filter(
      ({ tax, code }) => findWithholdingCodes(tax, code, '2026-11-21').length > 1,
    );
    expect([...new Set(several.map(({ code }) => code))]).toEqual(['310', '332E']);
  });
});

describe('support codes', () => {
  it('the support codes are 01 to 15, each with documents of the table', () => {
    expect(supportCodes.map(({ code }) => Number(code))).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
    const types: readonly string[] = supportDocumentTypes.map(({ code }) => code);
    for (const { documentTypes, description } of supportCodes) {
      expect(documentTypes.length).toBeGreaterThan(0);
      for (const type of documentTypes) expect(types).toContain(type);
      expect(description.en).not.toBe(description.es);
    }
  });
});
