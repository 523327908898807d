import { createHash } from 'node:crypto';
import type { Words } from 'sri-core/cli';

/** Something wrong with a row, for the person who wrote it. */
export interface RowError {
  /** What the file calls it: a column, or the number of a line. */
  readonly field: string;
  readonly message: Words;
}

/** One document of a file: the lines it comes from, and its creation body or what is wrong. */
export interface BatchEntry {
  /** What names it within its file: its reference, else what it says and which of several alike it is. */
  readonly identity: string;
  readonly reference: string | null;
  /** From 1, as an editor counts them. */
  readonly lines: readonly number[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly errors: readonly RowError[];
  /** The lines of another file these were taken from, as its file of errors tells them; empty where it is no such file. */
  readonly originLines: readonly number[];
  /** What the file calls a field of the body, such as `buyer.email`; null where it has no name of its own for it. */
  columnOf(field: string): string | null;
}

/** A file of documents. */
export interface BatchFile {
  readonly entries: readonly BatchEntry[];
  /** The lines of those entries as they were, with what is wrong, in a form that can be mended and issued by itself. */
  writeErrors(failed: readonly { readonly entry: BatchEntry; readonly error: string }[]): string;
}

/** A field as people find it: the file's own name first, then the body's. */
export function nameField({ columnOf }: Pick<BatchEntry, 'columnOf'>, field: string): string {
  const column = columnOf(field);
  return column === null ? field : `${column} (${field})`;
}

/** What an entry says, in short: another one says something else. */
export function digestOf({ body }: Pick<BatchEntry, 'body'>): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

/** Gives each entry its identity: two rows that say the same are two documents, and moving a row changes nothing. */
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
