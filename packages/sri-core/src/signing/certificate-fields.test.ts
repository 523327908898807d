import { describe, expect, it } from 'vitest';
import {
  der,
  derContext,
  derInteger,
  derNull,
  derOctets,
  derOid,
  derSequence,
  derSet,
  derTrue,
  derUtf8,
} from '../testing/der-writer.js';
import { writeTestName } from '../testing/test-certificate.js';
import { readCertificateFields, readCommonName } from './certificate-fields.js';
import { readDer } from './der.js';
import { toJavaIssuerName } from './issuer-name.js';
import { matchIssuerName } from './issuer-name-match.js';

// Parts of certificates that OpenSSL does not write, but authorities or attackers do.

const name = writeTestName([{ type: '2.5.4.3', text: 'AC' }]);
const VERSION_3 = derContext(0, derInteger(2));

function certificate(...extensions: readonly Uint8Array[]): Buffer {
  const fields = [VERSION_3, derInteger(7), derSequence(), name, derSequence(), name, derSequence()];
  return derSequence(derSequence(...fields, derContext(3, derSequence(...extensions))));
}

const keyUsage = (value: Uint8Array) => certificate(derSequence(derOid('2.5.29.15'), derOctets(value)));

describe('the fields of a certificate', () => {
  it('reads the fields of a certificate without a version, as in version 1', () => {
    const bytes = derSequence(derSequence(derInteger(7), derSequence(), name, derSequence(), name, derSequence()));
    const fields = readCertificateFields(bytes);
    expect(fields).toMatchObject({ serialNumber: 7n, keyUsage: null });
    expect(fields.extensions.size).toBe(0);
    expect(readCommonName(fields.subject)).toBe('AC');
  });

  it('reads the extensions after the unique identifiers, as in version 2', () => {
    const fields = [VERSION_3, derInteger(7), derSequence(), name, derSequence(), name, derSequence()];
    const extensions = derContext(3, derSequence(derSequence(derOid('1.2.5'), derOctets(Buffer.of(5)))));
    const bytes = derSequence(
      derSequence(...fields, der(0x81, Buffer.of(0, 1)), der(0x82, Buffer.of(0, 2)), extensions),
    );
    expect([...readCertificateFields(bytes).extensions.keys()]).toEqual(['1.2.5']);
  });

  it.each([
    { name: 'nothing inside', bytes: derSequence() },
    { name: 'no field', bytes: derSequence(derSequence()) },
    { name: 'the version alone', bytes: derSequence(derSequence(VERSION_3)) },
    { name: 'the serial number alone', bytes: derSequence(derSequence(VERSION_3, derInteger(1))) },
    {
      name: 'an invalid serial number',
      bytes: derSequence(derSequence(VERSION_3, derUtf8('7'), derSequence(), name, derSequence(), name)),
    },
    {
      name: 'an issuer that is not a name',
      bytes: derSequence(derSequence(VERSION_3, derInteger(1), derSequence(), derNull(), derSequence(), name)),
    },
    {
      name: 'no subject',
      bytes: derSequence(derSequence(VERSION_3, derInteger(1), derSequence(), name, derSequence())),
    },
  ])('rejects a certificate with $name', ({ bytes }) => {
    expect(() => readCertificateFields(bytes)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_INVALID' }));
  });

  it('leaves out empty extensions, and includes critical ones', () => {
    const { extensions } = readCertificateFields(
      certificate(
        derSequence(),
        derSequence(derOid('1.2.3')),
        derSequence(derOid('1.2.4'), derUtf8('x')),
        derSequence(derOid('1.2.5'), derTrue(), derOctets(Buffer.of(5))),
      ),
    );
    expect([...extensions].map(([oid, value]) => [oid, [...value]])).toEqual([['1.2.5', [5]]]);
  });

  it.each([
    {
      name: 'every bit',
      value: der(0x03, Buffer.of(1, 0xfe)),
      uses: [
        'digitalSignature',
        'nonRepudiation',
        'keyEncipherment',
        'dataEncipherment',
        'keyAgreement',
        'keyCertSign',
        'cRLSign',
      ],
    },
    { name: 'the second bit', value: der(0x03, Buffer.of(6, 0x40)), uses: ['nonRepudiation'] },
    { name: 'no octet', value: der(0x03, Buffer.of(0)), uses: [] },
    { name: 'a value that is not a bit string', value: derOctets(Buffer.of(0, 0xff)), uses: [] },
  ])('reads the key usage bits: $name', ({ value, uses }) => {
    expect([...(readCertificateFields(keyUsage(value)).keyUsage ?? [])]).toEqual(uses);
  });
});

describe('a name', () => {
  it('leaves out a part of a name without a value', () => {
    const odd = derSequence(
      derSet(derSequence(derOid('2.5.4.3'))),
      derSet(derSequence()),
      derSet(derSequence(derOid('2.5.4.6'), derUtf8('EC'))),
    );
    const bytes = derSequence(derSequence(VERSION_3, derInteger(1), derSequence(), odd, derSequence(), odd));
    expect(readCertificateFields(bytes).subject.map(({ type }) => type)).toEqual(['2.5.4.6']);
    expect(toJavaIssuerName(odd)).toBe('C=EC,,');
  });

  it.each([
    {
      subject: [
        { type: '2.5.4.6', text: 'EC' },
        { type: '2.5.4.3', text: ' Ana ' },
        { type: '2.5.4.3', text: 'Eva' },
      ],
      shown: 'Ana, Eva',
    },
    {
      subject: [
        { type: '2.5.4.6', text: 'EC' },
        { type: '2.5.4.10', text: 'S.A.' },
      ],
      shown: 'EC, S.A.',
    },
    { subject: [{ type: '2.5.4.3', text: ' ' }], shown: null },
    { subject: [], shown: null },
  ])('shows the name $shown', ({ subject, shown }) => {
    const names = writeTestName(subject);
    const bytes = derSequence(derSequence(VERSION_3, derInteger(1), derSequence(), name, derSequence(), names));
    expect(readCommonName(readCertificateFields(bytes).subject)).toBe(shown);
  });

  it('compares a value of a name that is not text in hex, and does not show it', () => {
    const odd = derSequence(derSet(derSequence(derOid('2.5.4.3'), derInteger(5))));
    const java = toJavaIssuerName(odd);
    expect(java).toBe('CN=#020105');
    expect(matchIssuerName('cn = #020105', java, readDer(odd))).toBe('sameInOtherWords');
    expect(matchIssuerName('cn = #020106', java, readDer(odd))).toBe('different');
    expect(matchIssuerName('cn = ', java, readDer(odd))).toBe('different');
    const bytes = derSequence(derSequence(VERSION_3, derInteger(1), derSequence(), name, derSequence(), odd));
    expect(readCommonName(readCertificateFields(bytes).subject)).toBeNull();
  });

  it.each(['CN="AC"x', 'CN=AC,,C=EC', '=AC'])('finds a name with wrong syntax different: %s', (written) => {
    expect(matchIssuerName(written, 'CN=AC', readDer(name))).toBe('different');
  });
});
