import { storageConformance } from 'sri-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KyselyStorage } from './kysely-storage.js';
import { findPostgres, type TestDatabase } from './testing/test-databases.js';

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

  it.each(storageConformance)('$name', async ({ run }) => {
    for (const table of TABLES_TO_EMPTY) await opened[0]?.kysely.deleteFrom(table).execute();
    await run(openEmptied());
  });

  it('reads bigint as a number, and leaves the parsers of others alone', async () => {
    const storage = await openEmptied()();
    const { total } = await storage.kysely
      .selectFrom('sri_documents')
      .select((expression) => expression.fn.countAll().as('total'))
      .executeTakeFirstOrThrow();
    expect(typeof total).toBe('number');
    const { types } = await import('pg');
    expect(types.getTypeParser(types.builtins.INT8)('1')).toBe('1');
  });
});

const TABLES_TO_EMPTY = ['sri_documents', 'sri_access_keys', 'sri_sequentials'] as const;
