import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port where the tests' set-up returns the address of PostgreSQL. */
    postgresAnswerPort: number;
    /** The kinds of database that tests without a concurrent step run on. */
    databases: readonly string[];
  }
}

/** A separate, empty database for a test. */
export interface TestDatabase {
  /** The value of `DATABASE_URL`; null for a file in the server's own data directory. */
  readonly url: string | null;
  remove(): Promise<void>;
}

/** A kind of database that tests run on. */
export interface DatabaseKind {
  readonly name: string;
  /** Why it is not available; null if it is. */
  readonly missing: string | null;
  /** The server for a test's own schemas; null for a kind without a server. */
  readonly serverUrl: string | null;
  create(): Promise<TestDatabase>;
}

/** The kinds of database to test on: SQLite, and with `npm run test:full` also PostgreSQL. */
export async function databaseKinds(): Promise<readonly DatabaseKind[]> {
  if (!inject('databases').includes('PostgreSQL')) return [SQLITE];
  return everyDatabaseKind();
}

/** Every kind of database that a server may use, for tests of concurrency. */
export async function everyDatabaseKind(): Promise<readonly DatabaseKind[]> {
  const answer: { url?: string; reason?: string } = JSON.parse(
    await text(connect(inject('postgresAnswerPort'), '127.0.0.1')),
  );
  const missing = answer.reason ?? null;
  return [
    SQLITE,
    { name: 'PostgreSQL', missing, serverUrl: answer.url ?? null, create: () => createSchema(answer.url ?? '') },
  ];
}

/** A fresh schema on that PostgreSQL. */
export async function createSchema(serverUrl: string): Promise<TestDatabase & { readonly url: string }> {
  const schema = `server_${randomUUID().replaceAll('-', '')}`;
  const run = async (statement: string) => {
    const client = new Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`create schema ${schema}`);
  const url = new URL(serverUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return { url: url.href, remove: () => run(`drop schema ${schema} cascade`) };
}

// --- internal ---

const SQLITE: DatabaseKind = {
  name: 'SQLite',
  missing: null,
  serverUrl: null,
  create: async () => ({ url: null, remove: async () => {} }),
};
