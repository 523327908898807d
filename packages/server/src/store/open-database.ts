import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql, type Transaction } from 'kysely';
import {
  type Clock,
  createUuidSource,
  type DocumentChange,
  type Storage,
  StorageUnavailableError,
  systemRandom,
} from 'sri-core';
import {
  type CoreTables,
  createPostgresStorage,
  createSqliteStorage,
  type JoinCommit,
  type KyselyStorage,
  moveNextSequential,
  openSqlite,
  pendingMigrations,
  runMigrations,
} from 'sri-storage-adapters';
import type { Config } from '../config.js';
import { queueMailOfChange } from '../mail/authorization-mail.js';
import { countNewDocuments } from '../tenancy/document-quota.js';
import { SERVER_MIGRATIONS } from './migrations.js';
import type { ServerDatabase, ServerTables, Tables } from './schema.js';

/** An opened database, its tables brought up to date. */
export interface OpenedDatabase {
  /** Core's part of it. */
  readonly storage: Storage;
  /** The server's own part of it. */
  readonly database: ServerDatabase;
  /** How it is named to people; without a password. */
  readonly place: string;
  /** @throws when it does not answer, or its tables are not those of this version. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the configured database, SQLite or PostgreSQL, and brings its tables up to date.
 *
 * @throws StorageUnavailableError or the driver's error when it cannot be opened; SchemaTooNewError when a newer version
 * has used it.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'quotaEnforcement'>,
  clock: Clock,
): Promise<OpenedDatabase> {
  const url = config.databaseUrl ?? `file:${join(config.dataDir, 'app.db')}`;
  const newId = createUuidSource(systemRandom);
  const companions: Companions = new WeakMap();
  const joinCommit: JoinCommit<ServerTables> = async ({ stored = [], change }, transaction) => {
    for (const [scope, count] of countByScope(stored.map(({ document }) => document))) {
      await countNewDocuments(transaction, { ...scope, count }, { clock, enforcement: config.quotaEnforcement });
    }
    if (!change) return;
    await queueMailOfChange(transaction, change, newId);
    await companions.get(change)?.(transaction);
  };
  const opened = url.startsWith('file:') ? await openFile(url.slice(5), joinCommit) : await openServer(url, joinCommit);
  try {
    await opened.storage.migrate();
    await runMigrations(opened.storage.kysely, opened.storage.traits, SERVER_MIGRATIONS);
  } catch (error) {
    await opened.close();
    throw error;
  }
  const database = toServerDatabase(opened.storage, companions);
  return {
    ...opened,
    database,
    async check() {
      await database.read((tables) => sql`select 1`.execute(tables));
      const missing = await pendingMigrations(opened.storage.kysely, opened.storage.traits, SERVER_MIGRATIONS);
      if (missing.length > 0) throw new Error(`Migrations that have not been run: ${missing.join(', ')}.`);
    },
  };
}

// --- internal ---

interface OpenedStorage {
  readonly storage: KyselyStorage<ServerTables>;
  readonly place: string;
  close(): Promise<void>;
}

async function openFile(path: string, joinCommit: JoinCommit<ServerTables>): Promise<OpenedStorage> {
  await mkdir(dirname(path), { recursive: true });
  const database = await openSqlite(path);
  return {
    storage: createSqliteStorage<ServerTables>({ database, joinCommit }),
    place: path,
    close: async () => {
      database.close();
    },
  };
}

async function openServer(url: string, joinCommit: JoinCommit<ServerTables>): Promise<OpenedStorage> {
  const { Pool } = await import('pg');
  const pool = new Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 3_000, statement_timeout: 30_000 });
  const { host, pathname } = new URL(url);
  return {
    storage: createPostgresStorage<ServerTables>({ pool, joinCommit }),
    place: `PostgreSQL, ${host}${pathname}`,
    close: () => pool.end(),
  };
}

/** What is written along with a change of core's, in its transaction. */
type Companions = WeakMap<DocumentChange, (tables: Tables) => Promise<void>>;

function toServerDatabase(storage: KyselyStorage<ServerTables>, companions: Companions): ServerDatabase {
  return {
    async read(work) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work(storage.kysely);
        } catch (error) {
          const failure = storage.traits.classify(error);
          if (failure === 'duplicate' || failure === 'other') throw error;
          if (failure === 'disconnected' && attempt < READ_ATTEMPTS) continue;
          throw new StorageUnavailableError('The database cannot be read at the moment.', { cause: error });
        }
      }
    },
    transaction: (work) => storage.transaction((transaction) => work(transaction)),
    changeDocument(change, also) {
      companions.set(change, also);
      return storage.changeDocument(change);
    },
    async setFirstSequential(tables, counter, first) {
      await moveNextSequential(coreTransaction(tables), counter, first);
    },
  };
}

const READ_ATTEMPTS = 3;

/** Core's counters know nothing of the server's tables, and the database does: the type is all that changes. */
function coreTransaction(transaction: unknown): Transaction<CoreTables> {
  return transaction as Transaction<CoreTables>;
}

type DocumentScope = Pick<Parameters<typeof countNewDocuments>[1], 'issuerId' | 'environment'>;

function countByScope(documents: readonly DocumentScope[]): Map<DocumentScope, number> {
  const counts = new Map<string, { readonly scope: DocumentScope; count: number }>();
  for (const { issuerId, environment } of documents) {
    const name = `${issuerId} ${environment}`;
    const entry = counts.get(name) ?? { scope: { issuerId, environment }, count: 0 };
    entry.count += 1;
    counts.set(name, entry);
  }
  return new Map([...counts.values()].map(({ scope, count }) => [scope, count]));
}
