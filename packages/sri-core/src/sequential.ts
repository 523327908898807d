/** The first number of an unused counter. */
export const FIRST_SEQUENTIAL = 1;
/** What stands for the number in a preview: no document has it. */
export const PREVIEW_SEQUENTIAL = 0;
/** The largest number of nine digits. */
export const LAST_SEQUENTIAL = 999_999_999;

/** Whether the value is a whole number of at most nine digits, from 1. */
export function isSequential(value: number): boolean {
  return Number.isInteger(value) && value >= FIRST_SEQUENTIAL && value <= LAST_SEQUENTIAL;
}

/** `7` → `000000007`, as `secuencial` and the access key carry it. */
export function formatSequential(sequential: number): string {
  return sequential.toString().padStart(9, '0');
}

/** `001-002-000000007`: the document number that people read. */
export function formatDocumentNumber(branchCode: string, issuePointCode: string, sequential: number): string {
  return `${branchCode}-${issuePointCode}-${formatSequential(sequential)}`;
}

/** Whether the text has the form `NNN-NNN-NNNNNNNNN`. */
export function isDocumentNumber(text: string): boolean {
  return /^\d{3}-\d{3}-\d{9}$/.test(text);
}
