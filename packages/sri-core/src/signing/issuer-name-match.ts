import { type CertificateFields, readNameParts } from './certificate-fields.js';
import { readDer, readText } from './der.js';
import { JAVA_KEYWORDS } from './issuer-name.js';

/** The relation of a written issuer name to the certificate's. */
export type NameMatch = 'same' | 'sameInOtherWords' | 'inOtherOrder' | 'different';

/**
 * Compares X509IssuerName with the issuer of a certificate, as a Java validator does: by type and value, ignoring case,
 * blanks and quoting. `EMAILADDRESS=…` and `1.2.840.113549.1.9.1=#16…` are therefore equal. A keyword unknown to Java
 * (OpenSSL's `organizationIdentifier=`) makes the name unreadable, so it is `different`. Attributes joined by `+` are one
 * part, in any order.
 *
 * @param javaName the certificate's issuer in Java's form.
 */
export function matchIssuerName(written: string, javaName: string, issuer: CertificateFields['issuer']): NameMatch {
  if (written === javaName) return 'same';
  const found = parseName(written);
  if (!found) return 'different';
  const inCertificate = readNameParts(issuer).map((part) =>
    part.map(({ type, value }) => ({
      type,
      value: normalize(readText(value) ?? `#${Buffer.from(value.bytes).toString('hex')}`),
    })),
  );
  const [texts, wanted] = [toTexts(found), toTexts(inCertificate)];
  if (equal(texts, wanted.toReversed())) return 'sameInOtherWords';
  return equal(texts.toSorted(), wanted.toSorted()) ? 'inOtherOrder' : 'different';
}

// --- internal ---

interface Attribute {
  readonly type: string;
  readonly value: string;
}

/** Attributes of one part; most parts have one. */
type Part = Attribute[];

/** The keywords that Java's X500Principal reads. It writes only some of them. */
const KEYWORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(JAVA_KEYWORDS).map(([oid, keyword]) => [keyword, oid])),
  S: '2.5.4.8',
  T: '2.5.4.12',
  DNQ: '2.5.4.46',
  DNQUALIFIER: '2.5.4.46',
  SURNAME: '2.5.4.4',
  GIVENNAME: '2.5.4.42',
  INITIALS: '2.5.4.43',
  GENERATION: '2.5.4.44',
  EMAIL: '1.2.840.113549.1.9.1',
  EMAILADDRESS: '1.2.840.113549.1.9.1',
  SERIALNUMBER: '2.5.4.5',
};

const MAX_LENGTH = 4096;
const TYPE = /[ \t\r\n]*(?:OID\.)?([A-Za-z0-9.]+)[ \t\r\n]*=[ \t\r\n]*/iy;
/** A quoted string, or characters and escapes up to the next separator. */
const VALUE = /"((?:[^"\\]|\\.)*)"[ \t\r\n]*|((?:[^\\,;+"]|\\.)*)/sy;

/** @returns null when it is not a distinguished name, or has a keyword that Java does not read. */
function parseName(text: string): readonly Part[] | null {
  if (text.length > MAX_LENGTH) return null;
  const parts: Part[] = [];
  for (let position = 0; position < text.length; position += 1) {
    TYPE.lastIndex = position;
    const keyword = TYPE.exec(text);
    VALUE.lastIndex = TYPE.lastIndex;
    const value = keyword && VALUE.exec(text);
    const type = keyword?.[1] && toOid(keyword[1]);
    // Quoted content is text, even if it looks like a hex value.
    const read = value && (value[1] === undefined ? readValue(String(value[2])) : unescapeText(value[1]));
    if (!type || typeof read !== 'string') return null;
    const attribute = { type, value: normalize(read) };
    if (text[position - 1] === '+') parts.at(-1)?.push(attribute);
    else parts.push([attribute]);
    position = VALUE.lastIndex;
    // A separator must precede another part.
    if (position < text.length && !/^[,;+]./s.test(text.slice(position, position + 2))) return null;
  }
  return parts;
}

function toOid(keyword: string): string | null {
  return /^[0-9.]+$/.test(keyword) ? keyword : (KEYWORDS[keyword.toUpperCase()] ?? null);
}

function readValue(raw: string): string | null {
  const text = raw.trim();
  if (!text.startsWith('#')) return unescapeText(raw);
  const hex = /^#((?:[0-9a-f]{2})+)$/i.exec(text)?.[1];
  return hex ? (readHexValue(hex) ?? text) : null;
}

/** A run of \HH is UTF-8 octets; any other escaped character is literal. */
function unescapeText(raw: string): string {
  const text = raw.replace(/(?:\\[0-9a-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll('\\', ''), 'hex').toString('utf8'),
  );
  return text.replace(/\\(.)/gs, '$1');
}

function readHexValue(hex: string): string | null {
  try {
    return readText(readDer(Buffer.from(hex, 'hex')));
  } catch {
    return null;
  }
}

function normalize(value: string): string {
  return value.trim().replace(/\s+/g, ' ').toLowerCase();
}

function equal(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** A text for each part, whatever the order of the attributes in it. */
function toTexts(parts: readonly Part[]): readonly string[] {
  return parts.map((part) => JSON.stringify(part.map(({ type, value }) => `${type}=${value}`).toSorted()));
}
