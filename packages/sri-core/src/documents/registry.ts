import { creditNote } from './credit-note/index.js';
import { debitNote } from './debit-note/index.js';
import { deliveryGuide } from './delivery-guide/index.js';
import type { DocumentType } from './document-type.js';
import { invoice } from './invoice/index.js';
import { purchaseSettlement } from './purchase-settlement/index.js';
import { withholding } from './withholding/index.js';

/** Every type of comprobante that this library issues, by its code [codDoc]. */
export const DOCUMENTS = {
  '01': invoice,
  '03': purchaseSettlement,
  '04': creditNote,
  '05': debitNote,
  '06': deliveryGuide,
  '07': withholding,
} as const;

/** The code of a type that this library issues. */
export type DocumentTypeCode = keyof typeof DOCUMENTS;

/** The codes, in ascending order. */
export const DOCUMENT_TYPES = Object.keys(DOCUMENTS).toSorted() as readonly DocumentTypeCode[];

/** The default type. */
export const DEFAULT_DOCUMENT_TYPE: DocumentTypeCode = '01';

/** Whether the code names a type that this library issues. */
export function isDocumentType(code: string): code is DocumentTypeCode {
  return Object.hasOwn(DOCUMENTS, code);
}

/** The type of a code. */
export function documentTypeOf(code: DocumentTypeCode): DocumentType {
  return DOCUMENTS[code];
}

/** The type with that root element; null for an unknown element. */
export function findByRoot(root: string): (DocumentType & { readonly code: DocumentTypeCode }) | null {
  return Object.values(DOCUMENTS).find((type) => type.root === root) ?? null;
}

/** The input of a document. `documentType` names its type. */
export type DocumentBody = AnyType['examples'][number];

/** A validated document with its sums, only without its number. The XML is written from it. */
export type PreparedDocument = Parameters<AnyType['write']>[0];

/** The validated document of a body: of its own type when `documentType` is known, else of any type. */
export type PreparedFor<Body> = Body extends { readonly documentType: infer Code extends DocumentTypeCode }
  ? Extract<PreparedDocument, { readonly documentType: Code }>
  : PreparedDocument;

/** The content of a comprobante, read from its XML; `documentType` names its type. */
export type Comprobante = ReturnType<AnyType['read']>;

/**
 * Casts a body of unknown shape, such as parsed JSON, for `create`, `issue`, `rebuild` or `signDocument`, which take a typed
 * one. Nothing is validated here: those calls validate every body and throw `ValidationError`.
 */
export function uncheckedBody(json: unknown): DocumentBody {
  // The only cast of this kind.
  return json as DocumentBody;
}

// --- internal ---

type AnyType = (typeof DOCUMENTS)[DocumentTypeCode];
