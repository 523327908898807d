import type { StoredDocument } from 'sri-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { KyselyStorage } from '../kysely-storage.js';
import { runMigrations } from '../migrator.js';
import { invoicesOf, sampleDocument } from '../testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from '../testing/test-databases.js';
import { CORE_MIGRATIONS } from './index.js';

const upTo = (count: number) => ({ ...CORE_MIGRATIONS, migrations: CORE_MIGRATIONS.migrations.slice(0, count) });
const COUNTER = invoicesOf('01990000-0000-7000-8000-00000000000a');
const OTHERS = invoicesOf('01990000-0000-7000-8000-00000000000b');

/** More than one turn of fresh names, some again and again, one of each kind of oddity among them. */
const NAMES = Array.from({ length: 600 }, (_, index) => {
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
      // Before the first turn, just after it, between two, and after both.
      let stored = 0;
      for (const { to, isSettled, isFresh } of [
        { to: 200, isSettled: false, isFresh: true },
        { to: 400, isSettled: true, isFresh: false },
        { to: 500, isSettled: true, isFresh: true },
        { to: 600, isSettled: true, isFresh: false },
      ]) {
        await storeNames(storage, stored, to);
        stored = to;
        const { settled, fresh } = await countNames(storage);
        expect([settled > 0, fresh > 0]).toEqual([isSettled, isFresh]);
        if (isFresh) await expectFound(storage, NAMES.slice(0, stored));
      }
      const old = await createOne();
      const before = await old.open({ migrate: false });
      await runMigrations(before.kysely, before.traits, upTo(1));
      await copyDocuments(storage, before);
      await runMigrations(before.kysely, before.traits, upTo(4));
      const unsettled = await unsettle(before, 'ana');
      await before.migrate();
      expect(await countNames(before)).toEqual({ settled: new Set(NAMES).size - unsettled, fresh: unsettled });
      await expectFound(before, NAMES);
    });
  });
});

async function storeNames(storage: KyselyStorage, from: number, to: number): Promise<void> {
  for (const counter of [COUNTER, OTHERS]) {
    const documents = NAMES.slice(from, to).map((name, index) => {
      const buyer: StoredDocument['buyer'] = { idType: '05', id: '1710034065', name, email: 'a@b.ec' };
      return sampleDocument(counter, from + index + 1, { buyer });
    });
    expect(await storage.storeDocuments({ counter, firstSequential: from + 1, documents })).toEqual({ kind: 'stored' });
  }
}

async function expectFound(storage: KyselyStorage, names: readonly string[]): Promise<void> {
  for (const buyerName of PARTS) {
    const expected = names.filter((name) => name.toLowerCase().includes(buyerName.toLowerCase())).toSorted();
    for (const filter of [{}, { status: 'SIGNED' as const }, { from: '2026-11-01' }, { documentType: '01' as const }]) {
      const { documents, total } = await storage.listDocuments(COUNTER, { ...filter, buyerName, page: 1, limit: 600 });
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

async function countNames({ kysely }: KyselyStorage): Promise<{ readonly settled: number; readonly fresh: number }> {
  const rows = await kysely
    .selectFrom('sri_counts')
    .select(['kind', 'name_id'])
    .where('issuer_id', '=', COUNTER.issuerId)
    .where('kind', 'in', ['name', 'fresh'])
    .execute();
  const fresh = rows.filter(({ kind }) => kind === 'fresh').length;
  return { settled: rows.filter(({ name_id }) => name_id !== null).length, fresh };
}

async function copyDocuments({ kysely: from }: KyselyStorage, { kysely: to }: KyselyStorage): Promise<void> {
  const rows = await from.selectFrom('sri_documents').selectAll().execute();
  for (let start = 0; start < rows.length; start += 500) {
    await to
      .insertInto('sri_documents')
      .values(rows.slice(start, start + 500))
      .execute();
  }
}

/** Makes names that begin so what names were that had no words yet. @returns how many of the issuer's they are. */
async function unsettle({ kysely }: KyselyStorage, beginning: string): Promise<number> {
  const known = kysely
    .selectFrom('sri_counts')
    .select('name_id')
    .where('kind', '=', 'name')
    .where('entry', 'like', `${beginning}%`);
  await kysely.deleteFrom('sri_name_words').where('name_id', 'in', known).execute();
  const rows = await kysely
    .updateTable('sri_counts')
    .set({ name_id: null })
    .where('kind', '=', 'name')
    .where('entry', 'like', `${beginning}%`)
    .returning('issuer_id')
    .execute();
  return rows.filter((row) => row.issuer_id === COUNTER.issuerId).length;
}
