import type { Database } from 'better-sqlite3';
import { Kysely, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { StorageUnavailableError } from 'sri-core';
import { CORE_MIGRATIONS } from './core-migrations.js';
import { createKyselyStorage, type JoinCommit, type KyselyStorage } from './kysely-storage.js';
import { createMigrationFence } from './migration-fence.js';
import type { MigrationPlan } from './migrator.js';
import type { CoreTables } from './schema.js';
import { isBusy, PatientSqliteDriver, TakingTurnsAdapter } from './sqlite-driver.js';
import { isDamage, watchSqliteFile } from './sqlite-file.js';
import type { DatabaseFailure, DialectTraits } from './traits.js';
import { BUSY_PAUSE_MS, BUSY_WAIT_MS } from './transaction.js';

/** What a SQLite storage is made of. */
export interface SqliteStorageOptions<Tables> {
  /** An opened better-sqlite3 database. It stays the caller's to close. */
  readonly database: Database;
  readonly joinCommit?: JoinCommit<Tables>;
  /** What the application beside core migrates. Once a newer version has run a step of it, writes are refused. */
  readonly plans?: readonly MigrationPlan[];
  /** How long a write waits while other processes write. Default 5000. The process goes on meanwhile, but for the start. */
  readonly busyWaitMs?: number;
}

/**
 * Keeps documents in a SQLite file. Several processes may share the file: writers take turns, and a commit is on the
 * disk before it is acknowledged. One process is one connection, on which its transactions follow one another.
 *
 * Sets write-ahead logging, synchronous FULL, foreign keys and a short busy timeout on the database. Call `migrate`
 * before the first use.
 *
 * @throws StorageUnavailableError when other processes hold the file's lock all the while.
 */
export function createSqliteStorage<Tables = unknown>(options: SqliteStorageOptions<Tables>): KyselyStorage<Tables> {
  const { database, joinCommit, plans = [], busyWaitMs = BUSY_WAIT_MS } = options;
  writeAhead(database, busyWaitMs);
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  // SQLite waits for other writers by stopping the whole process; the driver and the session wait without.
  database.pragma('busy_timeout = 2');
  database.pragma('journal_size_limit = 67108864');
  // A checkpoint waits for the disk twice, and copies a page once however many commits wrote it: seldom is better. 16 MB of log are read in no time after a crash.
  database.pragma('wal_autocheckpoint = 4000');
  // The default of 2 MB is less than what the indexes of a busy issuer are made of.
  database.pragma('cache_size = -32768');
  // The log is there once the file has been read.
  database.pragma('schema_version');
  const file = watchSqliteFile(database);
  const fence = createMigrationFence([CORE_MIGRATIONS, ...plans]);
  const kysely = new Kysely<CoreTables>({
    dialect: {
      createAdapter: () => new TakingTurnsAdapter(),
      createDriver: () => new PatientSqliteDriver(database, busyWaitMs, { file, fence }),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return createKyselyStorage({
    kysely,
    traits: SQLITE_TRAITS,
    joinCommit,
    busyWaitMs,
    requireSound: file.requireSound,
  });
}

/**
 * Opens a SQLite file, made when it is missing; its folder must exist. A convenience for applications that do not use
 * better-sqlite3 themselves.
 */
export async function openSqlite(path: string): Promise<Database> {
  const { default: BetterSqlite } = await import('better-sqlite3');
  return new BetterSqlite(path);
}

/** What shared queries need to know about SQLite. */
export const SQLITE_TRAITS: DialectTraits = {
  skipLocked: false,
  maxParameters: 32_766,
  writers: 1,
  nestsWrites: false,
  takesArrays: false,
  columns: { text: sql`text`, integer: sql`integer`, bigint: sql`integer`, bytes: sql`blob`, uuid: sql`text` },
  rowTable: sql`strict`,
  keyedTable: sql`without rowid, strict`,
  keepsKeysApart: false,
  sweepsEarly: () => [],
  appendOnly: (table) =>
    (['update', 'delete'] as const).map(
      (
        change,
      ) => sql`create trigger ${sql.ref(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.table(table)}
        begin select raise(abort, 'This table is only added to.'); end`,
    ),
  isAmong: (column, values) => sql`${sql.ref(column)} in ${values}`,
  // Every transaction is the only writer already.
  lockMigrations: async () => {},
  lockSteps: async () => {},
  classify: classifySqlite,
};

// --- internal ---

/**
 * Of several processes that open a new file at the same moment one changes its journal. SQLite refuses the others at
 * once, whatever its own busy timeout, since each would wait for another's lock.
 */
function writeAhead(database: Database, busyWaitMs: number): void {
  const giveUpAt = performance.now() + busyWaitMs;
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= giveUpAt)
        throw new StorageUnavailableError('The database is busy with other writers.', { cause: error });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS * Math.random());
    }
  }
}

function classifySqlite(error: unknown): DatabaseFailure {
  if (error instanceof TypeError && error.message === 'The database connection is not open') return 'unavailable';
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (isBusy(error)) return 'busy';
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code)) return 'duplicate';
  if (code === 'SQLITE_ERROR' && error instanceof Error && error.message.startsWith('no such table:'))
    return 'unmigrated';
  return isDamage(error) || /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL|NOLFS|PERM|AUTH)/.test(code)
    ? 'unavailable'
    : 'other';
}
