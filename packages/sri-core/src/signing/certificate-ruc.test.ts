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
import { DIGERCIC_RUC_OID, readRuc } from './certificate-ruc.js';

/** Where the accredited authorities write their clients' data, by OID, as of November 2026. */
const AUTHORITIES = [
  { name: 'Banco Central del Ecuador', arc: '1.3.6.1.4.1.37947.3' },
  { name: 'Security Data', arc: '1.3.6.1.4.1.37746.3' },
  { name: 'Uanataca', arc: '1.3.6.1.4.1.47286.102.3' },
  { name: 'ANF', arc: '1.3.6.1.4.1.37442.3' },
  { name: 'ANF (older)', arc: '1.3.6.1.4.1.18332.3' },
  { name: 'Consejo de la Judicatura', arc: '1.3.6.1.4.1.43745.1.3' },
  { name: 'Eclipsoft', arc: '1.3.6.1.4.1.57153.102.3' },
  { name: 'Datil', arc: '1.3.6.1.4.1.52643.3' },
  { name: 'CorpNewBest', arc: '1.3.6.1.4.1.34380.3' },
  { name: 'Lazzate', arc: '1.3.6.1.4.1.59382.3' },
  { name: 'Argos Data', arc: '1.3.6.1.4.1.59198.3' },
  { name: 'FirmaSegura', arc: '1.3.6.1.4.1.61305.3' },
];

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
  it.each(AUTHORITIES)('reads the RUC from an extension of $name', ({ arc }) => {
    expect(rucOf([{ oid: `${arc}.11`, content: derUtf8(RUC) }])).toBe(RUC);
  });

  it.each(AUTHORITIES)('reads the RUC from an otherName of $name', ({ arc }) => {
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
  ])('reads the RUC as $name', ({ content }) => {
    expect(rucOf([{ oid: `${BCE}.11`, content }])).toBe(RUC);
    expect(rucOf([testExtensions.otherNames([{ oid: `${JUDICATURA}.11`, value: content }])])).toBe(RUC);
  });

  it('reads the RUC from a directoryName among the alternative names', () => {
    const directoryName = derContext(4, writeTestName([{ type: '1.3.6.1.4.1.18332.3.11', text: RUC }]));
    expect(rucOf([{ oid: '2.5.29.17', content: derSequence(directoryName) }])).toBe(RUC);
  });

  it('reads the RUC from a certificate of DIGERCIC', () => {
    expect(rucOf([{ oid: DIGERCIC_RUC_OID, content: derUtf8(RUC) }])).toBe(RUC);
  });

  it('reads the RUC from an unknown authority that follows Decreto 181', () => {
    expect(rucOf([{ oid: '1.3.6.1.4.1.70001.3.11', content: derUtf8(RUC) }])).toBe(RUC);
    expect(rucOf([{ oid: '1.3.6.1.4.1.70001.5.11', content: derUtf8(RUC) }])).toBeNull();
  });

  it.each([`${BCE}.12`, `${BCE}.111`, `${BCE}.11.1`, `${BCE}.1.11`, '1.3.6.1.4.1.3.11', '2.1.3.6.1.4.1.37947.3.11'])(
    'reads no RUC from %s, an unknown place',
    (oid) => {
      expect(rucOf([{ oid, content: derUtf8(RUC) }])).toBeNull();
    },
  );

  it('prefers the authority’s own entry, then DIGERCIC’s, then ETSI’s, in any order', () => {
    const own = { oid: `${BCE}.11`, content: derUtf8('1790000001001') };
    const digercic = { oid: DIGERCIC_RUC_OID, content: derUtf8('1790000002001') };
    const etsi = [{ type: '2.5.4.97', text: 'VATEC-1790000003001' }];
    const person = { oid: `${BCE}.1`, content: derUtf8(CEDULA) };
    expect(rucOf([person, digercic, own], etsi)).toBe('1790000001001');
    expect(rucOf([person, digercic], etsi)).toBe('1790000002001');
    expect(rucOf([person], etsi)).toBe('1790000003001');
    const named = [{ type: '2.5.4.5', text: 'IDCEC-1712345600' }];
    expect(rucOf([person], named)).toBe(`${CEDULA}001`);
  });

  it('takes the first readable RUC of several', () => {
    const [blank, ruc] = [derUtf8(' '), derUtf8(RUC)].map((value) => ({ oid: `${BCE}.11`, value }));
    if (blank && ruc) expect(rucOf([testExtensions.otherNames([blank, ruc])])).toBe(RUC);
  });

  it('reads the RUC from the subject in ETSI form', () => {
    expect(rucOf([], [{ type: '2.5.4.97', text: `VATEC-${RUC}` }])).toBe(RUC);
    expect(rucOf([], [{ type: '2.5.4.5', text: `IDCEC-${CEDULA}` }])).toBe(`${CEDULA}001`);
  });

  it('ignores another serial number of the subject, which is the authority’s', () => {
    expect(rucOf([], [{ type: '2.5.4.5', text: RUC }])).toBeNull();
    expect(rucOf([], [{ type: '2.5.4.97', text: `VATES-${RUC}` }])).toBeNull();
    expect(rucOf([], [{ type: '2.5.4.3', text: `VATEC-${RUC}` }])).toBeNull();
    expect(rucOf([], [{ type: '2.5.4.3', text: `IDCEC-${CEDULA}` }])).toBeNull();
    expect(rucOf([], [{ type: '2.5.4.97', text: `NOVATEC-${RUC}` }])).toBeNull();
    expect(rucOf([], [{ type: '2.5.4.5', text: `NOIDCEC-${CEDULA}` }])).toBeNull();
  });

  it.each([
    { name: 'the authority leaves the RUC out', others: [] },
    { name: 'its value is not text', others: [{ oid: `${UANATACA}.11`, content: derNull() }] },
    { name: 'its place is blank', others: [{ oid: `${UANATACA}.11`, content: derUtf8(' ') }] },
    { name: 'the company is blank', others: [{ oid: `${UANATACA}.10`, content: derUtf8('') }] },
    { name: 'the company is not text', others: [{ oid: `${UANATACA}.10`, content: derNull() }] },
    {
      name: 'its place ends in a delete character',
      others: [{ oid: `${UANATACA}.11`, content: derUtf8(`${RUC}\x7f`) }],
    },
  ])('makes the RUC of a natural person’s cédula and 001 when $name', ({ others }) => {
    expect(rucOf([{ oid: `${UANATACA}.1`, content: derUtf8(CEDULA) }, ...others])).toBe(`${CEDULA}001`);
  });

  it('takes the RUC of the company, not of its representative', () => {
    const person = { oid: `${BCE}.1`, content: derUtf8(CEDULA) };
    const company = { oid: `${BCE}.10`, content: derUtf8('ACME S.A.') };
    expect(rucOf([person, company, { oid: `${BCE}.11`, content: derUtf8(RUC) }])).toBe(RUC);
    expect(rucOf([person, company])).toBeNull();
  });

  it.each([
    { name: 'a passport', text: 'A12345678' },
    { name: 'a passport of ten digits', text: '9912345678' },
    { name: 'too short', text: '171234567' },
    { name: 'too long', text: `${CEDULA}1` },
    { name: 'with something before it', text: `C${CEDULA}` },
    { name: 'of a province that there is not: 00', text: '0012345675' },
    { name: 'of a province that there is not: 25', text: '2512345675' },
    { name: 'of a province that there is not: 31', text: '3112345675' },
    { name: 'of no person, by its third digit', text: '1772345675' },
  ])('makes no RUC from $name', ({ text }) => {
    expect(rucOf([{ oid: `${BCE}.1`, content: derUtf8(text) }])).toBeNull();
    expect(rucOf([], [{ type: '2.5.4.5', text: `IDCEC-${text}` }])).toBeNull();
  });

  it.each(['0112345675', '0962345675', '1012345675', '1912345675', '2012345675', '2412345675', '3012345675'])(
    'makes a RUC from the cédula %s, for every province and for residents abroad',
    (cedula) => {
      expect(rucOf([{ oid: `${BCE}.1`, content: derUtf8(cedula) }])).toBe(`${cedula}001`);
      expect(rucOf([], [{ type: '2.5.4.5', text: `IDCEC-${cedula}` }])).toBe(`${cedula}001`);
    },
  );

  it.each([
    '179001234500',
    '17900123450011',
    '01790012345001',
    '1790012345002',
    'RUC',
    '',
    '１７９００１２３４５００１',
  ])('rejects «%s» as a RUC', (text) => {
    expect(rucOf([{ oid: `${BCE}.11`, content: derUtf8(text) }])).toBeNull();
    expect(rucOf([], [{ type: '2.5.4.97', text: `VATEC-${text}` }])).toBeNull();
  });

  it('returns null without data, or without readable data', () => {
    expect(rucOf([])).toBeNull();
    expect(rucOf([{ oid: `${BCE}.11`, content: Buffer.of(0x0c, 0x05, 0xff) }])).toBeNull();
    expect(rucOf([{ oid: '2.5.29.17', content: derSequence(derContext(0, derOid(`${BCE}.11`))) }])).toBeNull();
    expect(rucOf([{ oid: '2.5.29.17', content: Buffer.from('nothing') }])).toBeNull();
  });
});

describe('alternative names of other kinds, and incomplete ones', () => {
  const others = [der(0x82, Buffer.from(RUC)), der(0x81, Buffer.from(`${RUC}@x.ec`)), derContext(0, derOid('1.2.3'))];
  const value = derContext(0, derUtf8(RUC));

  it('finds no RUC in alternative names of other kinds, and in incomplete ones', () => {
    const party = der(0xa5, derOid(`${BCE}.11`), value);
    expect(rucOf([{ oid: '2.5.29.17', content: derSequence(...others, party) }])).toBeNull();
  });

  it('finds the RUC behind alternative names of other kinds, and behind incomplete ones', () => {
    const names = derSequence(...others, derContext(0, derOid(`${BCE}.11`), value));
    expect(rucOf([{ oid: '2.5.29.17', content: names }])).toBe(RUC);
  });
});
