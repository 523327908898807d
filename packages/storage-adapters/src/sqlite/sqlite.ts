import type { Database } from 'better-sqlite3';
import { Kysely, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { StorageUnavailableError } from 'sri-core';
import { createKyselyStorage, type JoinCommit, type KyselyStorage } from '../kysely-storage.js';
import { CORE_MIGRATIONS } from '../migrations/core-migrations.js';
import { createMigrationFence } from '../migrations/migration-fence.js';
import type { MigrationPlan } from '../migrations/migrator.js';
import type { CoreTables } from '../sql/schema.js';
import type { DatabaseFailure, DialectTraits } from '../sql/traits.js';
import { BUSY_PAUSE_MS, BUSY_WAIT_MS } from '../sql/transaction.js';
import { isBusy, PatientSqliteDriver, TakingTurnsAdapter } from './driver.js';
import { isDamage, watchSqliteFile } from './file.js';

/** The parts of a SQLite storage. */
export interface SqliteStorageOptions<Tables> {
  /**
   * An opened better-sqlite3 database; the caller closes it. Only the storage uses it: tables of the application in the same
   * file go through `storage.kysely` and `storage.transaction`, or through another opened database.
   */
  readonly database: Database;
  readonly joinCommit?: JoinCommit<Tables>;
  /** The migrations of the application. Once a newer version has run a further step, writes are rejected. */
  readonly plans?: readonly MigrationPlan[];
  /** How long a write waits for other processes, in milliseconds. Default 5000. Only the start blocks the process. */
  readonly busyWaitMs?: number;
}

/**
 * Stores documents in a SQLite file. Several processes may share the file: writers take turns, and a commit is on disk
 * before it is acknowledged. A process has one connection, which runs its transactions one after another.
 *
 * Sets write-ahead logging, synchronous FULL, foreign keys and a short busy timeout on the database. Call `migrate`
 * before the first use.
 *
 * @throws StorageUnavailableError when other processes keep the file locked; TypeError without an opened database.
 */
export function createSqliteStorage<Tables = unknown>(options: SqliteStorageOptions<Tables>): KyselyStorage<Tables> {
  const { database, joinCommit, plans = [], busyWaitMs = BUSY_WAIT_MS } = options;
  // A path, or an `openSqlite` without its `await`, would fail at the first statement.
  if (!database?.pragma) throw new TypeError('database has to be an opened one, such as `await openSqlite(path)`.');
  // A connection for reading takes the journal as it is: a backup has no log.
  if (!database.readonly) writeAhead(database, busyWaitMs);
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  // SQLite's own wait blocks the process; the driver and the session wait asynchronously.
  database.pragma('busy_timeout = 2');
  database.pragma('journal_size_limit = 67108864');
  // A checkpoint flushes twice and copies each page once, so rare checkpoints are better. 16 MB of log are read quickly after a crash.
  database.pragma('wal_autocheckpoint = 4000');
  // The indexes of a busy issuer are larger than the default of 2 MB.
  database.pragma('cache_size = -32768');
  // The log exists once the file has been read.
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
 * Opens a SQLite file, or creates it; its folder must exist. For applications that do not use better-sqlite3 themselves.
 */
export async function openSqlite(path: string): Promise<Database> {
  // Without a name, as of an unset variable, SQLite opens a database that is gone when it is closed.
  if (typeof path !== 'string' || path === '') throw new TypeError('path has to be the path of a file.');
  const { default: BetterSqlite } = await import('better-sqlite3');
  return new BetterSqlite(path);
}

// --- internal ---

/** What shared queries need to know about SQLite. */
const SQLITE_TRAITS: DialectTraits = {
  skipLocked: false,
  maxParameters: 32_766,
  writers: 1,
  nestsWrites: false,
  takesArrays: false,
  mergesUnions: true,
  figureParts: 1,
  columns: { text: sql`text`, integer: sql`integer`, bigint: sql`integer`, bytes: sql`blob`, uuid: sql`text` },
  rowTable: sql`strict`,
  contentsTable: sql`strict`,
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
  lockWrites: () => [],
  isAmong: (column, values) => sql`${sql.ref(column)} in ${values}`,
  // LIKE would compare a part that almost matches at every place of a text, while no other request runs.
  holds: (text, part) => sql`instr(${text}, ${part}) > 0`,
  unindexed: (column) => sql`+${sql.ref(column)}`,
  readBy: (index) => sql`indexed by ${sql.ref(index)}`,
  // Each transaction is the only writer.
  lockMigrations: async () => {},
  lockSteps: async () => {},
  classify: classifySqlite,
};

/**
 * When several processes open a new file together, one changes its journal. SQLite rejects the others at once, without
 * regard to its busy timeout, because each would wait for another's lock.
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
