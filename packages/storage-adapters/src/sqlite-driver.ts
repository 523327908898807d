import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { type CompiledQuery, type DatabaseConnection, type QueryResult, SqliteDriver } from 'kysely';
import { cacheStatements } from './sqlite-statements.js';
import { BUSY_PAUSE_MS } from './transaction.js';

/**
 * Kysely's driver for better-sqlite3, made for a file that several processes write to.
 *
 * Transactions take the write lock at their beginning, so that none finds out half-way that another writer was there
 * first. When the lock is taken they fail at once, and the session tries again; meanwhile reads of this process go on.
 * Statements outside of transactions wait here.
 */
export class PatientSqliteDriver extends SqliteDriver {
  readonly #database: Database;
  readonly #busyWaitMs: number;
  #connection: DatabaseConnection | null = null;

  constructor(database: Database, busyWaitMs: number) {
    super({ database: cacheStatements(database) });
    this.#database = database;
    this.#busyWaitMs = busyWaitMs;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new PatientConnection(this.#database, this.#busyWaitMs, await super.acquireConnection());
    return this.#connection;
  }

  override async beginTransaction(): Promise<void> {
    this.#database.exec('begin immediate');
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has rolled back by itself when the disk was full or failed.
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Whether the failure is that another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code);
}

// --- internal ---

class PatientConnection implements DatabaseConnection {
  readonly #database: Database;
  readonly #busyWaitMs: number;
  readonly #connection: DatabaseConnection;

  constructor(database: Database, busyWaitMs: number, connection: DatabaseConnection) {
    this.#database = database;
    this.#busyWaitMs = busyWaitMs;
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const giveUpAt = performance.now() + this.#busyWaitMs;
    for (;;) {
      try {
        return await this.#connection.executeQuery<Row>(query);
      } catch (error) {
        if (!isBusy(error) || this.#database.inTransaction || performance.now() >= giveUpAt) throw error;
        await sleep(BUSY_PAUSE_MS * Math.random());
      }
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}
