import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SchemaTooNewError } from '../errors.js';
import { openSqlite } from '../sqlite/sqlite.js';
import { findPostgres, SQLITE, type TestDatabase } from '../testing/test-databases.js';
import { CORE_MIGRATIONS } from './core-migrations.js';
import { type Migration, pendingMigrations, runMigrations } from './migrator.js';

describe.each([SQLITE, await findPostgres()])('migrations on $name', ({ missing, create }) => {
  describe.skipIf(missing)('a fresh database', () => {
    let database: TestDatabase | null = null;
    afterEach(() => database?.remove());

    async function openUnmigrated() {
      database ??= await create();
      return database.open({ migrate: false });
    }

    it('migrations are pending until they are run, and run once', async () => {
      database = await create();
      const { kysely, traits } = await openUnmigrated();
      const plan = { namespace: 'app', migrations: [createTable('001-first', 'one')] };
      expect(await pendingMigrations(kysely, traits, plan)).toEqual(['001-first']);
      expect(await runMigrations(kysely, traits, plan)).toEqual(['001-first']);
      expect(await runMigrations(kysely, traits, plan)).toEqual([]);
      const longer = { ...plan, migrations: [...plan.migrations, createTable('002-second', 'two')] };
      expect(await runMigrations(kysely, traits, longer)).toEqual(['002-second']);
    });

    it('a storage requests migrations when it is used before them', async () => {
      database = await create();
      const storage = await openUnmigrated();
      const counter = {
        issuerId: '00000000-0000-7000-8000-000000000001',
        environment: 'sandbox',
        documentType: '01',
      } as const;
      await expect(storage.nextSequential(counter)).rejects.toMatchObject({ code: 'STORAGE_NOT_MIGRATED' });
      const move = storage.setNextSequential(counter, 7);
      await expect(move).rejects.toThrow('call migrate() on the storage once');
      await storage.migrate();
      expect(await storage.setNextSequential(counter, 7)).toBe(true);
    });

    it('migrations run in one of several processes that start together', async () => {
      database = await create();
      const storages = await Promise.all([openUnmigrated(), openUnmigrated(), openUnmigrated()]);
      const ran = await Promise.all(
        storages.map(async ({ kysely, traits }) => runMigrations(kysely, traits, CORE_MIGRATIONS)),
      );
      expect(ran.flat()).toEqual(CORE_MIGRATIONS.migrations.map(({ name }) => name));
    });

    it('migrations of different owners are independent', async () => {
      database = await create();
      const storage = await openUnmigrated();
      await storage.migrate();
      const plan = { namespace: 'app', migrations: [createTable('001-documents', 'one')] };
      expect(await runMigrations(storage.kysely, storage.traits, plan)).toEqual(['001-documents']);
      await storage.migrate();
    });

    it('a failed migration leaves nothing behind', async () => {
      database = await create();
      const { kysely, traits } = await openUnmigrated();
      const broken: Migration = { name: '002-broken', up: async () => Promise.reject(new Error('half-way')) };
      const plan = { namespace: 'app', migrations: [createTable('001-first', 'one'), broken] };
      await expect(runMigrations(kysely, traits, plan)).rejects.toThrow('half-way');
      expect(await pendingMigrations(kysely, traits, plan)).toEqual(['001-first', '002-broken']);
      const repaired = { ...plan, migrations: [createTable('001-first', 'one'), createTable('002-broken', 'two')] };
      expect(await runMigrations(kysely, traits, repaired)).toEqual(['001-first', '002-broken']);
    });

    it('an older version refuses to start after the migrations of a newer one', async () => {
      database = await create();
      const { kysely, traits } = await openUnmigrated();
      const migrations = [createTable('001-first', 'one'), createTable('002-second', 'two')];
      await runMigrations(kysely, traits, { namespace: 'app', migrations });
      const older = { namespace: 'app', migrations: migrations.slice(0, 1) };
      const refusal = await runMigrations(kysely, traits, older).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(SchemaTooNewError);
      expect(refusal).toMatchObject({ code: 'STORAGE_SCHEMA_TOO_NEW', unknownMigrations: ['002-second'] });
    });
  });
});

it('a migration on SQLite waits for minutes until another process has migrated', async () => {
  const database = await SQLITE.create();
  const { kysely, traits } = await database.open();
  const other = await openSqlite(database.place);
  other.exec('begin immediate');
  const start = performance.now();
  const now = vi.spyOn(performance, 'now').mockReturnValue(start);
  const plan = { namespace: 'app', migrations: [createTable('001-first', 'one')] };
  const running = runMigrations(kysely, traits, plan);
  await vi.waitFor(() => expect(now.mock.calls.length).toBeGreaterThan(3));
  now.mockReturnValue(start + 9 * 60_000);
  const asked = now.mock.calls.length;
  await Promise.race([running, vi.waitFor(() => expect(now.mock.calls.length).toBeGreaterThan(asked + 2))]);
  other.exec('rollback');
  other.close();
  expect(await running).toEqual(['001-first']);
  now.mockRestore();
  await database.remove();
});

function createTable(name: string, table: string): Migration {
  return {
    name,
    async up(transaction, { columns }) {
      await sql`create table ${sql.table(table)} (id ${columns.text} primary key)`.execute(transaction);
    },
  };
}
