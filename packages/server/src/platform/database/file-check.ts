import { stat } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';
import { LocalizedError } from '../language.js';

/** A SQLite file with pages that SQLite did not write. */
export class DatabaseDamagedError extends LocalizedError {
  readonly code = 'DATABASE_DAMAGED';

  override get name(): string {
    return 'DatabaseDamagedError';
  }
}

/**
 * Runs SQLite's check of a whole file: each page, and the consistency of tables and indexes. It blocks the process. It
 * uses a separate connection, whose memory is freed.
 * @throws DatabaseDamagedError; SQLite's error if the file cannot be read, which says nothing of its pages.
 */
export async function requireWholeFile(path: string): Promise<void> {
  const { default: BetterSqlite } = await import('better-sqlite3');
  const database = new BetterSqlite(path, { readonly: true });
  let found: string;
  try {
    found = lookThrough(database);
  } finally {
    database.close();
  }
  if (found === 'ok') return;
  const command = 'sri-server admin restore <file> --force';
  throw new DatabaseDamagedError({
    es: `El archivo de la base ${path} está dañado: ${found}. Guarde una copia y restaure un respaldo: ${command}`,
    en: `The database file ${path} is damaged: ${found}. Keep a copy of it, and restore a backup: ${command}`,
  });
}

/** Whether a file is small enough to be checked at a start. */
export async function isCheckedAtStart(path: string): Promise<boolean> {
  return (await stat(path)).size <= CHECKED_AT_START_BYTES;
}

// --- internal ---

/**
 * Files up to this size are checked at each start. The check reads every page: three seconds per gigabyte that is in
 * memory; `doctor` checks larger files.
 */
const CHECKED_AT_START_BYTES = 1024 ** 3;

/** @returns `ok`, or the first error. */
function lookThrough(database: Database): string {
  try {
    return (
      String(database.pragma('quick_check(1)', { simple: true }))
        .split('\n')
        .at(-1) ?? ''
    );
  } catch (error) {
    // The first page is so damaged that SQLite does not recognize the file.
    const isDamage = error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
    if (!isDamage) throw error;
    return error.message;
  }
}
