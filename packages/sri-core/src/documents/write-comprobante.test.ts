import { describe, expect, it } from 'vitest';
import { AccessKeyError, ValidationError } from '../errors.js';
import { CONTEXT, NUMBERING } from '../testing/judged-bodies.js';
import { SAMPLE_CREDIT_NOTE, SAMPLE_INVOICE, SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import { prepareDocument } from './prepare.js';
import { writeComprobante } from './write-comprobante.js';

const prepared = (body: object) => prepareDocument(body, CONTEXT);

/** An issuer without the optional fields. */
const BARE = {
  ruc: '1790012345001',
  businessName: 'Café',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};

describe('dirEstablecimiento', () => {
  const branchAddress = 'Calle Loja 5-20';
  const mainAddress = 'Av. Quito 12-34';
  it.each([
    { name: "the branch's", given: { branchAddress, mainAddress }, written: branchAddress },
    { name: "the branch's, which is also the main address", given: { branchAddress }, written: branchAddress },
    { name: 'the main address, for a branch without address', given: { mainAddress }, written: mainAddress },
    {
      name: 'the main address, for a branch with a blank address',
      given: { branchAddress: ' ', mainAddress },
      written: mainAddress,
    },
    { name: '«S/D» without any address', given: {}, written: 'S/D' },
  ])('writes dirEstablecimiento: $name', ({ given, written }) => {
    for (const document of [SAMPLE_INVOICE, SAMPLE_CREDIT_NOTE].map(prepared)) {
      const { xml } = writeComprobante(document, { ...BARE, ...given }, NUMBERING);
      expect(xml).toContain(`<dirEstablecimiento>${written}</dirEstablecimiento>`);
      expect(xml).toContain(`<dirMatriz>${'mainAddress' in given ? mainAddress : written}</dirMatriz>`);
    }
  });
});

describe('contribuyenteRimpe', () => {
  it.each([
    { rimpe: 'GENERAL', written: 'CONTRIBUYENTE RÉGIMEN RIMPE' },
    { rimpe: 'POPULAR', written: 'CONTRIBUYENTE NEGOCIO POPULAR - RÉGIMEN RIMPE' },
  ] as const)('writes contribuyenteRimpe as the legend of $rimpe', ({ rimpe, written }) => {
    const { xml } = writeComprobante(prepared(SAMPLE_INVOICE), { ...SAMPLE_ISSUER, rimpe }, NUMBERING);
    expect(xml).toContain(`<contribuyenteRimpe>${written}</contribuyenteRimpe>`);
  });
});

describe('a rejected write', () => {
  const document = prepared(SAMPLE_INVOICE);

  it('rejects an issuer with a wrong code', () => {
    expect(() => writeComprobante(document, { ...BARE, branchCode: '1' }, NUMBERING)).toThrow(ValidationError);
  });

  it.each([{ sequential: 0 }, { sequential: 1_000_000_000 }, { numericCode: '1234567' }])(
    'rejects a number as %j',
    (wrong) => {
      expect(() => writeComprobante(document, BARE, { ...NUMBERING, ...wrong })).toThrow(AccessKeyError);
    },
  );
});
