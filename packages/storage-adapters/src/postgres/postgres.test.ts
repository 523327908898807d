import { Pool } from 'pg';
import { storageConformance } from 'sri-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KyselyStorage } from '../kysely-storage.js';
import { invoicesOf, sampleBatch } from '../testing/sample-batches.js';
import { findPostgres, type TestDatabase } from '../testing/test-databases.js';
import { createPostgresStorage } from './postgres.js';

const postgres = await findPostgres();

describe.skipIf(postgres.missing)('PostgreSQL storage', () => {
  let database: TestDatabase;
  const opened: KyselyStorage[] = [];
  beforeAll(async () => {
    database = await postgres.create();
  });
  afterAll(() => database.remove());

  /** The storages are kept from case to case, because connecting takes longer than most cases. */
  function openEmptied(): () => Promise<KyselyStorage> {
    let next = 0;
    return async () => {
      const storage = opened[next] ?? (await database.open());
      opened[next] = storage;
      next += 1;
      return storage;
    };
  }

  it.each(storageConformance)('the PostgreSQL storage keeps a promise of the port: $name', async ({ run }) => {
    for (const table of TABLES_TO_EMPTY) await opened[0]?.kysely.deleteFrom(table).execute();
    await run(openEmptied());
  });

  it('the PostgreSQL storage reads bigint as a number, and leaves the parsers of others alone', async () => {
    const storage = await openEmptied()();
    const { total } = await storage.kysely
      .selectFrom('sri_documents')
      .select((expression) => expression.fn.countAll().as('total'))
      .executeTakeFirstOrThrow();
    expect(typeof total).toBe('number');
    const { types } = await import('pg');
    expect(types.getTypeParser(types.builtins.INT8)('1')).toBe('1');
  });

  it('the PostgreSQL storage prepares each statement of a commit once, for any number of issuers and of keys', async () => {
    const pool = new Pool({ connectionString: database.place, max: 1 });
    const storage = createPostgresStorage({ pool });
    for (const issuers of [1, 2, 3]) {
      const counters = Array.from({ length: issuers }, () => invoicesOf());
      await Promise.all(counters.map((counter) => storage.storeDocuments(sampleBatch(1, 1, counter))));
      const query = storage.kysely.selectFrom('sri_sequentials').select('issuer_id');
      const ids = counters.map(({ issuerId }) => issuerId);
      expect(await query.where('issuer_id', 'in', ids).execute()).toHaveLength(issuers);
      expect(await query.where('issuer_id', 'in', ids).where('issuer_id', 'not in', ids).execute()).toEqual([]);
    }
    const { rows } = await pool.query<{ statement: string }>('select statement from pg_prepared_statements');
    await pool.end();
    const prepared = (part: string) => rows.filter(({ statement }) => statement.includes(part)).length;
    // With the documents, and alone for counters without a row.
    expect(prepared('update sri_sequentials as counter')).toBe(2);
    expect(prepared('"issuer_id" = any ($1)')).toBe(2);
  });
});

const TABLES_TO_EMPTY = ['sri_documents', 'sri_access_keys', 'sri_sequentials'] as const;
