import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { CommandFailure, writeOutputFile } from 'sri-core/cli';

/** The batch that a journal belongs to. */
export interface BatchHead {
  /** The base of the idempotency keys. It stays when the file is corrected. */
  readonly id: string;
  readonly url: string;
  readonly issuerId: string;
  readonly startedAt: string;
  /** The folders of the first call. */
  readonly ride: string | null;
  readonly xml: string | null;
}

/** The last known outcome of a document. */
export interface JournalEntry {
  readonly accessKey: string;
  readonly reference: string | null;
  readonly lines: readonly number[];
  /** The last known status; null before the first one. */
  readonly status: string | null;
  /** The row's digest. */
  readonly digest: string;
  /** The file of errors that it was corrected and issued in; absent if it was issued from its own file. */
  readonly mendedIn?: string;
}

/** A row that was not issued, as of the last complete run over its file. */
export interface Rejection {
  readonly lines: readonly number[];
  readonly digest: string;
}

/**
 * A journal of issued documents, one line each, written as it happens. It saves work and informs users. A lost or
 * truncated line does no harm: the idempotency keys prevent a second document.
 */
export interface Journal {
  readonly head: BatchHead;
  readonly entries: ReadonlyMap<string, JournalEntry>;
  /** The rows not issued in the last complete run over the file, by identity. */
  readonly rejections: ReadonlyMap<string, Rejection>;
  note(identity: string, entry: JournalEntry): Promise<void>;
  /** Replaces the recorded rows that were not issued. */
  noteRejections(rejections: ReadonlyMap<string, Rejection>): Promise<void>;
}

/** Reads a journal; null if the file does not exist. @throws CommandFailure JOURNAL_INVALID */
export async function openJournal(path: string): Promise<Journal | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const [first, ...rest] = text.split('\n').map(parseLine);
  if (!isHead(first)) {
    throw new CommandFailure('JOURNAL_INVALID', {
      es: `${JSON.stringify(path)} no es el diario de un lote. Muévalo a otro lugar solo si sabe que nada se emitió con él.`,
      en: `${JSON.stringify(path)} is not the journal of a batch. Move it away only if you know that nothing was issued with it.`,
    });
  }
  return toJournal(path, first, rest);
}

/** Starts a journal. Its file appears with its first line, before anything is issued. @throws as `writeOutputFile` */
export async function beginJournal(path: string, head: BatchHead): Promise<Journal> {
  await writeOutputFile(path, `${JSON.stringify(head)}\n`, { secret: true });
  return toJournal(path, head, []);
}

/**
 * The name of a batch: the same bytes and label are the same batch, with or without a journal. Issuers and environments
 * are no part of it: the server keeps their idempotency keys apart.
 */
export function batchId(bytes: Uint8Array, label: string): string {
  return createHash('sha256').update(`${label}\n`).update(bytes).digest('hex');
}

/** The idempotency key of a document of a batch. */
export function idempotencyKeyOf(batch: string, identity: string): string {
  return `batch-${createHash('sha256').update(`${batch}\n${identity}`).digest('hex')}`;
}

// --- internal ---

function toJournal(path: string, head: BatchHead, stored: readonly unknown[]): Journal {
  const entries = new Map<string, JournalEntry>(
    stored.filter(isNoted).map(({ identity, ...entry }) => [identity, entry]),
  );
  const rejections = new Map(stored.findLast(isRejections)?.rejected ?? []);
  return {
    head,
    entries,
    rejections,
    async noteRejections(found) {
      if (found.size === 0 && rejections.size === 0) return;
      rejections.clear();
      for (const [identity, rejection] of found) rejections.set(identity, rejection);
      await appendFile(path, `\n${JSON.stringify({ rejected: [...rejections] })}\n`);
    },
    async note(identity, entry) {
      entries.set(identity, entry);
      // Starts with a line end, so that a truncated line damages no other.
      await appendFile(path, `\n${JSON.stringify({ identity, ...entry })}\n`);
    },
  };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isHead(value: unknown): value is BatchHead {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['issuerId'] === 'string';
}

function isNoted(value: unknown): value is JournalEntry & { readonly identity: string } {
  return isObject(value) && ['identity', 'accessKey', 'digest'].every((name) => typeof value[name] === 'string');
}

function isRejections(value: unknown): value is { readonly rejected: readonly (readonly [string, Rejection])[] } {
  return isObject(value) && Array.isArray(value['rejected']);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
