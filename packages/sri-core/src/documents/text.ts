/** The text as it is written into a document: runs of line breaks and tabs become one space, outer blanks go. */
export function normalizeText(text: string): string {
  return (BREAK.test(text) ? text.replace(BREAKS, ' ') : text).trim();
}

/** The text as it is written; null where there is none or it is blank. */
export function optionalText(text: string | null | undefined): string | null {
  return (text && normalizeText(text)) || null;
}

/** Whether XML can carry the text: no control characters but line breaks and tabs, no lone surrogates, no U+FFFE/F. */
export function isWritableText(text: string): boolean {
  return !UNWRITABLE.test(text) && text.isWellFormed();
}

// --- internal ---

const BREAK = /[\t\n\r]/;
const BREAKS = /[\t\n\r]+/g;
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/;
