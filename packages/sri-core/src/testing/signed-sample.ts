import type { KeyObject } from 'node:crypto';
import { hash, sign } from 'node:crypto';
import { createKeySigner } from '../signing/key-signer.js';
import { signCanonicalXml } from '../signing/xades.js';
import { DS } from '../signing/xmldsig.js';
import { canonicalize } from '../xml/c14n.js';
import type { CanonicalXml } from '../xml/canonical-xml.js';
import { findElements } from '../xml/elements.js';
import { parseDom } from '../xml/reader.js';
import { resign } from './resign.js';
import { createTestIdentity } from './test-p12.js';

/** A signed comprobante, its parts, and ways to damage it, for tests of verification. */
export const identity = await createTestIdentity();
export const { privateKey } = identity;
export const signer = createKeySigner(identity);
export const signingTime = new Date();
export const unsignedRoot = '<factura id="comprobante" version="1.1.0"><a>Ñandú</a><b>1.00</b></factura>';
export const unsigned = `<?xml version="1.0" encoding="UTF-8"?>\n${unsignedRoot}` as CanonicalXml;
export const signed = await signCanonicalXml(unsigned, signer, { signingTime });
export const certificateText = toBase64(identity.certificate);
export const signature = cut(/<ds:Signature .*<\/ds:Signature>/);
export const signedInfo = cut(/<ds:SignedInfo .*<\/ds:SignedInfo>/);
export const keyInfo = cut(/<ds:KeyInfo .*<\/ds:KeyInfo>/);
export const keyValue = cut(/<ds:KeyValue>.*<\/ds:KeyValue>/);
export const references = {
  signedProperties: cut(/<ds:Reference Id="SignedProp.*?<\/ds:Reference>/),
  keyInfo: cut(/<ds:Reference URI="#Cert.*?<\/ds:Reference>/),
  comprobante: cut(/<ds:Reference Id="Reference-ID.*?<\/ds:Reference>/),
};

/** Replaces text that must be present; without it the test would prove nothing. */
export function swap(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, () => to);
  if (result === text) throw new Error(`Nothing to replace: ${from}`);
  return result;
}

/** The signed document with another text in one place, signed again. */
export function resigned(from: string | RegExp, to: string): string {
  return resign(swap(signed, from, to), privateKey);
}

/** The signed document with another digest in one reference, and SignedInfo signed over it. */
export function redigest(reference: string, digested: string | Uint8Array, method: 'sha1' | 'sha256' = 'sha1'): string {
  const value = `<ds:DigestValue>${hash(method, digested, 'base64')}`;
  const changed = swap(signed, reference, swap(reference, /<ds:DigestValue>[^<]*/, value));
  return signText(canonicalSignedInfo(changed), privateKey, { xml: changed });
}

/** The signed document with a signature value over any text. */
export function signText(text: string, key: KeyObject, options: { hash?: string; xml?: string } = {}): string {
  const value = toBase64(sign(options.hash ?? 'sha1', Buffer.from(text), key));
  return swap(options.xml ?? signed, /(?<=<ds:SignatureValue[^>]*>)[^<]*/, value);
}

export function canonicalSignedInfo(xml = signed): string {
  const [found] = findElements(parseDom(xml, 1e6), DS, 'SignedInfo');
  return found ? canonicalize(found) : '';
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

// --- internal ---

function cut(part: RegExp): string {
  return part.exec(signed)?.[0] ?? '';
}
