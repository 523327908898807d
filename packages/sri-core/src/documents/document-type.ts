/** The documents this library issues: `01` invoice (factura), `04` credit note (nota de crédito). */
export type DocumentType = '01' | '04';

export const DOCUMENT_TYPES = ['01', '04'] as const satisfies readonly DocumentType[];

/** Whether the code names a document this library issues. */
export function isDocumentType(code: string): code is DocumentType {
  return (DOCUMENT_TYPES as readonly string[]).includes(code);
}
