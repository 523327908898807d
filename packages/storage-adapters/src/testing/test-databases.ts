import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, Pool } from 'pg';
import { inject } from 'vitest';
import type { JoinCommit, KyselyStorage } from '../kysely-storage.js';
import type { MigrationPlan } from '../migrations/migrator.js';
import { createPostgresStorage } from '../postgres/postgres.js';
import { poolInSchema } from '../postgres/postgres-schema.js';
import { createSqliteStorage, openSqlite } from '../sqlite/sqlite.js';
import type { PostgresAnswer } from './postgres-for-tests.js';

/** An empty database for one test; any number of storages can open it. */
export interface TestDatabase {
  /** A path, or a connection string: for tests that open it themselves. */
  readonly place: string;
  /** Opens a storage with its own connection (SQLite) or pool (PostgreSQL), like another process. */
  open<Tables = unknown>(options?: OpenOptions<Tables>): Promise<KyselyStorage<Tables>>;
  /** Closes what was opened, and removes the database. */
  remove(): Promise<void>;
}

/** How to open a storage. */
export interface OpenOptions<Tables> {
  readonly joinCommit?: JoinCommit<Tables>;
  readonly plans?: readonly MigrationPlan[];
  /** Default true. */
  readonly migrate?: boolean;
}

/** A kind of database that tests run on. */
export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Why it is not available here; null when it is. */
  readonly missing: string | null;
  create(): Promise<TestDatabase>;
}

export const SQLITE: DatabaseKind = { name: 'SQLite', missing: null, create: createSqliteDatabase };

/**
 * PostgreSQL, if it is available here.
 *
 * @throws in CI without PostgreSQL, because CI skips no test.
 */
export async function findPostgres(): Promise<DatabaseKind & { readonly url: string }> {
  const answer: PostgresAnswer = JSON.parse(await text(connect(inject('postgresAnswerPort'), '127.0.0.1')));
  if ('url' in answer) {
    return { name: 'PostgreSQL', missing: null, url: answer.url, create: () => createPostgresDatabase(answer.url) };
  }
  if (process.env['CI']) throw new Error(`PostgreSQL could not be started: ${answer.reason}`);
  return {
    name: 'PostgreSQL',
    missing: answer.reason,
    url: '',
    create: () => Promise.reject(new Error(answer.reason)),
  };
}

// --- internal ---

async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'sri-sqlite-'));
  const place = join(folder, 'test.db');
  const opened: { close(): unknown }[] = [];
  return {
    place,
    async open<Tables>({ migrate = true, ...options }: OpenOptions<Tables> = {}) {
      const database = await openSqlite(place);
      opened.push(database);
      const storage = createSqliteStorage<Tables>({ database, ...options });
      if (migrate) await storage.migrate();
      return storage;
    },
    async remove() {
      for (const database of opened) database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createPostgresDatabase(url: string): Promise<TestDatabase> {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await runStatement(url, `create schema ${schema}`);
  const place = new URL(url);
  place.searchParams.set('options', `-c search_path=${schema}`);
  const pools: Pool[] = [];
  return {
    place: place.href,
    async open<Tables>({ migrate = true, ...options }: OpenOptions<Tables> = {}) {
      const pool = new Pool({ ...poolInSchema(url, schema), max: 8 });
      pools.push(pool);
      const storage = createPostgresStorage<Tables>({ pool, schema, ...options });
      if (migrate) await storage.migrate();
      return storage;
    },
    async remove() {
      await Promise.all(pools.map((pool) => pool.end()));
      await runStatement(url, `drop schema ${schema} cascade`);
    },
  };
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
