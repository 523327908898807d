import { hash } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { canonicalize } from '../xml/c14n.js';
import { findElements, plainText } from '../xml/elements.js';
import { readBase64 } from './base64.js';
import type { SignatureParts } from './signature-parts.js';
import type { Cause } from './verification-advice.js';
import { DIGEST_METHODS, DS } from './xmldsig.js';

/** Tries the usual mistakes and returns the mistake that gives the digest of the comprobante's reference. */
export function whyComprobanteDiffers(text: string, { root, signature }: SignatureParts, digest: Buffer): Cause | null {
  const canonical = canonicalize(root, { omit: signature });
  if (matches(digest, canonical)) return 'otherDigestMethod';
  if (matches(digest, canonicalize(root, { omit: signature, blanks: false }))) return 'comprobanteReformatted';
  if (matches(digest, canonicalize(root, { omit: signature, comments: true }))) return 'commentsDigested';
  if (matches(digest, Buffer.from(canonical, 'latin1'))) return 'comprobanteEncoding';
  const unsigned = cutSignature(text, signature.tagName);
  const root0 = unsigned.search(/<[^?!]/);
  const spellings = [unsigned, unsigned.trimEnd(), unsigned.slice(root0), unsigned.slice(root0).trimEnd()];
  return spellings.some((spelling) => matches(digest, spelling)) ? 'comprobanteNotCanonical' : null;
}

/** The same for a part of the signature: SignedProperties, KeyInfo, and SignedInfo by the digest inside its signature. */
export function whyPartDiffers(part: Element, digest: Buffer): Cause | null {
  if (matches(digest, canonicalize(part))) return 'otherDigestMethod';
  if (matches(digest, canonicalize(part, { inherit: false }))) return 'inheritedNamespaces';
  if (matches(digest, canonicalize(part, { blanks: false }))) return 'reformatted';
  return null;
}

/** Signers usually call the reference to KeyInfo «Certificate…», and some digest the certificate for it. */
export function whyKeyInfoDiffers(keyInfo: Element, digest: Buffer): Cause | null {
  for (const element of findElements(keyInfo, DS, 'X509Certificate').slice(0, MAX_CERTIFICATES)) {
    const text = plainText(element);
    const der = readBase64(text);
    if (text !== null && der && (matches(digest, der) || matches(digest, text))) return 'keyInfoMistakenForCertificate';
  }
  return null;
}

// --- internal ---

const MAX_CERTIFICATES = 8;

function matches(digest: Buffer, data: string | Uint8Array): boolean {
  return DIGEST_METHODS.some((method) => hash(method.hash, data, 'base64') === digest.toString('base64'));
}

function cutSignature(text: string, tagName: string): string {
  const start = text.indexOf(`<${tagName}`);
  const end = text.indexOf('>', text.lastIndexOf(`</${tagName}`));
  return text.slice(0, start) + text.slice(end + 1);
}
