import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageUnavailableError } from 'sri-core';
import type { KyselyStorage } from 'sri-storage-adapters';
import type { ServerTables } from './tables.js';

/** Why a write would not be kept. */
export const WRITE_FAULTS = [
  'FILE_MOVED',
  'FILE_DAMAGED',
  'DISK_FULL',
  'READ_ONLY',
  'NEWER_VERSION',
  'UNAVAILABLE',
] as const;
export type WriteFault = (typeof WRITE_FAULTS)[number];

/** A write would not be kept now. */
export class WritesRefusedError extends Error {
  readonly code = 'WRITES_REFUSED';
  readonly reason: WriteFault;

  constructor(reason: WriteFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  override get name(): string {
    return 'WritesRefusedError';
  }
}

/** The parts of the probe. */
export interface WriteProbeDeps {
  /** The database whose writes are tested. */
  readonly storage: Pick<KyselyStorage, 'requireSound'>;
  /** A separate connection, which waits for no other work of this process. */
  readonly aside: Pick<KyselyStorage<ServerTables>, 'transaction'>;
  /** Of the SQLite file; null if the database is a server. */
  readonly path: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * Creates a check that writes a row. While writes succeed it writes at most every two seconds, however often it is
 * called.
 * @throws WritesRefusedError, from the returned function.
 */
export function createWriteProbe({ storage, aside, path, now }: WriteProbeDeps): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return async () => {
    try {
      storage.requireSound();
      if (path !== null) await requireRoom(dirname(path));
      if (now() - writtenAt < TRUSTED_MS) return;
      await aside.transaction((tables) =>
        tables.updateTable('write_probes').set({ written_at: Date.now() }).where('name', '=', 'readiness').execute(),
      );
      writtenAt = now();
    } catch (error) {
      // Another transaction is writing now, so writes succeed.
      if (codeOf(error) === 'SQLITE_BUSY') return;
      throw toRefused(error);
    }
  };
}

// --- internal ---

/** How long one successful write counts as proof. */
const TRUSTED_MS = 2_000;

/** A document with all its rows takes less; SQLite writes to its log while that has room. */
const LEAST_ROOM_BYTES = 512 * 1024;

async function requireRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < LEAST_ROOM_BYTES) throw new WritesRefusedError('DISK_FULL', 'The disk of the database is full.');
}

function toRefused(error: unknown): WritesRefusedError {
  if (error instanceof WritesRefusedError) return error;
  const code = codeOf(error);
  const [, reason = 'UNAVAILABLE'] = REASONS.find(([pattern]) => pattern.test(code)) ?? [];
  const cause = error instanceof StorageUnavailableError ? error.cause : error;
  const message = cause instanceof Error ? cause.message : 'unknown';
  return new WritesRefusedError(reason, message, { cause: error });
}

/** The codes of each fault in SQLite, PostgreSQL and the storage, with the specific codes first. */
const REASONS: readonly (readonly [RegExp, WriteFault])[] = [
  [/^SQLITE_READONLY_DBMOVED$/, 'FILE_MOVED'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'FILE_DAMAGED'],
  [/^(SQLITE_FULL|53100)$/, 'DISK_FULL'],
  [/^(SQLITE_READONLY|25006)/, 'READ_ONLY'],
  [/^STORAGE_SCHEMA_TOO_NEW$/, 'NEWER_VERSION'],
];

/** The code of a storage failure's cause. */
function codeOf(error: unknown): string {
  const cause = error instanceof StorageUnavailableError ? error.cause : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
