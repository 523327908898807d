/** Normalises a text for a document: each run of line breaks and tabs becomes one space, outer blanks are trimmed. */
export function normalizeText(text: string): string {
  return (BREAK.test(text) ? text.replace(BREAKS, ' ') : text).trim();
}

/** The normalised text; null when it is absent or blank. */
export function optionalText(text: string | null | undefined): string | null {
  return (text && normalizeText(text)) || null;
}

/** Whether XML can carry the text: no control characters except line breaks and tabs, no lone surrogates, no U+FFFE/F. */
export function isWritableText(text: string): boolean {
  return !UNWRITABLE.test(text) && text.isWellFormed();
}

// --- internal ---

const BREAK = /[\t\n\r]/;
const BREAKS = /[\t\n\r]+/g;
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/;
