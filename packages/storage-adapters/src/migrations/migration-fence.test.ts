import { sql } from 'kysely';
import { Client } from 'pg';
import { StorageUnavailableError } from 'sri-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DialectTraits, type KyselyStorage, runMigrations } from '../index.js';
import { invoicesOf, sampleBatch } from '../testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from '../testing/test-databases.js';

const postgres = await findPostgres();
const APP = { namespace: 'app', migrations: [{ name: '001-things', up: async () => {} }] };
const NEWER = { namespace: 'app', migrations: [...APP.migrations, { name: '002-more', up: async () => {} }] };

describe.each([SQLITE, postgres])('a newer version on $name', ({ missing, create }) => {
  describe.skipIf(missing)('a database that a newer version migrated', () => {
    let database: TestDatabase;
    let older: KyselyStorage;
    let newer: KyselyStorage;

    beforeAll(async () => {
      database = await create();
      older = await database.open({ plans: [APP] });
      newer = await database.open({ plans: [NEWER] });
      await runMigrations(older.kysely, older.traits, APP);
    });
    afterAll(() => database.remove());

    const refusal = { name: 'StorageUnavailableError', cause: { code: 'STORAGE_SCHEMA_TOO_NEW' } };

    it('an older version refuses every write after a newer migration, and continues to read', async () => {
      const counter = invoicesOf();
      expect(await older.storeDocuments(sampleBatch(1, 2, counter))).toEqual({ kind: 'stored' });
      await runMigrations(newer.kysely, newer.traits, NEWER);

      await expect(older.storeDocuments(sampleBatch(3, 1, counter))).rejects.toMatchObject(refusal);
      await expect(older.setNextSequential(counter, 9)).rejects.toMatchObject(refusal);
      await expect(older.transaction(async () => 1)).rejects.toBeInstanceOf(StorageUnavailableError);
      await expect(older.claimJobs({ now: new Date(), limit: 5, leaseMs: 1000 })).resolves.toEqual([]);
      expect((await older.listDocuments(counter, { page: 1, limit: 9 })).total).toBe(2);

      expect(await newer.storeDocuments(sampleBatch(3, 1, counter))).toEqual({ kind: 'stored' });
    });

    it('an older version ignores the migrations of an unknown owner', async () => {
      const other = { namespace: 'elsewhere', migrations: APP.migrations };
      await runMigrations(newer.kysely, newer.traits, other);
      expect(await newer.storeDocuments(sampleBatch(1))).toEqual({ kind: 'stored' });
    });
  });
});

describe.skipIf(postgres.missing)('a migration on PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await postgres.create();
  });
  afterAll(() => database.remove());

  it('a migration waits for writes under way, and later writes wait for the migration and are refused', async () => {
    const older = await database.open({ plans: [APP] });
    const newer = await database.open({ plans: [NEWER] });
    await runMigrations(older.kysely, older.traits, APP);
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const order: string[] = [];
    const underWay = older.transaction(async (transaction) => {
      await sql`select 1`.execute(transaction);
      begun.resolve();
      await goOn.promise;
      order.push('written');
    });
    await begun.promise;
    const migrated = runMigrations(newer.kysely, newer.traits, NEWER).then(() => order.push('migrated'));
    await locksWaitedFor(database.place, 1);
    const late = older.transaction(async () => order.push('late')).catch((error: unknown) => error);
    await locksWaitedFor(database.place, 2);
    goOn.resolve();
    await Promise.all([underWay, migrated]);
    expect(await late).toBeInstanceOf(StorageUnavailableError);
    expect(order).toEqual(['written', 'migrated']);
  });

  it('a migration runs in one of several processes, without a deadlock', async () => {
    const plan = (last: number) => ({
      namespace: 'many',
      migrations: Array.from({ length: last }, (_, index) => ({ name: `00${index}`, up: async () => {} })),
    });
    const storages = await Promise.all(Array.from({ length: 4 }, () => database.open({ plans: [plan(9)] })));
    const failures: unknown[] = [];
    const watched = (traits: DialectTraits): DialectTraits => ({
      ...traits,
      classify(error) {
        failures.push(error);
        return traits.classify(error);
      },
    });
    for (let last = 1; last <= 9; last += 1) {
      const ran = await Promise.all(
        storages.map(({ kysely, traits }) => runMigrations(kysely, watched(traits), plan(last))),
      );
      expect(ran.flat()).toEqual([`00${last - 1}`]);
    }
    expect(failures).toEqual([]);
  });
});

// --- internal ---

/** Waits until that many sessions wait for a lock on the table of steps. */
async function locksWaitedFor(place: string, count: number): Promise<void> {
  const client = new Client({ connectionString: place });
  await client.connect();
  for (;;) {
    const { rows } = await client.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_locks where not granted and relation = 'sri_migrations'::regclass`,
    );
    if ((rows[0]?.waiting ?? 0) >= count) break;
  }
  await client.end();
}
