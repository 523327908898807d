import type { Database, Statement } from 'better-sqlite3';
import { type DatabaseConnection, Kysely, SqliteAdapter, SqliteDriver, sql } from 'kysely';
import { SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createKyselyStorage, type JoinCommit, type KyselyStorage } from './kysely-storage.js';
import type { CoreTables } from './schema.js';
import { cacheStatements } from './sqlite-statements.js';
import { BUSY_WAIT_MS } from './transaction.js';
import type { DatabaseFailure, DialectTraits } from './traits.js';

/** What a SQLite storage is made of. */
export interface SqliteStorageOptions<Tables> {
  /** An opened better-sqlite3 database. It stays the caller's to close. */
  readonly database: Database;
  readonly joinCommit?: JoinCommit<Tables>;
}

/**
 * Keeps documents in a SQLite file. Several processes may share the file: writers take turns, and a commit is on the
 * disk before it is acknowledged. One process is one connection, on which its transactions follow one another.
 *
 * Sets write-ahead logging, synchronous FULL, foreign keys and the busy timeout on the database. Call `migrate` before
 * the first use.
 */
export function createSqliteStorage<Tables = unknown>(options: SqliteStorageOptions<Tables>): KyselyStorage<Tables> {
  const { database } = options;
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma(`busy_timeout = ${BUSY_WAIT_MS}`);
  database.pragma('journal_size_limit = 67108864');
  const kysely = new Kysely<CoreTables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new ImmediateDriver(database),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return createKyselyStorage(kysely, SQLITE_TRAITS, options.joinCommit);
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
  columns: { text: sql`text`, integer: sql`integer`, bigint: sql`integer`, bytes: sql`blob` },
  rowTable: sql`strict`,
  keyedTable: sql`without rowid, strict`,
  // Every transaction is the only writer already.
  lockMigrations: async () => {},
  classify: classifySqlite,
};

// --- internal ---

/**
 * Takes the write lock at the beginning of a transaction, so that none finds out half-way that another writer was there
 * first; and hardly waits for it, because waiting inside SQLite would stop the whole process. The session waits instead.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #database: Database;
  readonly #begin: Statement;
  readonly #waitBriefly: Statement;
  readonly #wait: Statement;

  constructor(database: Database) {
    super({ database: cacheStatements(database) });
    this.#database = database;
    this.#begin = database.prepare('begin immediate');
    this.#waitBriefly = database.prepare(`pragma busy_timeout = ${BEGIN_WAIT_MS}`);
    this.#wait = database.prepare(`pragma busy_timeout = ${BUSY_WAIT_MS}`);
  }

  override async beginTransaction(): Promise<void> {
    this.#waitBriefly.get();
    try {
      this.#begin.run();
    } finally {
      this.#wait.get();
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has rolled back by itself when the disk was full or failed.
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

const BEGIN_WAIT_MS = 2;

function classifySqlite(error: unknown): DatabaseFailure {
  if (error instanceof TypeError && error.message === 'The database connection is not open') return 'unavailable';
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'busy';
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code)) return 'duplicate';
  return /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL|NOLFS|PERM|AUTH)/.test(code) ? 'unavailable' : 'other';
}
