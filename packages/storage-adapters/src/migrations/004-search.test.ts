import { sql } from 'kysely';
import type { StoredDocument } from 'sri-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { KyselyStorage } from '../kysely-storage.js';
import { runMigrations } from '../migrator.js';
import { invoicesOf, sampleDocument } from '../testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from '../testing/test-databases.js';
import { CORE_MIGRATIONS } from './index.js';

const BEFORE = { ...CORE_MIGRATIONS, migrations: CORE_MIGRATIONS.migrations.slice(0, 3) };
const COUNTER = invoicesOf('01990000-0000-7000-8000-00000000000a');
const OTHERS = invoicesOf('01990000-0000-7000-8000-00000000000b');

/** More than one turn of new names, some again and again, one of each kind of oddity among them. */
const NAMES = Array.from({ length: 150 }, (_, index) => {
  if (index % 3 === 0) return 'CONSUMIDOR FINAL';
  return (
    ['Ñandú S.A.', 'maría  maría', 'María José', ' ', '', '100% _ \\', `Ana ${index}`, `anaMARÍA de ${index}`][
      index % 8
    ] ?? ''
  );
});

const PARTS = [
  ...['a', 'ma', 'mar', 'maría', 'MARÍA', 'maría ', 'a m', 'ía  ma', ' ', '  ', 'ana 1', 'ría de 1', 'ñ', '1'],
  ...['consumidor final', 'r f', 'final consumidor', '%', '_', '\\', '% _', 'josé maría', 'nobody', 'nobody at all'],
];

describe.each([SQLITE, await findPostgres()])('004-search on $name', ({ missing, create }) => {
  describe.skipIf(missing)('finds names', () => {
    const made: TestDatabase[] = [];
    afterEach(async () => {
      for (const database of made.splice(0)) await database.remove();
    });
    async function createOne(): Promise<TestDatabase> {
      const database = await create();
      made.push(database);
      return database;
    }

    it('with their words, without them yet, and those of before the migration', async () => {
      const storage = await (await createOne()).open();
      for (let stored = 0; stored < NAMES.length; stored += 50) {
        await storeNames(storage, stored, stored + 50);
        const { indexed, fresh } = await countNames(storage);
        expect(indexed > 0).toBe(stored >= 50);
        expect(fresh).toBeGreaterThan(0);
        await expectFound(storage, NAMES.slice(0, stored + 50));
      }
      const old = await createOne();
      const before = await old.open({ migrate: false });
      await runMigrations(before.kysely, before.traits, BEFORE);
      await copyOld(storage, before);
      await before.migrate();
      expect(await countNames(before)).toEqual({ indexed: new Set(NAMES).size, fresh: 0 });
      await expectFound(before, NAMES);
    });
  });
});

async function storeNames(storage: KyselyStorage, from: number, to: number): Promise<void> {
  for (const counter of [COUNTER, OTHERS]) {
    for (let index = from; index < to; index += 1) {
      const name = NAMES[index] ?? '';
      const buyer: StoredDocument['buyer'] = { idType: '05', id: '1710034065', name, email: 'a@b.ec' };
      const batch = { counter, firstSequential: index + 1, documents: [sampleDocument(counter, index + 1, { buyer })] };
      expect(await storage.storeDocuments(batch)).toEqual({ kind: 'stored' });
    }
  }
}

async function expectFound(storage: KyselyStorage, names: readonly string[]): Promise<void> {
  for (const buyerName of PARTS) {
    const expected = names.filter((name) => name.toLowerCase().includes(buyerName.toLowerCase())).toSorted();
    for (const filter of [{}, { status: 'SIGNED' as const }, { from: '2026-11-01' }, { documentType: '01' as const }]) {
      const { documents, total } = await storage.listDocuments(COUNTER, { ...filter, buyerName, page: 1, limit: 200 });
      const found = documents.map(({ buyer }) => buyer.name).toSorted();
      expect({ buyerName, filter, total, found }).toEqual({
        buyerName,
        filter,
        total: expected.length,
        found: expected,
      });
    }
  }
}

async function countNames({ kysely }: KyselyStorage): Promise<{ readonly indexed: number; readonly fresh: number }> {
  const rows = await kysely
    .selectFrom('sri_counts')
    .select('name_id')
    .where('issuer_id', '=', COUNTER.issuerId)
    .where('kind', '=', 'name')
    .execute();
  const fresh = rows.filter(({ name_id }) => name_id === null).length;
  return { indexed: rows.length - fresh, fresh };
}

/** Documents and what was counted of them, as they stood before the migration. */
async function copyOld({ kysely: from }: KyselyStorage, { kysely: to }: KyselyStorage): Promise<void> {
  await to
    .insertInto('sri_documents')
    .values(await from.selectFrom('sri_documents').selectAll().execute())
    .execute();
  await to
    .insertInto('sri_figures')
    .values(await from.selectFrom('sri_figures').selectAll().execute())
    .execute();
  const counts = from.selectFrom('sri_counts').select(['issuer_id', 'environment', 'kind', 'entry', 'documents']);
  const before = await counts.where('kind', '<>', 'names').execute();
  for (const { issuer_id, environment, kind, entry, documents } of before) {
    await sql`insert into sri_counts (issuer_id, environment, kind, entry, documents)
      values (${issuer_id}, ${environment}, ${kind}, ${entry}, ${documents})`.execute(to);
  }
}
