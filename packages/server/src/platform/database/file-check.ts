import { stat } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';
import { LocalizedError } from '../language.js';

/** A SQLite file whose pages are not what SQLite wrote. */
export class DatabaseDamagedError extends LocalizedError {
  readonly code = 'DATABASE_DAMAGED';

  override get name(): string {
    return 'DatabaseDamagedError';
  }
}

/**
 * Files up to this size are checked at each start. It reads every page, three seconds for each gigabyte that the machine
 * has in memory; `doctor` checks a larger one.
 */
export const CHECKED_AT_START_BYTES = 1024 ** 3;

/**
 * Has SQLite look through a whole file: each page, and that tables and indexes hold together. The process waits for it. It
 * has a connection of its own, whose memory is given back.
 *
 * @throws DatabaseDamagedError
 */
export async function requireWholeFile(path: string): Promise<void> {
  const { default: BetterSqlite } = await import('better-sqlite3');
  const database = new BetterSqlite(path, { readonly: true });
  const found = lookThrough(database);
  database.close();
  if (found === 'ok') return;
  const command = 'sri-server admin restore <file> --force';
  throw new DatabaseDamagedError({
    es: `El archivo de la base ${path} está dañado: ${found}. Guarde una copia y restaure un respaldo: ${command}`,
    en: `The database file ${path} is damaged: ${found}. Keep a copy of it, and restore a backup: ${command}`,
  });
}

/** Whether a file is small enough to be looked through at a start. */
export async function isCheckedAtStart(path: string): Promise<boolean> {
  return (await stat(path)).size <= CHECKED_AT_START_BYTES;
}

// --- internal ---

/** @returns `ok`, or the first thing that is wrong. */
function lookThrough(database: Database): string {
  try {
    return (
      String(database.pragma('quick_check(1)', { simple: true }))
        .split('\n')
        .at(-1) ?? ''
    );
  } catch (error) {
    // The first page is damaged so much that SQLite does not know the file.
    return error instanceof Error ? error.message : 'unknown';
  }
}
