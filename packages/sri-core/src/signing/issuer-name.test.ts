import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { der, derBmp, derOid, derSequence, derSet } from '../testing/der-writer.js';
import { type TestRdn, writeTestName } from '../testing/test-certificate.js';
import { hasTool, withDirectory } from '../testing/xml-tools.js';
import { toJavaIssuerName } from './issuer-name.js';

const C = (text: string): TestRdn => ({ type: '2.5.4.6', text, form: 'printable' });
const O = (text: string): TestRdn => ({ type: '2.5.4.10', text });
const OU = (text: string): TestRdn => ({ type: '2.5.4.11', text });
const L = (text: string): TestRdn => ({ type: '2.5.4.7', text });
const CN = (text: string): TestRdn => ({ type: '2.5.4.3', text });

/** The names of active authorities, as written in authorized comprobantes. */
const AUTHORITIES: readonly { readonly name: string; readonly rdns: readonly TestRdn[]; readonly written: string }[] = [
  {
    name: 'Banco Central',
    rdns: [
      C('EC'),
      O('BANCO CENTRAL DEL ECUADOR'),
      OU('ENTIDAD DE CERTIFICACION DE INFORMACION-ECIBCE'),
      L('QUITO'),
      CN('AC BANCO CENTRAL DEL ECUADOR'),
    ],
    written:
      'CN=AC BANCO CENTRAL DEL ECUADOR,L=QUITO,OU=ENTIDAD DE CERTIFICACION DE INFORMACION-ECIBCE,O=BANCO CENTRAL DEL ECUADOR,C=EC',
  },
  {
    name: 'Security Data',
    rdns: [
      C('EC'),
      O('SECURITY DATA S.A. 2'),
      OU('ENTIDAD DE CERTIFICACION DE INFORMACION'),
      CN('AUTORIDAD DE CERTIFICACION SUBCA-2 SECURITY DATA'),
    ],
    written:
      'CN=AUTORIDAD DE CERTIFICACION SUBCA-2 SECURITY DATA,OU=ENTIDAD DE CERTIFICACION DE INFORMACION,O=SECURITY DATA S.A. 2,C=EC',
  },
  {
    name: 'Uanataca, with an attribute that has no keyword',
    rdns: [
      C('ES'),
      L('Barcelona (see current address at www.uanataca.com/address)'),
      O('UANATACA S.A.'),
      OU('TSP-UANATACA'),
      CN('UANATACA CA2 2016'),
      { type: '2.5.4.97', text: 'VATES-A66721499' },
    ],
    written:
      '2.5.4.97=#0c0f56415445532d413636373231343939,CN=UANATACA CA2 2016,OU=TSP-UANATACA,O=UANATACA S.A.,L=Barcelona (see current address at www.uanataca.com/address),C=ES',
  },
  {
    name: 'ANF, with two blanks and a serial number',
    rdns: [
      { type: '2.5.4.5', text: '1792601215001', form: 'printable' },
      C('EC'),
      O('ANFAC AUTORIDAD DE CERTIFICACION ECUADOR C.A.'),
      OU('ANF Autoridad intermedia  EC'),
      CN('ANF High Assurance Ecuador Intermediate CA'),
    ],
    written:
      'CN=ANF High Assurance Ecuador Intermediate CA,OU=ANF Autoridad intermedia  EC,O=ANFAC AUTORIDAD DE CERTIFICACION ECUADOR C.A.,C=EC,2.5.4.5=#130d31373932363031323135303031',
  },
  {
    name: 'Consejo de la Judicatura',
    rdns: [
      C('EC'),
      L('DM QUITO'),
      O('CONSEJO DE LA JUDICATURA'),
      OU('SUBDIRECCION NACIONAL DE SEGURIDAD DE LA INFORMACION DNTICS'),
      CN('ENTIDAD DE CERTIFICACION ICERT-EC'),
    ],
    written:
      'CN=ENTIDAD DE CERTIFICACION ICERT-EC,OU=SUBDIRECCION NACIONAL DE SEGURIDAD DE LA INFORMACION DNTICS,O=CONSEJO DE LA JUDICATURA,L=DM QUITO,C=EC',
  },
];

/** Texts that need escaping: each becomes a common name. */
const TEXTS: readonly { readonly text: string; readonly written: string }[] = [
  { text: 'ACME, S.A.', written: 'ACME\\, S.A.' },
  { text: 'CÍA. ÑANDÚ', written: 'CÍA. ÑANDÚ' },
  { text: 'a+b "c" d\\e <f> g;h', written: 'a\\+b \\"c\\" d\\\\e \\<f\\> g\\;h' },
  { text: '#1', written: '\\#1' },
  { text: 'n#1', written: 'n\\#1' },
  { text: 'a=b', written: 'a\\=b' },
  { text: ' leading', written: '\\ leading' },
  { text: '  two', written: '\\ \\ two' },
  { text: 'trailing ', written: 'trailing\\ ' },
  { text: '   ', written: '\\ \\ \\ ' },
  { text: '', written: '' },
  { text: ' #', written: '\\ \\#' },
  { text: 'a\0b', written: 'a\\00b' },
  { text: '\r x \r', written: '\\\r\\ x\\ \\\r' },
  { text: 'tab\tline\nend', written: 'tab\tline\nend' },
  { text: 'firma 🔑 €', written: 'firma 🔑 €' },
];

/** Forms that occur only in unusual certificates. */
const ODD_NAMES: readonly { readonly name: string; readonly bytes: Buffer; readonly written: string }[] = [
  { name: 'no attribute at all', bytes: derSequence(), written: '' },
  {
    name: 'multi-valued',
    bytes: writeTestName([C('EC'), [CN('JOSÉ'), OU('A, B'), { type: '2.5.4.5', text: '1' }].flat()]),
    written: 'CN=JOSÉ+OU=A\\, B+2.5.4.5=#0c0131,C=EC',
  },
  {
    name: 'e-mail',
    bytes: writeTestName([{ type: '1.2.840.113549.1.9.1', text: 'ca@example.ec', form: 'ia5' }]),
    written: '1.2.840.113549.1.9.1=#160d6361406578616d706c652e6563',
  },
  {
    name: 'every keyword',
    bytes: writeTestName([
      { type: '2.5.4.8', text: 'PICHINCHA' },
      { type: '2.5.4.9', text: 'AV. AMAZONAS Y NNUU' },
      { type: '0.9.2342.19200300.100.1.25', text: 'ec', form: 'ia5' },
      { type: '0.9.2342.19200300.100.1.1', text: 'id' },
    ]),
    written: 'UID=id,DC=ec,STREET=AV. AMAZONAS Y NNUU,ST=PICHINCHA',
  },
  {
    name: 'BMPString',
    bytes: nameOf(derBmp('CIA. ÑANDÚ')),
    written: `CN=${[...'CIA. \ufffdAND\ufffd'].map((each) => `\\00${each}`).join('')}`,
  },
  {
    name: 'TeletexString in Latin-1',
    bytes: nameOf(der(0x14, Buffer.from('CÍA. ÑANDÚ', 'latin1'))),
    written: 'CN=C\ufffdA. \ufffdAND\ufffd',
  },
  { name: 'GeneralString', bytes: nameOf(der(0x1b, Buffer.from('CIA'))), written: 'CN=CIA' },
  { name: 'VisibleString', bytes: nameOf(der(0x1a, Buffer.from('CIA'))), written: 'CN=#1a03434941' },
  { name: 'NumericString', bytes: nameOf(der(0x12, Buffer.from('123'))), written: 'CN=#1203313233' },
  { name: 'OCTET STRING', bytes: nameOf(der(0x04, Buffer.from('abc'))), written: 'CN=#0403616263' },
  { name: 'broken UTF-8', bytes: nameOf(der(0x0c, Buffer.of(0x41, 0xff, 0xc3))), written: 'CN=A\ufffd\ufffd' },
  {
    name: 'an OID beyond 2⁵³',
    bytes: writeTestName([{ type: '2.25.329800735698586629295641978511506172918', text: 'x' }]),
    written: '2.25.329800735698586629295641978511506172918=#0c0178',
  },
];

describe('the issuer name', () => {
  it.each(AUTHORITIES)('the issuer name equals that of authorized comprobantes: $name', ({ rdns, written }) => {
    expect(toJavaIssuerName(writeTestName(rdns))).toBe(written);
  });

  it.each(TEXTS)('the issuer name escapes $text', ({ text, written }) => {
    expect(toJavaIssuerName(writeTestName([CN(text)]))).toBe(`CN=${written}`);
  });

  it.each(ODD_NAMES)('the issuer name has a form for an unusual name: $name', ({ bytes, written }) => {
    expect(toJavaIssuerName(bytes)).toBe(written);
  });

  it.skipIf(!hasTool('java'))('the issuer name equals the output of Java’s X500Principal', () => {
    const names = [
      ...AUTHORITIES.map(({ rdns }) => writeTestName(rdns)),
      ...TEXTS.map(({ text }) => writeTestName([CN(text), O('x')])),
      ...ODD_NAMES.map(({ bytes }) => bytes),
    ];
    expect(names.map(toJavaIssuerName)).toEqual(printInJava(names));
  });

  it('toJavaIssuerName rejects bytes that are not a name', () => {
    expect(() => toJavaIssuerName(Buffer.from('3003020101', 'hex'))).toThrow('not well-formed');
    expect(() => toJavaIssuerName(Buffer.of(0x30, 0x80, 0, 0))).toThrow('not well-formed');
  });
});

function nameOf(value: Buffer): Buffer {
  return derSequence(derSet(derSequence(derOid('2.5.4.3'), value)));
}

/** Names as the Java machine prints them, in hex to be independent of its character set. */
function printInJava(names: readonly Buffer[]): string[] {
  const source = `
    import java.nio.charset.StandardCharsets;
    import java.nio.file.*;
    import java.util.HexFormat;
    import javax.security.auth.x500.X500Principal;
    public class Names {
      public static void main(String[] files) throws Exception {
        for (String line : Files.readAllLines(Path.of(files[0]))) {
          String name = new X500Principal(HexFormat.of().parseHex(line)).getName();
          System.out.println(HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8)));
        }
      }
    }`;
  return withDirectory((directory) => {
    const program = join(directory, 'Names.java');
    const list = join(directory, 'names.txt');
    writeFileSync(program, source);
    writeFileSync(list, names.map((name) => `${name.toString('hex')}\n`).join(''));
    const lines = execFileSync('java', [program, list]).toString().split(/\r?\n/).slice(0, -1);
    return lines.map((line) => Buffer.from(line, 'hex').toString('utf8'));
  });
}
