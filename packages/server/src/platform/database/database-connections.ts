import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Pool } from 'pg';
import {
  createPostgresStorage,
  createSqliteStorage,
  type JoinCommit,
  type KyselyStorage,
  type MigrationPlan,
  openPostgresPool,
  parseServerAddress,
} from 'sri-storage-adapters';
import { isCheckedAtStart, requireWholeFile } from './file-check.js';
import type { ServerTables } from './tables.js';

/** Connections to a database. */
export interface ConnectionFigures {
  readonly total: number;
  readonly idle: number;
  /** Requests that wait for one. */
  readonly waiting: number;
}

/** A database connection: to a file, or to a server. */
export interface OpenedStorage {
  /** A separate connection, opened on first use. */
  openAside(): { readonly storage: KyselyStorage<ServerTables>; close(): Promise<void> };
  readonly storage: KyselyStorage<ServerTables>;
  readonly place: string;
  readonly sqliteVersion: string | null;
  connections(): ConnectionFigures | null;
  close(): Promise<void>;
}

/** Options of opening a database. */
export interface DatabaseAccess {
  readonly joinCommit: JoinCommit<ServerTables>;
  /** The migrations of the server's own tables. */
  readonly plans: readonly MigrationPlan[];
  /** The database rejects every write. */
  readonly readOnly: boolean;
  /** A SQLite file of up to 1 GiB is checked before it is used. */
  readonly looksThrough: boolean;
  /** A statement on PostgreSQL may take ten minutes instead of thirty seconds. */
  readonly isPatient: boolean;
}

/** Opens a SQLite file; creates it if it does not exist. */
export async function openFile(
  path: string,
  { joinCommit, plans, readOnly, looksThrough }: DatabaseAccess,
): Promise<OpenedStorage> {
  await mkdir(dirname(path), { recursive: true });
  // Only the server's account may read the file; SQLite gives its other files the same rights.
  if (!existsSync(path)) await (await open(path, 'a', 0o600)).close();
  if (looksThrough && (await isCheckedAtStart(path))) await requireWholeFile(path);
  const { default: BetterSqlite } = await import('better-sqlite3');
  const database = new BetterSqlite(path, { readonly: readOnly });
  return {
    openAside() {
      const aside = new BetterSqlite(path, { readonly: readOnly });
      return {
        storage: createSqliteStorage<ServerTables>({ database: aside, plans, busyWaitMs: ASIDE_BUSY_MS }),
        close: async () => {
          aside.close();
        },
      };
    },
    storage: createSqliteStorage<ServerTables>({ database, joinCommit, plans }),
    place: path,
    sqliteVersion: String(database.prepare('select sqlite_version()').pluck().get()),
    connections: () => null,
    close: async () => {
      database.close();
    },
  };
}

/**
 * Creates the pool of connections to PostgreSQL; the first one opens when needed.
 * @param place.schema the one schema of all tables; null for the first of the account's search path.
 * @throws ServerAddressError
 */
export async function openServer(
  { url, schema }: { readonly url: string; readonly schema: string | null },
  { joinCommit, plans, readOnly, isPatient }: DatabaseAccess,
): Promise<OpenedStorage> {
  const { pgbouncer, place } = parseServerAddress(url);
  const statementMs = isPatient ? 600_000 : 30_000;
  const within = schema === null ? {} : { schema };
  const pool = await openPostgresPool(url, {
    ...within,
    max: 10,
    connectionTimeoutMillis: 3_000,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: FROZEN_MS,
    // The server's own limit comes first. A machine or network that stops answering never reports anything.
    query_timeout: statementMs + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const aside = await openPostgresPool(url, {
    ...within,
    max: 1,
    // Kept open: a query that runs every few seconds should not need a new connection each time.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: ASIDE_MS,
    statement_timeout: ASIDE_MS,
    idle_in_transaction_session_timeout: ASIDE_MS,
    query_timeout: ASIDE_MS,
    keepAlive: true,
  });
  // Behind PgBouncer a setting of the session would be one of other clients as well.
  if (readOnly && !pgbouncer) for (const each of [pool, aside]) refuseWrites(each);
  const access = { plans, preparedStatements: !pgbouncer, readOnly, ...within };
  return {
    openAside: () => ({
      storage: createPostgresStorage<ServerTables>({ ...access, pool: aside }),
      close: () => aside.end(),
    }),
    storage: createPostgresStorage<ServerTables>({ ...access, pool, joinCommit }),
    place: `PostgreSQL, ${place}${schema === null ? '' : `, ${schema}`}`,
    sqliteVersion: null,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

// --- internal ---

function refuseWrites(pool: Pool): void {
  // A client that is lost earlier fails the query that needs it.
  pool.on('connect', (client) => void client.query('set default_transaction_read_only = on').catch(() => {}));
}

/**
 * PostgreSQL ends a transaction that sends nothing for this long: its process is frozen, or its machine is gone. Other
 * processes would wait for its rows until it comes back. A process that was only slow runs the transaction again.
 */
const FROZEN_MS = 10_000;

/** Queries on the separate connection are short, and their callers need a quick answer. */
const ASIDE_MS = 1_500;

/** Writes on the separate connection do not block others for long. */
const ASIDE_BUSY_MS = 50;
