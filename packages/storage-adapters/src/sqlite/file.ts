import { type BigIntStats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Database } from 'better-sqlite3';

/** The state of the files under an open database. */
export interface SqliteFile {
  /** Records a failure that shows damage. */
  note(error: unknown): void;
  /** @throws SqliteFileError when further writes would be lost or cause more damage. */
  requireSound(): void;
}

/**
 * Watches the files of a newly opened database: itself, its log, the log's index. SQLite keeps writing to a removed or
 * replaced file, and these commits are lost when the process ends.
 */
export function watchSqliteFile(database: Database): SqliteFile {
  const files = database.memory || database.readonly ? [] : identify(resolve(database.name));
  let damage: unknown = null;
  return {
    note(error) {
      if (isDamage(error)) damage ??= error;
    },
    requireSound() {
      if (damage) {
        throw new SqliteFileError(
          'SQLITE_CORRUPT',
          'The database file is damaged: nothing is written to it until it has been restored and the server restarted.',
          { cause: damage },
        );
      }
      const moved = files.find((file) => !isThere(file));
      if (!moved) return;
      throw new SqliteFileError(
        'SQLITE_READONLY_DBMOVED',
        `${moved.path} was removed or replaced while it was open: put it back, or restart the server.`,
      );
    },
  };
}

/** Whether SQLite found damaged pages. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

// --- internal ---

/** The file under a database is not the opened one. `code` is SQLite's own. */
class SqliteFileError extends Error {
  readonly code: 'SQLITE_READONLY_DBMOVED' | 'SQLITE_CORRUPT';

  constructor(code: SqliteFileError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  override get name(): string {
    return 'SqliteFileError';
  }
}

interface OpenedFile extends Pick<BigIntStats, 'dev' | 'ino'> {
  readonly path: string;
}

function identify(path: string): readonly OpenedFile[] {
  return ['', '-wal', '-shm'].flatMap((ending) => {
    const found = lookUp(path + ending);
    return found ? [{ path: path + ending, dev: found.dev, ino: found.ino }] : [];
  });
}

function isThere({ path, dev, ino }: OpenedFile): boolean {
  const found = lookUp(path);
  return found !== undefined && found.ino === ino && found.dev === dev;
}

function lookUp(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
