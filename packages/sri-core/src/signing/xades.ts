import { type KeyObject, sign, verify } from 'node:crypto';
import { isAnyArrayBuffer } from 'node:util/types';
import { SignatureError } from '../errors.js';
import type { CanonicalXml } from '../xml/canonical-xml.js';
import {
  type PreparedSignature,
  prepareSignature,
  type SigningOptions,
  type UnsignedDocument,
} from './prepare-signature.js';
import type { Signer, SigningCertificate } from './signer.js';
import { DS, SIGNATURE_METHODS, XADES } from './xmldsig.js';

export type { SigningOptions } from './prepare-signature.js';

/**
 * Signs a document of this library: adds XAdES-BES inside the root and changes nothing else. The document is not parsed,
 * because its text is its own canonical form.
 *
 * @throws SignatureError when the signer returns a value that its certificate's key cannot have made; the signer's errors.
 * @see Ficha técnica off-line v2.34, §6 and Anexo 14; ETSI TS 101 903 v1.3.2, §4.4.1.
 */
export async function signCanonicalXml(xml: CanonicalXml, signer: Signer, options: SigningOptions): Promise<string> {
  return signPrepared(prepareSignature(cutCanonicalXml(xml), signer.certificate, options), signer);
}

/**
 * The same with a key in memory, on this thread. The first signature of each `key` object is verified.
 *
 * @throws SignatureError when the key does not match the certificate.
 */
export function signCanonicalXmlSync(
  xml: CanonicalXml,
  key: { readonly certificate: SigningCertificate; readonly privateKey: KeyObject },
  options: SigningOptions,
): string {
  const prepared = prepareSignature(cutCanonicalXml(xml), key.certificate, options);
  const value = sign(SIGNATURE_METHODS[prepared.algorithm].digest.hash, prepared.signedInfo, key.privateKey);
  prove(prepared, key.certificate, value, key);
  return prepared.complete(value);
}

/**
 * The size in bytes of the signed document, computed without signing. A signature is as long as the modulus of its key.
 */
export function signedSizeOf(xml: CanonicalXml, certificate: SigningCertificate, options: SigningOptions): number {
  // A signing certificate has an RSA key; Node's types leave the length open for keys of other kinds.
  const { modulusLength } = certificate.x509.publicKey.asymmetricKeyDetails as { modulusLength: number };
  const prepared = prepareSignature(cutCanonicalXml(xml), certificate, options);
  return Buffer.byteLength(prepared.complete(new Uint8Array(Math.ceil(modulusLength / 8))));
}

/**
 * Signs a prepared signature. What the signer returns is verified against its certificate: of a key in this process the first
 * result, of any other each one.
 */
export async function signPrepared(prepared: PreparedSignature, signer: Signer): Promise<string> {
  const value = await signer.sign(prepared.signedInfo, prepared.algorithm);
  prove(prepared, signer.certificate, value, 'signSync' in signer ? signer : null);
  return prepared.complete(value);
}

// --- internal ---

const proven = new WeakSet<object>();

/**
 * A token or KMS with the wrong key would otherwise show only in the SRI's rejection of every document.
 *
 * @param key does not change, so that one proof holds; null for a key that may, such as in a KMS with rotation.
 */
function prove(
  { algorithm, signedInfo }: PreparedSignature,
  { x509 }: SigningCertificate,
  value: Uint8Array,
  key: object | null,
): void {
  if (key && proven.has(key)) return;
  if (!isSignature(value) || !verify(SIGNATURE_METHODS[algorithm].digest.hash, signedInfo, x509.publicKey, value)) {
    throw new SignatureError('The signer did not sign with the key of its certificate.');
  }
  if (key) proven.add(key);
}

/** Whether a signer in plain JavaScript returned bytes. WebCrypto returns an ArrayBuffer. */
function isSignature(value: unknown): boolean {
  return ArrayBuffer.isView(value) || isAnyArrayBuffer(value);
}

const NO_IDS: ReadonlySet<string> = new Set();
const NAMESPACES = ` xmlns:ds="${DS}" xmlns:etsi="${XADES}"`;

function cutCanonicalXml(xml: CanonicalXml): UnsignedDocument {
  const end = xml.lastIndexOf('</');
  // After the declaration and its line end; without a declaration, at the start.
  const start = xml.startsWith('<?xml') ? xml.indexOf('<', 5) : 0;
  return {
    before: xml.slice(0, end),
    after: xml.slice(end),
    canonicalRoot: xml.slice(start, xml.lastIndexOf('>') + 1),
    namespaces: NAMESPACES,
    xmlAttributes: '',
    takenIds: NO_IDS,
  };
}
