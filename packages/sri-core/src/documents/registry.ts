import { creditNote } from './credit-note/index.js';
import type { DocumentType } from './document-type.js';
import { invoice } from './invoice/index.js';

/** Every type of comprobante that this library issues, by its code [codDoc]. */
export const DOCUMENTS = { '01': invoice, '04': creditNote } as const;

/** The code of a type that this library issues. */
export type DocumentTypeCode = keyof typeof DOCUMENTS;

/** The codes, in ascending order. */
export const DOCUMENT_TYPES = Object.keys(DOCUMENTS).toSorted() as readonly DocumentTypeCode[];

/** The type where a caller names none. */
export const DEFAULT_DOCUMENT_TYPE: DocumentTypeCode = '01';

/** Whether the code names a type that this library issues. */
export function isDocumentType(code: string): code is DocumentTypeCode {
  return Object.hasOwn(DOCUMENTS, code);
}

/** The type of a code. */
export function documentTypeOf(code: DocumentTypeCode): DocumentType {
  return DOCUMENTS[code];
}

/** The type whose XML has that root element; null for any other element. */
export function findByRoot(root: string): (DocumentType & { readonly code: DocumentTypeCode }) | null {
  return Object.values(DOCUMENTS).find((type) => type.root === root) ?? null;
}

/** What a document is made from. `documentType` names its type. */
export type DocumentBody = AnyType['examples'][number];

/** A checked document, its sums made, that only lacks its number: what the XML is written from. */
export type PreparedDocument = ReturnType<AnyType['prepare']>;

/** What a comprobante says, read back from its XML; `documentType` names its type. */
export type Comprobante = ReturnType<AnyType['read']>;

/**
 * Hands a body of unknown shape, such as parsed JSON, to `create`, `issue`, `rebuild` or `signDocument`, which take a typed
 * one. Nothing is checked here: they judge every body whole, whatever its type says, and throw `ValidationError`.
 */
export function uncheckedBody(json: unknown): DocumentBody {
  // The one cast, in the one place that says what it means.
  return json as DocumentBody;
}

// --- internal ---

type AnyType = (typeof DOCUMENTS)[DocumentTypeCode];
