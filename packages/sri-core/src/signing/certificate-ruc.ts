import type { X509Certificate } from 'node:crypto';
import { type CertificateFields, readCertificateFields, readNameParts } from './certificate-fields.js';
import { DER_TAG, type DerValue, decodeUtf8, readDer, readDerSequence, readObjectIdentifier, readText } from './der.js';

/** DIGERCIC writes the RUC under an OID without Decreto 181's ending. */
export const DIGERCIC_RUC_OID = '1.3.6.1.4.1.55519.1.1.1.5.2.4';

/**
 * Reads the RUC of a certificate's holder from its authority's field. Otherwise it takes the cédula of a natural person with
 * `001`, which is that person's RUC. The SRI accepts that in practice (observed, not published).
 *
 * The accredited authorities follow Decreto 181 below their own OIDs; an unknown authority is read the same way. They use
 * extensions, otherName entries of subjectAltName, or both; each place is read. Checked on real certificates: Banco Central,
 * Security Data, Uanataca, ANF (37442), Consejo de la Judicatura.
 *
 * @returns 13 digits, or null without a readable RUC. The check digit is not verified: valid RUCs fail it.
 * @see Decreto Ejecutivo 181 of 2011.
 */
export function readRuc(certificate: X509Certificate): string | null {
  const entries = collectEntries(readCertificateFields(certificate.raw));
  const byEnding = (ending: string) => entries.filter(({ oid }) => DECREE_181_OID.exec(oid)?.[1] === ending);
  const written = [...byEnding(RUC_ENDING), ...entries.filter(({ oid }) => oid === DIGERCIC_RUC_OID)];
  const ruc = firstMatch(written, RUC) ?? firstMatch(named(entries, ORGANIZATION_IDENTIFIER), ETSI_RUC);
  if (ruc) return ruc;
  // The cédula in a company's certificate belongs to an employee or representative, with another RUC.
  if (byEnding(COMPANY_ENDING).some(({ texts }) => texts.some((text) => text !== ''))) return null;
  const cedula = firstMatch(byEnding(PERSON_ENDING), CEDULA) ?? firstMatch(named(entries, SERIAL_NUMBER), ETSI_CEDULA);
  return cedula ? `${cedula}001` : null;
}

// --- internal ---

/** The possible texts of one value under an OID. */
interface Entry {
  readonly oid: string;
  readonly texts: readonly string[];
}

const RUC = /^([0-9]{10}001)$/;
/** Province 01–24 or 30, third digit up to 6: distinguishes a cédula from a passport number of ten digits. */
const CEDULA = /^((?:0[1-9]|1[0-9]|2[0-4]|30)[0-6][0-9]{7})$/;
/** ETSI EN 319 412-1, 5.1.3 and 5.1.4. */
const ETSI_RUC = /^VATEC-([0-9]{10}001)$/;
const ETSI_CEDULA = /^IDCEC-((?:0[1-9]|1[0-9]|2[0-4]|30)[0-6][0-9]{7})$/;

/** A private enterprise number, below it the `3` that every authority chose, and an ending of Decreto 181. */
const DECREE_181_OID = /^1\.3\.6\.1\.4\.1\.[0-9]+(?:\.[0-9]+)?\.3\.([0-9]+)$/;
/** The cédula or passport. */
const PERSON_ENDING = '1';
/** The company's name. */
const COMPANY_ENDING = '10';
const RUC_ENDING = '11';

const SUBJECT_ALT_NAME = '2.5.29.17';
const ORGANIZATION_IDENTIFIER = '2.5.4.97';
const SERIAL_NUMBER = '2.5.4.5';

/** Tags inside GeneralName (RFC 5280, 4.2.1.6). */
const OTHER_NAME = 0xa0;
const DIRECTORY_NAME = 0xa4;

function named(entries: readonly Entry[], oid: string): Entry[] {
  return entries.filter((entry) => entry.oid === oid);
}

function firstMatch(entries: readonly Entry[], pattern: RegExp): string | null {
  for (const text of entries.flatMap(({ texts }) => texts)) {
    const match = pattern.exec(text)?.[1];
    if (match) return match;
  }
  return null;
}

/** Every value of a certificate under an OID: extensions first, then the alternative names, then the subject. */
function collectEntries({ extensions, subject }: CertificateFields): Entry[] {
  const own = [...extensions].map(([oid, content]) => ({ oid, texts: readLooseText(content) }));
  const named = subject.map(({ type, value }) => ({ oid: type, texts: readLooseText(value.bytes) }));
  return [...own, ...collectAltNames(extensions.get(SUBJECT_ALT_NAME)), ...named];
}

function collectAltNames(extension: Uint8Array | undefined): Entry[] {
  if (!extension) return [];
  try {
    return readDerSequence(readDer(extension).content).flatMap(toEntries);
  } catch {
    return []; // malformed alternative names can only hide a RUC; the certificate still signs
  }
}

function toEntries({ tag, content }: DerValue): Entry[] {
  if (tag === DIRECTORY_NAME) {
    return readNameParts(readDer(content))
      .flat()
      .map(({ type, value }) => ({ oid: type, texts: readLooseText(value.bytes) }));
  }
  const [type, value] = tag === OTHER_NAME ? readDerSequence(content) : [];
  return type && value ? [{ oid: readObjectIdentifier(type.content), texts: readLooseText(value.content) }] : [];
}

/** A DER string, one inside an OCTET STRING, or the bare octets: authorities use each form. */
function readLooseText(octets: Uint8Array): string[] {
  const outer = tryReadDer(octets);
  const value = outer?.tag === DER_TAG.octetString ? tryReadDer(outer.content) : outer;
  const text = (value && readText(value)) ?? decodeUtf8(outer?.tag === DER_TAG.octetString ? outer.content : octets);
  // Some authorities fill an unused OID with a NULL or with octets that are not text.
  return text === null || /[\u0000-\u001f\u007f]/.test(text) ? [] : [text.trim()];
}

function tryReadDer(octets: Uint8Array): DerValue | null {
  try {
    return readDer(octets);
  } catch {
    return null;
  }
}
