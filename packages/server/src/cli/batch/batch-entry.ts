import { createHash } from 'node:crypto';
import type { CliText } from 'sri-core/cli';

/** An error in a row, for its author. */
export interface RowError {
  /** The file's name for it: a column, or a line number. */
  readonly field: string;
  readonly message: CliText;
}

/** One document of a file: its source lines, and its creation body or its errors. */
export interface BatchEntry {
  /** Its identity within the file: its reference, or its content and its place among equal rows. */
  readonly identity: string;
  readonly reference: string | null;
  /** From 1, as in an editor. */
  readonly lines: readonly number[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly errors: readonly RowError[];
  /** The lines of the original file, as a file of errors states them; empty in any other file. */
  readonly originLines: readonly number[];
  /** The file's name for a field of the body, such as `buyer.email`; null if the file has no name for it. */
  columnOf(field: string): string | null;
}

/** A file of documents. */
export interface BatchFile {
  readonly entries: readonly BatchEntry[];
  /** The original lines of the entries with their errors, in a form that can be corrected and issued alone. */
  writeErrors(failed: readonly { readonly entry: BatchEntry; readonly error: string }[]): string;
}

/** A field as users find it: the file's name first, then the body's. */
export function nameField({ columnOf }: Pick<BatchEntry, 'columnOf'>, field: string): string {
  const column = columnOf(field);
  return column === null ? field : `${column} (${field})`;
}

/** A digest of an entry's content: it changes with the content. */
export function digestOf({ body }: Pick<BatchEntry, 'body'>): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

/** Gives each entry its identity: two equal rows are two documents, and moving a row changes nothing. */
export function identify(entries: readonly Omit<BatchEntry, 'identity'>[]): readonly BatchEntry[] {
  const alike = new Map<string, number>();
  return entries.map((entry) => {
    if (entry.reference !== null) return { ...entry, identity: `ref:${entry.reference}` };
    const digest = digestOf(entry);
    const count = (alike.get(digest) ?? 0) + 1;
    alike.set(digest, count);
    return { ...entry, identity: `row:${digest}:${count}` };
  });
}
