import { MAX_FOREIGN_XML_BYTES } from '../signing/foreign-xml.js';
import { verifyXml } from '../signing/verify.js';
import { DS } from '../signing/xmldsig.js';
import { canonicalize } from '../xml/c14n.js';
import { readDocument } from '../xml/document.js';
import { findElements } from '../xml/elements.js';

/**
 * Compares the SRI's `<comprobante>` text with the file signed here. `same`: it is that file in canonical form, and its own
 * signature verifies. `another`: it carries another signature, so it is another document. `spoilt`: neither, so that the
 * text is useless.
 */
export type Comparison = 'same' | 'another' | 'spoilt';

/**
 * Compares the two. The SRI returns documents with another declaration or other line ends, which the canonical form drops.
 * Time is linear in the size of the text. A text above the size limit of a comprobante is not read.
 */
export async function compareComprobante(text: string, signedXml: string): Promise<Comparison> {
  if (text === signedXml) return 'same';
  const theirs = readSigned(text);
  const ours = readSigned(signedXml);
  if (!theirs || !ours) return 'spoilt';
  if (theirs.signatureValue !== ours.signatureValue) return 'another';
  if (theirs.canonical !== ours.canonical) return 'spoilt';
  return (await verifyXml(text)).valid ? 'same' : 'spoilt';
}

// --- internal ---

interface SignedText {
  /** Without white space; the base64 of a signature may be wrapped. */
  readonly signatureValue: string;
  readonly canonical: string;
}

/** Null when the text cannot be canonicalized as XML or carries no signature. */
function readSigned(text: string): SignedText | null {
  try {
    const { root } = readDocument(text, MAX_FOREIGN_XML_BYTES);
    const value = findElements(root, DS, 'SignatureValue')[0]?.textContent?.replace(/\s+/g, '');
    return value ? { signatureValue: value, canonical: canonicalize(root) } : null;
  } catch {
    return null;
  }
}
