import { describe, expect, it } from 'vitest';
import { type TestRdn, writeTestName } from '../testing/test-certificate.js';
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
    { name: 'as Java prints it', written: java, match: 'same' },
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
      match: 'reversed',
    },
    {
      name: 'with a keyword that Java does not read',
      written: String.raw`CN=AC Ñandú,E=ac@x.ec,O=AC \"UNO\"\, S.A.,C=EC`,
      match: 'different',
    },
    { name: 'with a part less', written: String.raw`CN=AC Ñandú,O=AC \"UNO\"\, S.A.,C=EC`, match: 'different' },
    {
      name: 'of another authority',
      written: String.raw`CN=AC DOS,EMAILADDRESS=ac@x.ec,O=AC \"UNO\"\, S.A.,C=EC`,
      match: 'different',
    },
    {
      name: 'with hex that is no DER',
      written: String.raw`CN=AC Ñandú,1.2.840.113549.1.9.1=#16ff,O=AC \"UNO\"\, S.A.,C=EC`,
      match: 'different',
    },
    { name: 'with a quote that does not end', written: 'CN="AC', match: 'different' },
    { name: 'without a value', written: 'CN', match: 'different' },
    { name: 'that is missing', written: '', match: 'different' },
    { name: 'of unreasonable length', written: 'CN=A,'.repeat(1000), match: 'different' },
  ])('$name is $match', ({ written, match }) => {
    expect(matchIssuerName(written, java, readDer(der))).toBe(match);
  });
});
