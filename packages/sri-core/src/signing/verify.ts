import type { VerificationReport } from './verification.js';

/**
 * Verifies the signature of a comprobante, whoever signed it, and tells which part fails and why.
 *
 * Every digest is computed here from the element itself, and what the references point to is decided by identity, so that
 * copies, wrapped elements, repeated ids and comments inside values are found. A certificate of another taxpayer than the
 * issuer leaves the signature valid and is told in `warnings`: the SRI refuses it. Not judged: whether the certificate's
 * authority is trusted, whether it was revoked, and what else the document says.
 *
 * @param xml the whole file as text; up to 512 KiB of UTF-8 and 64 levels.
 * @param options `now` refuses a SigningTime that is later; left out, that is not looked at.
 * @throws TypeError when `xml` is no text.
 * @returns a report; hostile input is reported, never thrown.
 * @see Ficha técnica off-line v2.34, §6; XMLDSig (2002), §3.2; ETSI TS 101 903 v1.3.2, §G.2.
 */
export async function verifyXml(xml: string, options: { readonly now?: Date } = {}): Promise<VerificationReport> {
  if (typeof xml !== 'string') throw new TypeError('The XML has to be a text: decode its bytes as UTF-8 first.');
  // Loaded when first needed: who only signs and sends needs no XML parser for it.
  const { verifyDocument } = await import('./verify-document.js');
  return verifyDocument(xml, options.now ?? null);
}
