import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import type { AppliedStep, MigrationFence } from '../migrations/migration-fence.js';
import { isRepeated, type RepeatedQuery } from '../sql/sqlite-repetition.js';
import { BUSY_PAUSE_MS } from '../sql/transaction.js';
import { type ConnectionLock, createConnectionLock } from './connection-lock.js';
import type { SqliteFile } from './file.js';

/** Tells Kysely that the driver serializes the use of its only connection. */
export class TakingTurnsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Kysely's driver for better-sqlite3, for a file with several writing processes.
 *
 * A transaction takes the write lock at its start, so that it cannot fail half-way. When the lock is taken it fails at once,
 * and the session retries; reads of this process continue. Statements outside transactions wait here. After each commit the
 * driver checks that the file is still in its place.
 */
export class PatientSqliteDriver extends SqliteDriver {
  readonly #guards: SqliteGuards;
  readonly #database: Database;
  readonly #statements: SqliteDatabase;
  readonly #busyWaitMs: number;
  readonly #turns: ConnectionLock = createConnectionLock();
  #connection: DatabaseConnection | null = null;

  constructor(database: Database, busyWaitMs: number, guards: SqliteGuards) {
    const statements = cacheStatements(database);
    super({ database: statements });
    this.#guards = guards;
    this.#database = database;
    this.#statements = statements;
    this.#busyWaitMs = busyWaitMs;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.take();
    this.#connection ??= new PatientConnection({
      database: this.#database,
      statements: this.#statements,
      busyWaitMs: this.#busyWaitMs,
      file: this.#guards.file,
      connection: await super.acquireConnection(),
    });
    return this.#connection;
  }

  override async releaseConnection(): Promise<void> {
    this.#turns.release();
  }

  override async beginTransaction(): Promise<void> {
    const { file, fence } = this.#guards;
    file.requireSound();
    // Otherwise the rollback below would end the transaction of the application.
    if (this.#database.inTransaction)
      throw new Error('The database is in a transaction of the application: open another for it.');
    try {
      this.#database.exec('begin immediate');
      requireKnownSteps(this.#statements, fence);
    } catch (error) {
      file.note(error);
      if (this.#database.inTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#guards.file.requireSound();
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has already rolled back after a full or failed disk.
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Guards against writes that would be lost, or would damage the database. */
export interface SqliteGuards {
  readonly file: SqliteFile;
  readonly fence: MigrationFence;
}

/** Whether another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code);
}

// --- internal ---

/** The parts of a connection. */
interface ConnectionParts {
  readonly database: Database;
  readonly statements: SqliteDatabase;
  readonly busyWaitMs: number;
  readonly file: SqliteFile;
  readonly connection: DatabaseConnection;
}

/** @throws StorageUnavailableError when a newer version has migrated the database. */
function requireKnownSteps(statements: SqliteDatabase, fence: MigrationFence): void {
  try {
    const [count] = statements.prepare('select count(*) as steps from sri_migrations').all([]) as { steps: number }[];
    if (count && fence.isJudged(count.steps)) return;
    fence.judge(statements.prepare('select namespace, name from sri_migrations').all([]) as AppliedStep[]);
  } catch (error) {
    // Before the first migration the table does not exist.
    if (!(error instanceof Error && error.message === 'no such table: sri_migrations')) throw error;
  }
}

class PatientConnection implements DatabaseConnection {
  readonly #parts: ConnectionParts;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { connection, database, busyWaitMs, file } = this.#parts;
    const giveUpAt = performance.now() + busyWaitMs;
    for (;;) {
      try {
        return isRepeated(query) ? this.#repeat<Row>(query) : await connection.executeQuery<Row>(query);
      } catch (error) {
        file.note(error);
        if (!isBusy(error) || database.inTransaction || performance.now() >= giveUpAt) throw error;
        await sleep(BUSY_PAUSE_MS * Math.random());
      }
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#parts.connection.streamQuery<Row>(query, chunkSize);
  }

  /** Returned rows, and the number of changed rows, are of all repetitions. */
  #repeat<Row>({ sql, repetitions }: RepeatedQuery): QueryResult<Row> {
    const { database, statements } = this.#parts;
    // Outside a transaction, a failure would leave half of the rows written.
    if (!database.inTransaction) throw new Error('A statement is repeated only within a transaction.');
    const statement = statements.prepare(sql);
    const rows: Row[] = [];
    let changes = 0;
    for (const values of repetitions) {
      if (statement.reader) rows.push(...(statement.all(values) as Row[]));
      else changes += Number(statement.run(values).changes);
    }
    return { rows, numAffectedRows: BigInt(statement.reader ? rows.length : changes) };
  }
}

/**
 * The part of a database that Kysely uses. It keeps prepared statements: compiling took longer than running most queries.
 */
function cacheStatements(database: Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement: SqliteStatement = database.prepare<unknown[]>(sql);
      // A change of the schema runs once, and invalidates prepared statements.
      if (/^\s*(create|alter|drop)\b/i.test(sql)) {
        statements.clear();
        return statement;
      }
      if (statements.size >= MOST_STATEMENTS) {
        const oldest = statements.keys().next();
        if (!oldest.done) statements.delete(oldest.value);
      }
      statements.set(sql, statement);
      return statement;
    },
  };
}

const MOST_STATEMENTS = 300;
