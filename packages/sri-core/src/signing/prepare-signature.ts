import { hash } from 'node:crypto';
import { ecuadorTimestamp } from '../calendar.js';
import { requireChoice, requireDate, requireOptions } from '../choice.js';
import { type Random, systemRandom } from '../random.js';
import { certificateParts } from './certificate-parts.js';
import { chooseSignatureIds } from './signature-ids.js';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm, type SigningCertificate } from './signer.js';
import { C14N, DS, ENVELOPED_SIGNATURE, SIGNATURE_METHODS, SIGNED_PROPERTIES_TYPE, XADES } from './xmldsig.js';

/** The options of a signature. */
export interface SigningOptions {
  /** Default `rsa-sha1`. */
  readonly algorithm?: SignatureAlgorithm;
  /** Written as SigningTime in Ecuador's time; the SRI rejects a time later than its own clock. */
  readonly signingTime: Date;
  /** Random source for the ids of the signature's parts. Default: the operating system's. */
  readonly random?: Random;
}

/** A document split at the place of its signature, with the facts that the signature needs. */
export interface UnsignedDocument {
  readonly before: string;
  readonly after: string;
  /** Canonical form of the root without a signature. */
  readonly canonicalRoot: string;
  /** Canonical declarations of the namespaces in scope inside ds:Signature, ds and etsi among them. */
  readonly namespaces: string;
  /** Canonical `xml:` attributes that the root passes to its children. */
  readonly xmlAttributes: string;
  /** Ids already used in the document. */
  readonly takenIds: ReadonlySet<string>;
}

/** A signature without its value. */
export interface PreparedSignature {
  readonly algorithm: SignatureAlgorithm;
  /** Canonical SignedInfo: the bytes to sign. */
  readonly signedInfo: Uint8Array;
  /** @returns the signed document. */
  complete(signatureValue: Uint8Array): string;
}

const OPTIONS = ['algorithm', 'signingTime', 'random'] satisfies (keyof SigningOptions)[];

/** Namespaces that ds:Signature declares for its content. */
export const SIGNATURE_NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['ds', DS],
  ['etsi', XADES],
]);

/**
 * Writes a signature without its value. SignedInfo, KeyInfo and SignedProperties are hashed as text. Each is therefore
 * written twice: as in the file, and in canonical form with the namespaces in scope.
 */
export function prepareSignature(
  document: UnsignedDocument,
  certificate: SigningCertificate,
  options: SigningOptions,
): PreparedSignature {
  requireDate(options?.signingTime, 'signingTime');
  requireOptions(OPTIONS, options, 'a signature');
  const algorithm = options.algorithm ?? 'rsa-sha1';
  requireChoice(SIGNATURE_ALGORITHMS, algorithm, 'algorithm');
  const { uri: signatureMethod, digest } = SIGNATURE_METHODS[algorithm];
  const parts = certificateParts(certificate);
  const id = chooseSignatureIds(document.takenIds, options.random ?? systemRandom);

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
