import { toIsoDate, toIssueDate } from 'sri-core';

/** Dollars as decimal text above zero with at most two decimals, or null. */
export function readPriceText(text: string): string | null {
  return /^(?:0|[1-9]\d{0,6})(?:\.\d{1,2})?$/.test(text) && Number(text) > 0 ? text : null;
}

/** A moment in ISO 8601 with its zone, or null. Later years than 9999 have another form in answers. */
export function readTimestamp(text: string): Date | null {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;
  if (!form.test(text)) return null;
  const date = new Date(text);
  // A 31st of April would become the 1st of May.
  const isReal = toIsoDate(toIssueDate(text.slice(0, 10))) !== null;
  return isReal && date.getTime() <= LATEST ? date : null;
}

// --- internal ---

const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
