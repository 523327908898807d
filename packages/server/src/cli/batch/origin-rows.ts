import type { CliText } from 'sri-core/cli';
import type { BatchEntry } from './batch-entry.js';
import type { Journal } from './journal.js';

/** The data of the original file in a file of errors, so that a row is corrected in one file and issued once. */
export interface OriginRows {
  /** Why an entry must not be issued from here: its row was issued from the other file. Null if it may. */
  findIssued(entry: BatchEntry): CliText | null;
  /** Records in the other file's journal that its row was issued from here. */
  noteMended(entry: BatchEntry, accessKey: string): Promise<void>;
}

/**
 * Reads where the rows of a file of errors come from.
 * @param parent the journal of the original file; null if it is missing.
 * @param name of the file of errors, as the other file's journal keeps it.
 */
export function readOriginRows(parent: Journal | null, name: string): OriginRows {
  const overlaps = (lines: readonly number[], { originLines }: BatchEntry) =>
    originLines.length > 0 && originLines.some((line) => lines.includes(line));
  /** The identity of a row in the original file, by its reference or by its line in the last complete run. */
  const rejectedAs = (entry: BatchEntry) =>
    [...(parent?.rejections ?? [])].find(
      ([identity, { lines }]) => (entry.reference !== null && identity === entry.identity) || overlaps(lines, entry),
    ) ?? null;
  return {
    findIssued(entry) {
      if (!parent) return null;
      const rejected = rejectedAs(entry);
      const own = rejected ? parent.entries.get(rejected[0]) : undefined;
      // A row that was rejected in the last complete run was not issued from there, whatever is on its line now.
      const issued = rejected
        ? own
        : (parent.entries.get(entry.reference === null ? '' : entry.identity) ??
          [...parent.entries.values()].find(({ lines }) => overlaps(lines, entry)));
      if (!issued || issued.mendedIn !== undefined) return null;
      return {
        es: `ya se emitió desde el otro archivo, donde se corrigió (clave de acceso ${issued.accessKey}): quite la fila de este.`,
        en: `was issued from the other file, where it was mended (access key ${issued.accessKey}): remove the row from this one.`,
      };
    },
    async noteMended(entry, accessKey) {
      const rejected = rejectedAs(entry);
      if (!parent || !rejected) return;
      const [identity, { lines, digest }] = rejected;
      const { reference } = entry;
      await parent.note(identity, { accessKey, reference, lines, status: null, digest, mendedIn: name });
    },
  };
}
