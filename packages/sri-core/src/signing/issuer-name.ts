import { type NameAttribute, readNameParts } from './certificate-fields.js';
import { DER_TAG, readDer } from './der.js';

/** The only attributes that Java names in this form. E-mail, serialNumber and organizationIdentifier are not among them. */
export const JAVA_KEYWORDS: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.25': 'DC',
  '0.9.2342.19200300.100.1.1': 'UID',
};

/**
 * Writes a distinguished name as Java's `X500Principal.getName()` does. The SRI's validator compares X509IssuerName with
 * that text. The form: parts reversed and joined by a comma without blank, nine keywords, and every other attribute as its
 * dotted OID with `=#` and the hex of the whole DER value.
 *
 * @param name the DER of the Name (SEQUENCE OF RelativeDistinguishedName).
 * @throws CertificateInvalidError when `name` is not a distinguished name.
 * @see RFC 2253. The SRI rejects OpenSSL's and Node's forms with code 39.
 */
export function toJavaIssuerName(name: Uint8Array): string {
  // The attributes of a multi-valued part keep the order of the certificate.
  const parts = readNameParts(readDer(name)).map((part) => part.map(writeAttribute).join('+'));
  return parts.reverse().join(',');
}

// --- internal ---

/** The types whose octets Java reads as text, always as UTF-8. Other types are written in hex. */
const TEXT_TAGS: ReadonlySet<number> = new Set([
  DER_TAG.utf8String,
  DER_TAG.printableString,
  DER_TAG.teletexString,
  DER_TAG.ia5String,
  DER_TAG.generalString,
  DER_TAG.bmpString,
]);

function writeAttribute({ type, value }: NameAttribute): string {
  const keyword = JAVA_KEYWORDS[type];
  if (keyword === undefined || !TEXT_TAGS.has(value.tag)) {
    return `${keyword ?? type}=#${Buffer.from(value.bytes).toString('hex')}`;
  }
  return `${keyword}=${escapeText(Buffer.from(value.content).toString('utf8'))}`;
}

/** Java escapes more than RFC 2253 requires: every `=` and `#`, and every blank at either end. */
function escapeText(text: string): string {
  let start = 0;
  let end = text.length;
  while (isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  const inner = text
    .slice(start, end)
    .replace(/[,=+<>#;"\\]/g, '\\$&')
    .replaceAll('\0', '\\00');
  return escapeBlanks(text.slice(0, start)) + inner + escapeBlanks(text.slice(end));
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\r';
}

function escapeBlanks(blanks: string): string {
  return blanks.replace(/./gs, '\\$&');
}
