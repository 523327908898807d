import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { KyselyStorage } from '../kysely-storage.js';
import { invoicesOf, sampleBatch } from '../testing/sample-batches.js';
import { findPostgres, type TestDatabase } from '../testing/test-databases.js';

const postgres = await findPostgres();

async function withDatabase(work: (database: TestDatabase) => Promise<void>) {
  const database = await postgres.create();
  try {
    await work(database);
  } finally {
    await database.remove();
  }
}

async function store(storage: KyselyStorage, count: number) {
  const counter = invoicesOf();
  await storage.storeDocuments(sampleBatch(1, count, counter));
}

/** The documents that the planner knows of. */
async function analyzed({ kysely }: KyselyStorage): Promise<number> {
  const { rows } = await sql<{ count: number }>`select reltuples as count from pg_class
    where oid = to_regclass('sri_documents')`.execute(kysely);
  return rows[0]?.count ?? Number.NaN;
}

it.skipIf(postgres.missing)('a new database has statistics after 256 documents, and again when it is larger', () =>
  withDatabase(async (database) => {
    const storage = await database.open();
    await store(storage, 255);
    expect(await analyzed(storage)).toBe(-1);
    await store(storage, 1);
    await expect.poll(() => analyzed(storage)).toBe(256);
    const { rows } = await sql`select tablename, attname from pg_stats
      where schemaname = current_schema() and n_distinct = -1 and attname in ('id', 'document_id', 'access_key')
        and tablename in ('sri_documents', 'sri_access_keys', 'sri_contents') order by 1, 2`.execute(storage.kysely);
    expect(rows).toEqual([
      { tablename: 'sri_access_keys', attname: 'access_key' },
      { tablename: 'sri_access_keys', attname: 'document_id' },
      { tablename: 'sri_contents', attname: 'document_id' },
      { tablename: 'sri_documents', attname: 'access_key' },
      { tablename: 'sri_documents', attname: 'id' },
    ]);
    await store(storage, 768);
    await expect.poll(() => analyzed(storage)).toBe(1024);
  }),
);

it.skipIf(postgres.missing)('a database with good statistics is not analyzed', () =>
  withDatabase(async (database) => {
    const filling = await database.open();
    await store(filling, 200);
    await sql`analyze sri_documents`.execute(filling.kysely);
    await store(filling, 40);
    const another = await database.open();
    await store(another, 200);
    await store(another, 56);
    await new Promise((resolve) => setImmediate(resolve));
    await store(another, 1);
    expect(await analyzed(another)).toBe(200);
  }),
);
