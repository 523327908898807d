import type { SignatureAlgorithm } from './signer.js';

/** Namespace of XML Signature. W3C «XML-Signature Syntax and Processing», 12 February 2002. */
export const DS = 'http://www.w3.org/2000/09/xmldsig#';
/** Namespace of XAdES, ETSI TS 101 903 v1.3.2. */
export const XADES = 'http://uri.etsi.org/01903/v1.3.2#';
/** Inclusive Canonical XML 1.0 without comments, the canonical form of comprobantes. */
export const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
/** Exclusive Canonical XML 1.0 without comments. The SRI authorizes documents signed with it. */
export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
/** The transform that removes the signature from its parent element. */
export const ENVELOPED_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
/** Type of the reference to SignedProperties. ETSI TS 101 903 v1.3.2, §6.3.1. */
export const SIGNED_PROPERTIES_TYPE = 'http://uri.etsi.org/01903#SignedProperties';

/** A digest, by its name in node:crypto and in XML. */
export interface DigestMethod {
  readonly hash: 'sha1' | 'sha256';
  readonly uri: string;
}

const SHA1: DigestMethod = { hash: 'sha1', uri: 'http://www.w3.org/2000/09/xmldsig#sha1' };
const SHA256: DigestMethod = { hash: 'sha256', uri: 'http://www.w3.org/2001/04/xmlenc#sha256' };

/** The digests allowed in a comprobante. */
export const DIGEST_METHODS = [SHA1, SHA256] as const;

/** The signatures allowed in a comprobante. Ficha técnica off-line v2.34, §6.8 names RSA-SHA1 only. */
export const SIGNATURE_METHODS = {
  'rsa-sha1': { uri: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', digest: SHA1 },
  'rsa-sha256': { uri: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', digest: SHA256 },
} as const satisfies Record<SignatureAlgorithm, { uri: string; digest: DigestMethod }>;
