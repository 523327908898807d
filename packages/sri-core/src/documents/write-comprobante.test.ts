import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AccessKeyError, ValidationError } from '../errors.js';
import { hasSchemas, schemaComplaints } from '../testing/official-schemas.js';
import { hasTool, xmllintCanonical } from '../testing/xml-tools.js';
import { XML_DECLARATION } from '../xml/writer.js';
import { prepareDocument } from './prepare.js';
import { writeComprobante } from './write-comprobante.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures/documents/', import.meta.url));

function writeFixture(name: string) {
  const { issuer, numbering, body, today, softwareProviderRuc } = JSON.parse(
    readFileSync(`${FIXTURES}${name}.json`, 'utf8'),
  );
  const document = prepareDocument(body, { issuer, today, softwareProviderRuc, strict: true });
  return { ...writeComprobante(document, issuer, numbering), document };
}

// Refreshed by `npm test -- -u`; a person reads the difference.
describe.each([
  { name: 'invoice-simple', schema: 'factura_V1.1.0.xsd' },
  { name: 'invoice-full', schema: 'factura_V1.1.0.xsd' },
  { name: 'credit-note-full', schema: 'NotaCredito_V1.1.0.xsd' },
] as const)('$name', ({ name, schema }) => {
  const { xml, document } = writeFixture(name);

  it('is written as in the file, and passes strict checking', async () => {
    expect(document.warnings).toEqual([]);
    await expect(xml).toMatchFileSnapshot(`${FIXTURES}${name}.xml`);
  });

  it.skipIf(!hasSchemas())('is valid by the official schema', () => {
    expect(schemaComplaints(schema, [xml])).toBe('');
  });

  it.skipIf(!hasTool('xmllint'))('is its own canonical form', () => {
    expect(XML_DECLARATION + xmllintCanonical(xml)).toBe(xml);
  });
});

describe('dirEstablecimiento', () => {
  const branchAddress = 'Calle Loja 5-20';
  const mainAddress = 'Av. Quito 12-34';
  it.each([
    { name: "the branch's", given: { branchAddress, mainAddress }, written: branchAddress },
    { name: 'the main one, for a branch without address', given: { mainAddress }, written: mainAddress },
    {
      name: 'the main one, for a branch with a blank address',
      given: { branchAddress: ' ', mainAddress },
      written: mainAddress,
    },
    { name: '«S/D» without any address', given: {}, written: 'S/D' },
  ])('is $name', ({ given, written }) => {
    const bare = { ruc: '1790012345001', businessName: 'Café', branchCode: '001', issuePointCode: '001' };
    for (const fixture of ['invoice-simple', 'credit-note-full']) {
      const { document } = writeFixture(fixture);
      const numbering = { environment: 'sandbox', sequential: 1, numericCode: '12345678' } as const;
      const { xml } = writeComprobante(document, { ...bare, requiredAccounting: false, ...given }, numbering);
      expect(xml).toContain(`<dirEstablecimiento>${written}</dirEstablecimiento>`);
    }
  });
});

describe('a rejected write', () => {
  const { document } = writeFixture('invoice-simple');
  const issuer = {
    ruc: '1790012345001',
    businessName: 'Café',
    branchCode: '001',
    issuePointCode: '001',
    requiredAccounting: false,
  };
  const numbering = { environment: 'sandbox', sequential: 1, numericCode: '12345678' } as const;

  it('has an issuer with a wrong code', () => {
    expect(() => writeComprobante(document, { ...issuer, branchCode: '1' }, numbering)).toThrow(ValidationError);
  });

  it.each([{ sequential: 0 }, { sequential: 1_000_000_000 }, { numericCode: '1234567' }])(
    'rejects a number as %j',
    (wrong) => {
      expect(() => writeComprobante(document, issuer, { ...numbering, ...wrong })).toThrow(AccessKeyError);
    },
  );
});
