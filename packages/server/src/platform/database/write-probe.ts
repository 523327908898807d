import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageUnavailableError } from 'sri-core';
import type { KyselyStorage } from 'sri-storage-adapters';
import type { ServerTables } from './tables.js';

/** Why what is written would not be kept. */
export const WRITE_FAULTS = [
  'FILE_MOVED',
  'FILE_DAMAGED',
  'DISK_FULL',
  'READ_ONLY',
  'NEWER_VERSION',
  'UNAVAILABLE',
] as const;
export type WriteFault = (typeof WRITE_FAULTS)[number];

/** What is written now would not be kept. */
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

/** What the probe works with. */
export interface WriteProbeParts {
  /** Whose writes it is about. */
  readonly storage: Pick<KyselyStorage, 'requireSound'>;
  /** A connection of its own, which waits for no other work of this process. */
  readonly aside: Pick<KyselyStorage<ServerTables>, 'transaction'>;
  /** Of the SQLite file; null where the database is a server. */
  readonly path: string | null;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

/**
 * Makes a check that writes a row. While it works it writes at most every two seconds, however often it is called.
 *
 * @throws WritesRefusedError, from what is returned.
 */
export function createWriteProbe({ storage, aside, path, now }: WriteProbeParts): () => Promise<void> {
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
      // Others write at this moment, so that one can.
      if (codeOf(error) === 'SQLITE_BUSY') return;
      throw toRefused(error);
    }
  };
}

// --- internal ---

/** How long a row that was written tells that another could be. */
const TRUSTED_MS = 2_000;

/** A document with all that is stored along takes less; SQLite writes to its log while there is room in that. */
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

/** What SQLite, PostgreSQL and the storage call it, the finer names first. */
const REASONS: readonly (readonly [RegExp, WriteFault])[] = [
  [/^SQLITE_READONLY_DBMOVED$/, 'FILE_MOVED'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'FILE_DAMAGED'],
  [/^(SQLITE_FULL|53100)$/, 'DISK_FULL'],
  [/^(SQLITE_READONLY|25006)/, 'READ_ONLY'],
  [/^STORAGE_SCHEMA_TOO_NEW$/, 'NEWER_VERSION'],
];

/** The code of what a failure of the storage comes from. */
function codeOf(error: unknown): string {
  const cause = error instanceof StorageUnavailableError ? error.cause : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
