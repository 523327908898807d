import { hash, type KeyObject, sign, verify } from 'node:crypto';
import { ecuadorTimestamp } from '../calendar.js';
import { SignatureError } from '../errors.js';
import { type Random, randomDigits, systemRandom } from '../random.js';
import type { CanonicalXml } from '../xml/canonical-xml.js';
import { certificateParts } from './certificate-parts.js';
import type { SignatureAlgorithm, Signer, SigningCertificate } from './signer.js';
import { C14N, DS, ENVELOPED_SIGNATURE, SIGNATURE_METHODS, SIGNED_PROPERTIES_TYPE, XADES } from './xmldsig.js';

/** How a comprobante is signed. */
export interface SigningOptions {
  /** Default `rsa-sha1`. */
  readonly algorithm?: SignatureAlgorithm;
  /** Written as SigningTime in Ecuador's time; the SRI refuses one that is later than its own clock. */
  readonly signingTime: Date;
  /** For the digits in the ids of the signature's parts. Default: the operating system's. */
  readonly random?: Random;
}

/**
 * Signs a document that this library wrote: XAdES-BES inside the root, nothing else changed. The document is not parsed,
 * because its text is its own canonical form.
 *
 * @throws SignatureError when the signer's answer cannot be a signature by its certificate's key; what the signer throws.
 * @see Ficha técnica off-line v2.34, §6 and Anexo 14; ETSI TS 101 903 v1.3.2, §4.4.1.
 */
export async function signCanonicalXml(xml: CanonicalXml, signer: Signer, options: SigningOptions): Promise<string> {
  return signPrepared(prepareSignature(cutCanonicalXml(xml), signer.certificate, options), signer);
}

/** The same with a key at hand, on this thread. */
export function signCanonicalXmlSync(
  xml: CanonicalXml,
  key: { readonly certificate: SigningCertificate; readonly privateKey: KeyObject },
  options: SigningOptions,
): string {
  const prepared = prepareSignature(cutCanonicalXml(xml), key.certificate, options);
  return prepared.complete(
    sign(SIGNATURE_METHODS[prepared.algorithm].digest.hash, prepared.signedInfo, key.privateKey),
  );
}

/** A document cut where its signature goes, with what the signature needs to know of it. */
export interface UnsignedDocument {
  readonly before: string;
  readonly after: string;
  /** Canonical form of the root as it stands without a signature. */
  readonly canonicalRoot: string;
  /** Canonical declarations of the namespaces in scope inside ds:Signature, ds and etsi among them. */
  readonly namespaces: string;
  /** Canonical `xml:` attributes that the root passes on. */
  readonly xmlAttributes: string;
  /** Ids that the document already uses. */
  readonly takenIds: ReadonlySet<string>;
}

/** A signature that waits for its value. */
export interface PreparedSignature {
  readonly algorithm: SignatureAlgorithm;
  /** Canonical SignedInfo: the bytes to sign. */
  readonly signedInfo: Uint8Array;
  /** @returns the signed document. */
  complete(signatureValue: Uint8Array): string;
}

/** Namespaces that ds:Signature declares for what stands inside it. */
export const SIGNATURE_NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['ds', DS],
  ['etsi', XADES],
]);

/**
 * Writes a signature but for its value. SignedInfo, KeyInfo and SignedProperties are hashed as text, so each is written
 * twice: once as it stands in the file, and once as its canonical form begins, with the namespaces in scope.
 */
export function prepareSignature(
  document: UnsignedDocument,
  certificate: SigningCertificate,
  options: SigningOptions,
): PreparedSignature {
  const algorithm = options.algorithm ?? 'rsa-sha1';
  const { uri: signatureMethod, digest } = SIGNATURE_METHODS[algorithm];
  const parts = certificateParts(certificate);
  const id = chooseIds(document.takenIds, options.random ?? systemRandom);

  const part = (name: string, partId: string, content: string) => ({
    written: `<${name} Id="${partId}">${content}</${name}>`,
    canonical: `<${name}${document.namespaces} Id="${partId}"${document.xmlAttributes}>${content}</${name}>`,
  });
  const reference = (attributes: string, transforms: string, hashed: string) =>
    `<ds:Reference${attributes}>${transforms}<ds:DigestMethod Algorithm="${digest.uri}"></ds:DigestMethod>` +
    `<ds:DigestValue>${hash(digest.hash, hashed, 'base64')}</ds:DigestValue></ds:Reference>`;

  const keyInfo = part('ds:KeyInfo', id.keyInfo, parts.keyInfo);
  const signedProperties = part(
    'etsi:SignedProperties',
    id.signedProperties,
    `<etsi:SignedSignatureProperties><etsi:SigningTime>${ecuadorTimestamp(options.signingTime)}</etsi:SigningTime>` +
      `${parts.signingCertificate[algorithm]}</etsi:SignedSignatureProperties><etsi:SignedDataObjectProperties>` +
      `<etsi:DataObjectFormat ObjectReference="#${id.comprobanteReference}">` +
      '<etsi:Description>contenido comprobante</etsi:Description><etsi:MimeType>text/xml</etsi:MimeType>' +
      '</etsi:DataObjectFormat></etsi:SignedDataObjectProperties>',
  );
  const signedInfo = part(
    'ds:SignedInfo',
    id.signedInfo,
    `<ds:CanonicalizationMethod Algorithm="${C14N}"></ds:CanonicalizationMethod>` +
      `<ds:SignatureMethod Algorithm="${signatureMethod}"></ds:SignatureMethod>` +
      reference(
        ` Id="${id.signedPropertiesReference}" Type="${SIGNED_PROPERTIES_TYPE}" URI="#${id.signedProperties}"`,
        '',
        signedProperties.canonical,
      ) +
      reference(` URI="#${id.keyInfo}"`, '', keyInfo.canonical) +
      reference(
        ` Id="${id.comprobanteReference}" URI="#comprobante"`,
        `<ds:Transforms><ds:Transform Algorithm="${ENVELOPED_SIGNATURE}"></ds:Transform></ds:Transforms>`,
        document.canonicalRoot,
      ),
  );

  return {
    algorithm,
    signedInfo: Buffer.from(signedInfo.canonical),
    complete: (signatureValue) =>
      `${document.before}<ds:Signature xmlns:ds="${DS}" xmlns:etsi="${XADES}" Id="${id.signature}">${signedInfo.written}` +
      `<ds:SignatureValue Id="${id.signatureValue}">${Buffer.from(signatureValue).toString('base64')}</ds:SignatureValue>` +
      `${keyInfo.written}<ds:Object Id="${id.object}"><etsi:QualifyingProperties Target="#${id.signature}">` +
      `${signedProperties.written}</etsi:QualifyingProperties></ds:Object></ds:Signature>${document.after}`,
  };
}

/** Has a prepared signature signed. The first answer of each signer is checked against its certificate. */
export async function signPrepared(prepared: PreparedSignature, signer: Signer): Promise<string> {
  const { algorithm, signedInfo } = prepared;
  const value = await signer.sign(signedInfo, algorithm);
  if (!proven.has(signer)) {
    // A token or a KMS that was given another key would show only in the SRI's refusal of every document.
    if (!verify(SIGNATURE_METHODS[algorithm].digest.hash, signedInfo, signer.certificate.x509.publicKey, value)) {
      throw new SignatureError('The signer did not sign with the key of its certificate.');
    }
    proven.add(signer);
  }
  return prepared.complete(value);
}

// --- internal ---

const proven = new WeakSet<Signer>();
const NO_IDS: ReadonlySet<string> = new Set();
const NAMESPACES = ` xmlns:ds="${DS}" xmlns:etsi="${XADES}"`;

function cutCanonicalXml(xml: CanonicalXml): UnsignedDocument {
  const end = xml.lastIndexOf('</');
  // After the declaration and its line end; without a declaration the root is the first thing.
  const start = xml.startsWith('<?xml') ? xml.indexOf('<', 5) : 0;
  return {
    before: xml.slice(0, end),
    after: xml.slice(end),
    canonicalRoot: start === 0 ? xml : xml.slice(start),
    namespaces: NAMESPACES,
    xmlAttributes: '',
    takenIds: NO_IDS,
  };
}

type Ids = ReturnType<typeof toIds>;

/** The habit of authorised files; only that no two are equal matters. */
function toIds(digits: string) {
  return {
    signature: `Signature${digits}`,
    signedInfo: `Signature-SignedInfo${digits}`,
    signedPropertiesReference: `SignedPropertiesID${digits}`,
    signedProperties: `Signature${digits}-SignedProperties${digits}`,
    signatureValue: `SignatureValue${digits}`,
    keyInfo: `Certificate${digits}`,
    comprobanteReference: `Reference-ID-${digits}`,
    object: `Signature${digits}-Object${digits}`,
  };
}

function chooseIds(taken: ReadonlySet<string>, random: Random): Ids {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const ids = toIds(randomDigits(random, 6));
    if (taken.size === 0 || !Object.values(ids).some((id) => taken.has(id))) return ids;
  }
  throw new SignatureError('No free id was found for the signature: the document holds ids of every kind.');
}
