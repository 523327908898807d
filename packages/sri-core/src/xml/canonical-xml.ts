/**
 * XML in its own canonical form (inclusive C14N 1.0), except for its XML declaration and the line break after it. It has no
 * empty-element tags, ordered attributes, and every character escaped as in C14N. It can be hashed as it is. Only the writer
 * of comprobantes creates it.
 */
export type CanonicalXml = string & { readonly __canonicalXml: unique symbol };
