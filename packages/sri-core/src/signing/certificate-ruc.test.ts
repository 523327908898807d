import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  der,
  derBmp,
  derContext,
  derIa5,
  derNull,
  derOctets,
  derOid,
  derPrintable,
  derSequence,
  derUtf8,
} from '../testing/der-writer.js';
import {
  createTestCertificate,
  type TestExtension,
  type TestRdn,
  testExtensions,
  writeTestName,
} from '../testing/test-certificate.js';
import { AUTHORITIES, DIGERCIC_RUC_OID, readRuc } from './certificate-ruc.js';

const RUC = '1790012345001';
const CEDULA = '1712345675';
const BCE = '1.3.6.1.4.1.37947.3';
const UANATACA = '1.3.6.1.4.1.47286.102.3';
const JUDICATURA = '1.3.6.1.4.1.43745.1.3';
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function rucOf(extensions: readonly TestExtension[], subject: readonly TestRdn[] = []): string | null {
  const certificate = createTestCertificate({
    subject,
    extensions,
    publicKey: keys.publicKey,
    issuer: { name: [{ type: '2.5.4.5', text: '1799999990001' }], privateKey: keys.privateKey },
    validFrom: new Date('2026-01-01T00:00:00Z'),
    validTo: new Date('2028-01-01T00:00:00Z'),
  });
  return readRuc(new X509Certificate(certificate));
}

describe('the RUC of a certificate', () => {
  it.each(AUTHORITIES)('is read from an extension of $name', ({ arc }) => {
    expect(rucOf([{ oid: `${arc}.11`, content: derUtf8(RUC) }])).toBe(RUC);
  });

  it.each(AUTHORITIES)('is read from an otherName of $name', ({ arc }) => {
    expect(rucOf([testExtensions.otherNames([{ oid: `${arc}.11`, value: derUtf8(RUC) }])])).toBe(RUC);
  });

  it.each([
    { name: 'UTF8String', content: derUtf8(RUC) },
    { name: 'PrintableString', content: derPrintable(RUC) },
    { name: 'IA5String', content: derIa5(RUC) },
    { name: 'NumericString', content: der(0x12, Buffer.from(RUC)) },
    { name: 'BMPString', content: derBmp(RUC) },
    { name: 'bare text', content: Buffer.from(RUC) },
    { name: 'a string inside an OCTET STRING', content: derOctets(derPrintable(RUC)) },
    { name: 'text inside an OCTET STRING', content: derOctets(Buffer.from(RUC)) },
    { name: 'text with blanks around it', content: derUtf8(` ${RUC} `) },
  ])('is read as $name', ({ content }) => {
    expect(rucOf([{ oid: `${BCE}.11`, content }])).toBe(RUC);
    expect(rucOf([testExtensions.otherNames([{ oid: `${JUDICATURA}.11`, value: content }])])).toBe(RUC);
  });

  it('is read from a directoryName among the alternative names', () => {
    const directoryName = derContext(4, writeTestName([{ type: '1.3.6.1.4.1.18332.3.11', text: RUC }]));
    expect(rucOf([{ oid: '2.5.29.17', content: derSequence(directoryName) }])).toBe(RUC);
  });

  it('is read from a certificate of DIGERCIC', () => {
    expect(rucOf([{ oid: DIGERCIC_RUC_OID, content: derUtf8(RUC) }])).toBe(RUC);
  });

  it('is read from an authority of tomorrow that follows Decreto 181', () => {
    expect(rucOf([{ oid: '1.3.6.1.4.1.70001.3.11', content: derUtf8(RUC) }])).toBe(RUC);
    expect(rucOf([{ oid: '1.3.6.1.4.1.70001.5.11', content: derUtf8(RUC) }])).toBeNull();
  });

  it('is read from the subject in the form of ETSI', () => {
    expect(rucOf([], [{ type: '2.5.4.97', text: `VATEC-${RUC}` }])).toBe(RUC);
    expect(rucOf([], [{ type: '2.5.4.5', text: `IDCEC-${CEDULA}` }])).toBe(`${CEDULA}001`);
  });

  it('is not taken from the subject’s serial number otherwise, which is the authority’s own', () => {
    expect(rucOf([], [{ type: '2.5.4.5', text: RUC }])).toBeNull();
    expect(rucOf([], [{ type: '2.5.4.97', text: `VATES-${RUC}` }])).toBeNull();
  });

  it.each([
    { name: 'the authority leaves the RUC out', others: [] },
    { name: 'there is no text in its place', others: [{ oid: `${UANATACA}.11`, content: derNull() }] },
    { name: 'its place is blank', others: [{ oid: `${UANATACA}.11`, content: derUtf8(' ') }] },
    { name: 'the company is blank', others: [{ oid: `${UANATACA}.10`, content: derUtf8('') }] },
  ])('is a natural person’s cédula and 001 when $name', ({ others }) => {
    expect(rucOf([{ oid: `${UANATACA}.1`, content: derUtf8(CEDULA) }, ...others])).toBe(`${CEDULA}001`);
  });

  it('is the company’s, not its representative’s', () => {
    const person = { oid: `${BCE}.1`, content: derUtf8(CEDULA) };
    const company = { oid: `${BCE}.10`, content: derUtf8('ACME S.A.') };
    expect(rucOf([person, company, { oid: `${BCE}.11`, content: derUtf8(RUC) }])).toBe(RUC);
    expect(rucOf([person, company])).toBeNull();
  });

  it.each([
    { name: 'a passport', text: 'A12345678' },
    { name: 'a passport of ten digits', text: '9912345678' },
    { name: 'too short', text: '171234567' },
  ])('is not made from $name', ({ text }) => {
    expect(rucOf([{ oid: `${BCE}.1`, content: derUtf8(text) }])).toBeNull();
  });

  it.each(['179001234500', '17900123450011', '1790012345002', 'RUC', '', '１７９００１２３４５００１'])(
    'is not «%s»',
    (text) => {
      expect(rucOf([{ oid: `${BCE}.11`, content: derUtf8(text) }])).toBeNull();
    },
  );

  it('is null where there is nothing, or nothing to read', () => {
    expect(rucOf([])).toBeNull();
    expect(rucOf([{ oid: `${BCE}.11`, content: Buffer.of(0x0c, 0x05, 0xff) }])).toBeNull();
    expect(rucOf([{ oid: '2.5.29.17', content: derSequence(derContext(0, derOid(`${BCE}.11`))) }])).toBeNull();
    expect(rucOf([{ oid: '2.5.29.17', content: Buffer.from('nothing') }])).toBeNull();
  });
});

it('is not looked for in alternative names of other kinds', () => {
  const names = derSequence(der(0x82, Buffer.from(RUC)), der(0x81, Buffer.from(`${RUC}@x.ec`)));
  expect(rucOf([{ oid: '2.5.29.17', content: names }])).toBeNull();
});
