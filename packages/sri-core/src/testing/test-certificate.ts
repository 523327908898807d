import { type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  derBits,
  derBmp,
  derContext,
  derIa5,
  derInteger,
  derNull,
  derOctets,
  derOid,
  derPrintable,
  derSequence,
  derSet,
  derTime,
  derTrue,
  derUtf8,
} from './der-writer.js';

/** One attribute of a distinguished name; `form` is its string type, UTF8String by default. */
export interface TestAttribute {
  /** Dotted OID. */
  readonly type: string;
  readonly text: string;
  readonly form?: 'utf8' | 'printable' | 'ia5' | 'bmp';
}

/** One relative distinguished name: an attribute, or several of them joined (multi-valued). */
export type TestRdn = TestAttribute | readonly TestAttribute[];

/** An extension: its OID, and the content of its OCTET STRING. */
export interface TestExtension {
  readonly oid: string;
  readonly content: Uint8Array;
  readonly critical?: boolean;
}

export interface TestCertificateOptions {
  readonly subject: readonly TestRdn[];
  readonly publicKey: KeyObject;
  /** The signing authority: its name and private key (RSA or EC). */
  readonly issuer: { readonly name: readonly TestRdn[]; readonly privateKey: KeyObject };
  readonly validFrom: Date;
  readonly validTo: Date;
  /** Default: 160 random bits, as in real authorities. */
  readonly serialNumber?: bigint;
  readonly extensions?: readonly TestExtension[];
}

/** Makes an X.509 v3 certificate, DER. For tests and demos: the SRI never accepts it. */
export function createTestCertificate(options: TestCertificateOptions): Buffer {
  const { issuer, subject, publicKey, validFrom, validTo, serialNumber = randomSerial(), extensions = [] } = options;
  const algorithm = signatureAlgorithm(issuer.privateKey);
  const signed = derSequence(
    derContext(0, derInteger(2)),
    derInteger(serialNumber),
    algorithm,
    writeTestName(issuer.name),
    derSequence(derTime(validFrom), derTime(validTo)),
    writeTestName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [derContext(3, derSequence(...extensions.map(writeExtension)))] : []),
  );
  return derSequence(signed, algorithm, derBits(sign('sha256', signed, issuer.privateKey)));
}

/** A distinguished name, DER. */
export function writeTestName(rdns: readonly TestRdn[]): Buffer {
  return derSequence(...rdns.map((rdn) => derSet(...[rdn].flat().map(writeAttribute))));
}

/** The extensions about the use of a certificate. */
export const testExtensions = {
  /** basicConstraints. */
  authority: (isAuthority: boolean): TestExtension => ({
    oid: '2.5.29.19',
    critical: true,
    content: derSequence(...(isAuthority ? [derTrue()] : [])),
  }),
  /** keyUsage, from the names of its bits. */
  keyUsage: (...uses: readonly (keyof typeof KEY_USAGE_BITS)[]): TestExtension => ({
    oid: '2.5.29.15',
    critical: true,
    content: derBits(Buffer.of(uses.reduce((bits, use) => bits | KEY_USAGE_BITS[use], 0)), 1),
  }),
  /** subjectAltName with otherName entries, each a DER value under an OID. */
  otherNames: (entries: readonly { readonly oid: string; readonly value: Uint8Array }[]): TestExtension => ({
    oid: '2.5.29.17',
    content: derSequence(...entries.map(({ oid, value }) => derContext(0, derOid(oid), derContext(0, value)))),
  }),
};

// --- internal ---

const KEY_USAGE_BITS = {
  digitalSignature: 0x80,
  nonRepudiation: 0x40,
  keyEncipherment: 0x20,
  dataEncipherment: 0x10,
  keyCertSign: 0x04,
  cRLSign: 0x02,
} as const;

const STRING_FORMS = { utf8: derUtf8, printable: derPrintable, ia5: derIa5, bmp: derBmp } as const;

function writeAttribute({ type, text, form = 'utf8' }: TestAttribute): Buffer {
  return derSequence(derOid(type), STRING_FORMS[form](text));
}

function writeExtension({ oid, content, critical = false }: TestExtension): Buffer {
  return derSequence(derOid(oid), ...(critical ? [derTrue()] : []), derOctets(content));
}

function signatureAlgorithm({ asymmetricKeyType }: KeyObject): Buffer {
  return asymmetricKeyType === 'ec'
    ? derSequence(derOid('1.2.840.10045.4.3.2'))
    : derSequence(derOid('1.2.840.113549.1.1.11'), derNull());
}

/** 160 bits with the highest one clear, so that it is positive, and the next one set, so that it is long. */
function randomSerial(): bigint {
  const bytes = randomBytes(20);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return BigInt(`0x${bytes.toString('hex')}`);
}
