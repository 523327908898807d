import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, Pool } from 'pg';
import { inject } from 'vitest';
import { createPostgresStorage } from '../postgres.js';
import { createSqliteStorage, openSqlite } from '../sqlite.js';
import type { KyselyStorage } from '../kysely-storage.js';
import type { PostgresAnswer } from './postgres-for-tests.js';

/** A database of a test's own, at first empty, that any number of storages can be opened on. */
export interface TestDatabase {
  /** Another connection (SQLite) or pool (PostgreSQL), as another process would have. */
  open(): Promise<KyselyStorage>;
  /** Closes what was opened, and removes the database. */
  close(): Promise<void>;
}

/**
 * Where PostgreSQL is for these tests, or why there is none, for `describe.skipIf`.
 *
 * @throws in CI, where nothing may be skipped.
 */
export async function findPostgres(): Promise<PostgresAnswer> {
  const told: PostgresAnswer = JSON.parse(await text(connect(inject('postgresAnswerPort'), '127.0.0.1')));
  if ('reason' in told && process.env['CI']) throw new Error(`PostgreSQL could not be started: ${told.reason}`);
  return told;
}

/** A file in a temporary folder. `path` for tests that open it themselves. */
export async function createSqliteDatabase(): Promise<TestDatabase & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sri-sqlite-'));
  const path = join(folder, 'test.db');
  const opened: { close(): unknown }[] = [];
  return {
    path,
    async open() {
      const database = await openSqlite(path);
      opened.push(database);
      const storage = createSqliteStorage({ database });
      await storage.migrate();
      return storage;
    },
    async close() {
      for (const database of opened) database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A schema of the server's database. `connectionString` for tests that open it themselves. */
export async function createPostgresDatabase(
  url: string,
): Promise<TestDatabase & { readonly connectionString: string }> {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = async (statement: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await admin(`create schema ${schema}`);
  const connectionString = withSearchPath(url, schema);
  const pools: Pool[] = [];
  return {
    connectionString,
    async open() {
      const pool = new Pool({ connectionString, max: 8 });
      pools.push(pool);
      const storage = createPostgresStorage({ pool });
      await storage.migrate();
      return storage;
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
      await admin(`drop schema ${schema} cascade`);
    },
  };
}

// --- internal ---

function withSearchPath(url: string, schema: string): string {
  const address = new URL(url);
  address.searchParams.set('options', `-c search_path=${schema}`);
  return address.href;
}
