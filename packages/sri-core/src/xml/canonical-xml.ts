/**
 * XML that is its own canonical form (inclusive C14N 1.0), its XML declaration and the line break after it aside: no
 * empty-element tags, attributes in order, every character escaped as C14N writes it. It can be hashed as it stands.
 * Only the writer of comprobantes makes it.
 */
export type CanonicalXml = string & { readonly __canonicalXml: unique symbol };
