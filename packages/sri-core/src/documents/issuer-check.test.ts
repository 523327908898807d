import { describe, expect, it } from 'vitest';
import { ValidationError } from '../errors.js';
import { failuresIn, failuresOf } from '../testing/judged-bodies.js';
import { SAMPLE_INVOICE, SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import { validateIssuer } from './issuer-check.js';

describe('validateIssuer', () => {
  it('returns the issuer as documents show it', () => {
    expect(
      validateIssuer({
        ruc: '1790012345001',
        businessName: ' Café\r\nAndino ',
        tradeName: '',
        branchCode: '001',
        issuePointCode: '002',
        requiredAccounting: false,
        withholdingAgent: '00000012',
        unknown: 'ignored',
      }),
    ).toEqual({
      ruc: '1790012345001',
      businessName: 'Café Andino',
      tradeName: null,
      mainAddress: null,
      branchCode: '001',
      issuePointCode: '002',
      branchAddress: null,
      requiredAccounting: false,
      specialTaxpayer: null,
      withholdingAgent: '12',
      rimpe: null,
    });
  });

  it.each([
    { change: { ruc: '179001234500' }, failure: 'issuer.ruc pattern' },
    { change: { ruc: undefined }, failure: 'issuer.ruc required' },
    { change: { businessName: '\n' }, failure: 'issuer.businessName minLength' },
    { change: { businessName: 'x'.repeat(301) }, failure: 'issuer.businessName maxLength' },
    { change: { businessName: 'a\0' }, failure: 'issuer.businessName text' },
    { change: { tradeName: 7 }, failure: 'issuer.tradeName type' },
    { change: { branchCode: '1' }, failure: 'issuer.branchCode pattern' },
    { change: { issuePointCode: '0001' }, failure: 'issuer.issuePointCode pattern' },
    { change: { requiredAccounting: 'SI' }, failure: 'issuer.requiredAccounting type' },
    { change: { specialTaxpayer: '12' }, failure: 'issuer.specialTaxpayer pattern' },
    { change: { specialTaxpayer: 'NAC-1' }, failure: 'issuer.specialTaxpayer pattern' },
    { change: { withholdingAgent: '123456789' }, failure: 'issuer.withholdingAgent pattern' },
    { change: { withholdingAgent: '0' }, failure: 'issuer.withholdingAgent pattern' },
    { change: { rimpe: 'SI' }, failure: 'issuer.rimpe oneOf' },
  ])('rejects an issuer with $failure', ({ change, failure }) => {
    const issuer = { ...SAMPLE_ISSUER, ...change };
    expect(failuresIn(() => validateIssuer(issuer))).toEqual([failure]);
    // Preparing a document reports the same failure, next to those of the document.
    const body = { ...SAMPLE_INVOICE, guiaRemision: 'x' };
    expect(failuresOf(body, { issuer: issuer as typeof SAMPLE_ISSUER })).toEqual([failure, 'guiaRemision pattern']);
  });

  it('rejects values that are not an issuer', () => {
    for (const nothing of [null, undefined, [], 'x', 7]) expect(() => validateIssuer(nothing)).toThrow(ValidationError);
  });

  it('reports failures in the requested language', () => {
    expect(() => validateIssuer({ ...SAMPLE_ISSUER, ruc: undefined }, 'en')).toThrow('This field is required.');
    expect(() => validateIssuer({ ...SAMPLE_ISSUER, ruc: undefined })).toThrow('Es obligatorio.');
  });
});
