import { describe, expect, it } from 'vitest';
import { derOid, derSequence, derSet, der as derValue } from '../testing/der-writer.js';
import { type TestAttribute, type TestRdn, writeTestName } from '../testing/test-certificate.js';
import { readDer } from './der.js';
import { toJavaIssuerName } from './issuer-name.js';
import { matchIssuerName, type NameMatch } from './issuer-name-match.js';

const name: readonly TestRdn[] = [
  { type: '2.5.4.6', text: 'EC', form: 'printable' },
  { type: '2.5.4.10', text: 'AC "UNO", S.A.' },
  { type: '1.2.840.113549.1.9.1', text: 'ac@x.ec', form: 'ia5' },
  { type: '2.5.4.3', text: 'AC  Ñandú' },
];
const der = writeTestName(name);
const java = toJavaIssuerName(der);

describe('an issuer name in the signature', () => {
  it.each<{ name: string; written: string; match: NameMatch }>([
    { name: 'in Java’s form', written: java, match: 'same' },
    { name: 'with blanks and other case', written: `  cn = ac ñandú , ${java.slice(13)}`, match: 'sameInOtherWords' },
    {
      name: 'with EMAILADDRESS',
      written: String.raw`CN=AC  Ñandú,EMAILADDRESS=ac@x.ec,O=AC \"UNO\"\, S.A.,C=EC`,
      match: 'sameInOtherWords',
    },
    {
      name: 'quoted, with semicolons',
      written: String.raw`CN=AC Ñandú;OID.1.2.840.113549.1.9.1=ac@x.ec;O="AC \"UNO\", S.A.";C=EC`,
      match: 'sameInOtherWords',
    },
    {
      name: 'with octets escaped',
      written: String.raw`CN=AC \C3\91and\C3\BA,E=ac@x.ec,O=AC \22UNO\22\2C S.A.,C=EC`.replace('E=', 'EMAIL='),
      match: 'sameInOtherWords',
    },
    {
      name: 'in the order of the certificate',
      written: String.raw`C=EC,O=AC \"UNO\"\, S.A.,EMAILADDRESS=ac@x.ec,CN=AC Ñandú`,
      match: 'inOtherOrder',
    },
    {
      name: 'in no known order',
      written: String.raw`O=AC \"UNO\"\, S.A.,CN=AC Ñandú,C=EC,EMAILADDRESS=ac@x.ec`,
      match: 'inOtherOrder',
    },
    {
      name: 'with a keyword that Java does not read',
      written: String.raw`CN=AC Ñandú,E=ac@x.ec,O=AC \"UNO\"\, S.A.,C=EC`,
      match: 'different',
    },
    { name: 'with a part missing', written: String.raw`CN=AC Ñandú,O=AC \"UNO\"\, S.A.,C=EC`, match: 'different' },
    {
      name: 'of another authority',
      written: String.raw`CN=AC DOS,EMAILADDRESS=ac@x.ec,O=AC \"UNO\"\, S.A.,C=EC`,
      match: 'different',
    },
    {
      name: 'with invalid DER in hex',
      written: String.raw`CN=AC Ñandú,1.2.840.113549.1.9.1=#16ff,O=AC \"UNO\"\, S.A.,C=EC`,
      match: 'different',
    },
    { name: 'with a quote that does not end', written: 'CN="AC', match: 'different' },
    { name: 'without a value', written: 'CN', match: 'different' },
    { name: 'that is missing', written: '', match: 'different' },
    { name: 'with text after a quote', written: 'CN="AC" x,C=EC', match: 'different' },
    { name: 'with only a blank', written: ' ', match: 'different' },
  ])('the issuer name with $name is $match', ({ written, match }) => {
    expect(matchIssuerName(written, java, readDer(der))).toBe(match);
  });
});

/** Compares a name with a certificate whose issuer has one attribute. */
function matchOne(written: string, { type = '2.5.4.3', text = 'AC', form }: Partial<TestAttribute> = {}): NameMatch {
  const bytes = writeTestName([{ type, text, ...(form ? { form } : {}) }]);
  return matchIssuerName(written, toJavaIssuerName(bytes), readDer(bytes));
}

describe('a part of an issuer name in the signature', () => {
  it.each([
    ['CN', '2.5.4.3'],
    ['C', '2.5.4.6'],
    ['L', '2.5.4.7'],
    ['S', '2.5.4.8'],
    ['ST', '2.5.4.8'],
    ['STREET', '2.5.4.9'],
    ['O', '2.5.4.10'],
    ['OU', '2.5.4.11'],
    ['T', '2.5.4.12'],
    ['DC', '0.9.2342.19200300.100.1.25'],
    ['UID', '0.9.2342.19200300.100.1.1'],
    ['DNQ', '2.5.4.46'],
    ['DNQUALIFIER', '2.5.4.46'],
    ['SURNAME', '2.5.4.4'],
    ['GIVENNAME', '2.5.4.42'],
    ['INITIALS', '2.5.4.43'],
    ['GENERATION', '2.5.4.44'],
    ['EMAIL', '1.2.840.113549.1.9.1'],
    ['EMAILADDRESS', '1.2.840.113549.1.9.1'],
    ['SERIALNUMBER', '2.5.4.5'],
  ])(
    'a part of an issuer name has the keyword %s, in either case, or its OID with or without prefix',
    (keyword, type) => {
      for (const name of [keyword, keyword.toLowerCase(), type, `OID.${type}`, `oid.${type}`]) {
        expect(matchOne(`${name}= ac`, { type })).toBe('sameInOtherWords');
        expect(matchOne(`${name}= ac`, { type: '1.2.3' })).toBe('different');
      }
    },
  );

  it.each(['2', '2.', '.3', '2..5', 'x2.5.4.3', '2.5.4.3x', '2.5.4.30', 'OID.CNX'])(
    'a part of an issuer name rejects the keyword %s',
    (type) => {
      expect(matchOne(`${type}= AC`)).toBe('different');
    },
  );

  it.each<{ written: string; text: string; match?: NameMatch }>([
    { written: ' \t\r\nCN \t\r\n= \t\r\nAC', text: 'AC' },
    { written: 'CN= \t\r\n" AC " \t\r\n', text: 'AC' },
    { written: 'CN=ac \t\n uno ', text: ' AC UNO' },
    { written: 'CN="A,C;D+E=F"', text: 'A,C;D+E=F' },
    { written: 'CN=A\\\nC', text: 'A\nC' },
    { written: 'CN="A\\\nC"', text: 'A\nC' },
    { written: 'CN="a\nc"', text: 'A C' },
    { written: String.raw`CN=A\,C`, text: 'A\\,C', match: 'different' },
    { written: String.raw`cn=A\\C`, text: 'A\\C' },
    { written: String.raw`CN="A\\"`, text: 'A\\' },
    { written: String.raw`cn=A\"C`, text: 'A"C' },
    { written: 'CN=A"C"', text: 'A"C"', match: 'different' },
    { written: 'CN=A"C', text: 'A', match: 'different' },
    { written: 'CN="', text: '', match: 'different' },
    { written: 'CN=', text: ' ' },
    { written: 'CN=#0c024143', text: 'AC' },
    { written: 'CN= #0C024143 ', text: 'AC' },
    { written: 'CN=#0c02414', text: 'AC', match: 'different' },
    { written: 'CN=#0c02414', text: '#0c02414', match: 'different' },
    { written: 'CN=#', text: '#', match: 'different' },
    { written: 'CN="#0c024143"', text: '#0c024143' },
    { written: 'CN="#0c024143"', text: 'AC', match: 'different' },
    { written: String.raw`cn=\#0c024143`, text: '#0c024143' },
    { written: 'CN=#0c0241435', text: 'AC', match: 'different' },
    { written: String.raw`cn=\ AC\ `, text: ' AC ' },
    { written: 'CN=A C', text: 'AC', match: 'different' },
    { written: 'CN=x#0c024143', text: 'AC', match: 'different' },
    { written: 'CN=#0c024143x', text: 'AC', match: 'different' },
    { written: 'CN=#0c024143', text: '#0c024143', match: 'different' },
    { written: String.raw`CN=\43\c3\8d\41`, text: 'CÍA' },
  ])(
    'a part of an issuer name is read with its quotes, escapes and hex: %j',
    ({ written, text, match = 'sameInOtherWords' }) => {
      expect(matchOne(written, { text })).toBe(match);
    },
  );

  it.each([',', ';'])('a part of an issuer name is separated from the next by %s only', (separator) => {
    const bytes = writeTestName([
      { type: '2.5.4.6', text: 'EC' },
      { type: '2.5.4.3', text: 'AC' },
    ]);
    const match = (written: string) => matchIssuerName(written, toJavaIssuerName(bytes), readDer(bytes));
    expect(match(`CN=ac${separator}C=ec`)).toBe('sameInOtherWords');
    expect(match(`CN="ac"${separator}\nC=ec`)).toBe('sameInOtherWords');
    expect(match(`C=ec${separator}CN=ac`)).toBe('inOtherOrder');
    expect(match('CN="ac"/C=ec')).toBe('different');
    expect(match(`CN=ac${separator}C=ec${separator}`)).toBe('different');
    expect(match(`${separator}CN=ac${separator}C=ec`)).toBe('different');
    expect(match(`CN=ac${separator}C=es`)).toBe('different');
    expect(match(`CN=ad${separator}C=ec`)).toBe('different');
    expect(match(`CN=ac${separator}O=ec`)).toBe('different');
    expect(match(`CN=ac${separator}C=ec${separator}C=ec`)).toBe('different');
  });

  it('a part of an issuer name may have several attributes joined by + in any order, unlike two parts', () => {
    const bytes = writeTestName([
      { type: '2.5.4.6', text: 'EC' },
      [
        { type: '2.5.4.3', text: 'AC' },
        { type: '2.5.4.5', text: '7' },
      ],
    ]);
    const match = (written: string) => matchIssuerName(written, toJavaIssuerName(bytes), readDer(bytes));
    expect(match('CN=ac+SERIALNUMBER=7,C=ec')).toBe('sameInOtherWords');
    expect(match('SERIALNUMBER="7" + CN=ac;C=ec')).toBe('sameInOtherWords');
    expect(match('C=ec,SERIALNUMBER=7+CN=ac')).toBe('inOtherOrder');
    expect(match('CN=ac,SERIALNUMBER=7,C=ec')).toBe('different');
    expect(match('CN=ac+SERIALNUMBER=7+C=ec')).toBe('different');
    expect(match('CN=ac+SERIALNUMBER=8,C=ec')).toBe('different');
    expect(match('+CN=ac,C=ec')).toBe('different');
    expect(match('CN=ac+')).toBe('different');
    expect(matchOne('CN=a+C=ec')).toBe('different');
    expect(match(String.raw`CN=ac\,2.5.4.5\=7,C=ec`)).toBe('different');
  });

  it('a part of an issuer name may be hex when its value is no text', () => {
    const bytes = derSequence(derSet(derSequence(derOid('2.5.4.3'), derValue(0x04, Buffer.of(0xab)))));
    const match = (written: string) => matchIssuerName(written, toJavaIssuerName(bytes), readDer(bytes));
    expect(match('2.5.4.3=#0401AB')).toBe('sameInOtherWords');
    expect(match('2.5.4.3=#0401AC')).toBe('different');
  });

  it('an issuer name is compared up to 4096 characters', () => {
    const longest = `CN=${'a'.repeat(4093)}`;
    expect(matchOne(longest, { text: longest.slice(3).toUpperCase() })).toBe('sameInOtherWords');
    expect(matchOne(`${longest}a`, { text: `${longest.slice(3)}a`.toUpperCase() })).toBe('different');
  });
});
