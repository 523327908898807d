import { requireXmlText } from '../xml/xml-text.js';
import type { VerificationReport } from './verification.js';

/**
 * Verifies the signature of a comprobante of any origin, and reports which part fails and why.
 *
 * Every digest is computed from the element itself, and reference targets are resolved by identity. Copies, wrapped
 * elements, repeated ids and comments inside values are therefore detected. A certificate of another taxpayer leaves the
 * signature valid and adds a warning: the SRI rejects it. Not checked: trust in the certificate's authority, revocation, and
 * the rest of the document.
 *
 * @param xml the whole file as text; up to 512 KiB of UTF-8 and 64 levels.
 * @param options `now` rejects a later SigningTime; absent, the time is not checked.
 * @throws TypeError when `xml` is not a text.
 * @returns a report; hostile input is reported, never thrown.
 * @see Ficha técnica off-line v2.34, §6; XMLDSig (2002), §3.2; ETSI TS 101 903 v1.3.2, §G.2.
 */
export async function verifyXml(xml: string, options: { readonly now?: Date } = {}): Promise<VerificationReport> {
  requireXmlText(xml);
  // Loaded on first use: a program that only signs and sends needs no XML parser.
  const { verifyDocument } = await import('./verify-document.js');
  return verifyDocument(xml, options.now ?? null);
}
