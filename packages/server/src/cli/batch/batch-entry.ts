import { createHash } from 'node:crypto';
import type { Words } from 'sri-core/cli';

/** Something wrong with a row, for the person who wrote it. */
export interface RowError {
  /** The column or field. */
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
}

/** A file of documents. */
export interface BatchFile {
  readonly entries: readonly BatchEntry[];
  /** The lines of those entries as they were, with what is wrong, in a form that can be mended and issued by itself. */
  writeErrors(failed: readonly { readonly entry: BatchEntry; readonly error: string }[]): string;
}

/** Gives each entry its identity: two rows that say the same are two documents, and moving a row changes nothing. */
export function identify(entries: readonly Omit<BatchEntry, 'identity'>[]): readonly BatchEntry[] {
  const alike = new Map<string, number>();
  return entries.map((entry) => {
    if (entry.reference !== null) return { ...entry, identity: `ref:${entry.reference}` };
    const digest = createHash('sha256').update(JSON.stringify(entry.body)).digest('hex');
    const count = (alike.get(digest) ?? 0) + 1;
    alike.set(digest, count);
    return { ...entry, identity: `row:${digest}:${count}` };
  });
}
