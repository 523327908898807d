import { type Kysely, sql } from 'kysely';
import type { DocumentQuery, DocumentStatus, DocumentType, NewDocument } from 'sri-core';
import { afterEach, describe, expect, it } from 'vitest';
import { toDocumentRow } from '../document-rows.js';
import { findByIdempotencyKey } from '../documents.js';
import type { KyselyStorage } from '../kysely-storage.js';
import { matching, toSearch } from '../list-conditions.js';
import { listDocuments } from '../list-documents.js';
import { runMigrations } from '../migrator.js';
import type { CoreTables } from '../schema.js';
import { invoicesOf, sampleDocument } from '../testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from '../testing/test-databases.js';
import { CORE_MIGRATIONS } from './index.js';

const EARLIER = { ...CORE_MIGRATIONS, migrations: CORE_MIGRATIONS.migrations.slice(0, 1) };
const INVOICES = invoicesOf('01990000-0000-7000-8000-00000000000e');
const BEGAN = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const NAMES = ['María Núñez', 'Ana María Loor', 'CONSUMIDOR FINAL', 'Zoila Toapanta'];
const NEWEST = { sortBy: 'createdAt', sortDirection: 'desc' } as const;

describe.each([SQLITE, await findPostgres()])('007-narrow on $name', ({ name, missing, create }) => {
  describe.skipIf(missing)('documents of a status', () => {
    const made: TestDatabase[] = [];
    afterEach(async () => {
      for (const database of made.splice(0)) await database.remove();
    });

    /** Documents of before, brought over by the migrations. */
    async function open(documents: readonly NewDocument[]): Promise<KyselyStorage> {
      const database = await create();
      made.push(database);
      const storage = await database.open({ migrate: false });
      await runMigrations(storage.kysely, storage.traits, EARLIER);
      const rows = documents.map(({ document }) => toDocumentRow(document));
      for (let start = 0; start < rows.length; start += 100) {
        await storage.kysely
          .insertInto('sri_documents')
          .values(rows.slice(start, start + 100))
          .execute();
      }
      await storage.migrate();
      return storage;
    }

    it.each<{ readonly mostly: DocumentStatus }>([{ mostly: 'AUTHORIZED' }, { mostly: 'VOIDED' }])(
      'are counted and found with every other filter, when most are $mostly',
      async ({ mostly }) => {
        const documents = sampleDocuments((index) => {
          if (index % 10 === 3) return 'RETURNED';
          return index % 10 === 7 ? 'AUTHORIZED' : mostly;
        });
        const storage = await open(documents);
        for (const status of ['AUTHORIZED', 'RETURNED', 'VOIDED', 'SIGNED'] as const) {
          for (const part of [
            {},
            { buyerName: 'maría' },
            { buyerName: 'a' },
            { sequential: '12' },
            { sequential: '000' },
          ]) {
            for (const filter of [{}, { documentType: '04' as const }, { from: '2026-01-05', to: '2026-01-09' }]) {
              await expectListed(storage, documents, { ...filter, ...part, status });
            }
          }
          await expectListed(storage, documents, { status, buyerName: 'maría', sequential: '1' });
          await expectLastPageByName(storage, documents, status);
        }
      },
    );

    it('are found on every page, also those that lie behind all others', async () => {
      const documents = sampleDocuments((index) => (index % 2 === 0 && index < 120 ? 'AUTHORIZED' : 'VOIDED'));
      const storage = await open(documents);
      for (const sortDirection of ['asc', 'desc'] as const) {
        const expected = expectedOf(documents, { status: 'AUTHORIZED' });
        if (sortDirection === 'asc') expected.reverse();
        const found: string[] = [];
        for (let page = 1; page <= 4; page += 1) {
          const query = { status: 'AUTHORIZED', sortBy: 'createdAt', sortDirection, page, limit: 20 } as const;
          const { documents: listed, total } = await storage.listDocuments(INVOICES, query);
          expect(total).toBe(expected.length);
          found.push(...listed.map(({ id }) => id));
        }
        expect(found).toEqual(expected);
      }
    });

    it.runIf(name === 'PostgreSQL')('are in the index by status unless they are authorized', async () => {
      const storage = await open(sampleDocuments((index) => (index % 10 === 0 ? 'RETURNED' : 'AUTHORIZED')));
      await sql`vacuum analyze sri_documents`.execute(storage.kysely);
      const { rows } = await sql<{ entries: number }>`select reltuples as entries from pg_class
        where relname = 'sri_documents_status'`.execute(storage.kysely);
      expect(rows).toEqual([{ entries: COUNT / 10 }]);
      // What a plan for any parameters does, as prepared statements get after a few uses.
      const search = toSearch(storage.traits, INVOICES, { status: 'RETURNED', page: 1, limit: 10 });
      const query = storage.kysely.selectFrom('sri_documents').select('id').where(matching(search));
      const { sql: listed, parameters } = query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(10).compile();
      const plan = await storage.kysely.connection().execute(async (connection) => {
        await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
        await sql`set enable_seqscan = off`.execute(connection);
        await sql`prepare listed (text, text, text, bigint) as ${sql.raw(listed)}`.execute(connection);
        const given = sql.join(parameters.map((value) => sql.lit(value)));
        const { rows: lines } = await sql`explain (costs off) execute listed (${given})`.execute(connection);
        await sql`reset all`.execute(connection);
        return JSON.stringify(lines);
      });
      expect(plan).toContain('Index Only Scan Backward using sri_documents_status');
    });

    it.runIf(name === 'PostgreSQL')(
      'are found by number and by order in the indexes with a number for a scope',
      async () => {
        const documents = sampleDocuments(() => 'AUTHORIZED');
        const storage = await open(documents);
        await sql`update sri_documents set idempotency_key = 'order ' || sequential`.execute(storage.kysely);
        const { traits } = storage;
        const scans = await storage.kysely.connection().execute(async (db) => {
          await sql`set plan_cache_mode = force_generic_plan`.execute(db);
          const first = await countScans(db);
          const found = await findByIdempotencyKey(db, traits, INVOICES, 'order 17');
          const second = await countScans(db);
          const query = { page: 1, limit: 3, sortBy: 'sequential', sortDirection: 'desc' } as const;
          const { documents: listed } = await listDocuments(db, traits, INVOICES, query);
          const third = await countScans(db);
          await sql`reset all`.execute(db);
          expect([found?.sequential, listed.map(({ sequential }) => sequential)]).toEqual([
            17,
            [COUNT, COUNT - 1, COUNT - 2],
          ]);
          return [first, second, third].map((counted) => [
            counted['sri_documents_idempotency'],
            counted['sri_documents_number'],
          ]);
        });
        const [idempotency = 0, number = 0] = scans[0] ?? [];
        expect(scans.slice(1)).toEqual([
          [idempotency + 1, number],
          [idempotency + 1, number + 1],
        ]);
      },
    );
  });
});

/** So many that they are not simply gone through. */
const COUNT = 1500;

/** One an hour, every fifth a credit note, in the order of their numbers. */
function sampleDocuments(statusOf: (index: number) => DocumentStatus): readonly NewDocument[] {
  return Array.from({ length: COUNT }, (_, index) => {
    const createdAt = new Date(BEGAN + index * HOUR_MS);
    const documentType: DocumentType = index % 5 === 0 ? '04' : '01';
    const name = NAMES[index % NAMES.length] ?? '';
    return sampleDocument({ ...INVOICES, documentType }, index + 1, {
      createdAt,
      issueDate: createdAt.toISOString().slice(0, 10),
      status: statusOf(index),
      buyer: { idType: '05', id: '1710034065', name, email: 'a@b.ec' },
    });
  });
}

/** Their ids, newest first. */
function expectedOf(
  documents: readonly NewDocument[],
  { status, documentType, from = '', to = '9', buyerName = '', sequential = '' }: Omit<DocumentQuery, 'page' | 'limit'>,
): string[] {
  return documents
    .filter(
      ({ document }) =>
        document.status === status &&
        (documentType === undefined || document.documentType === documentType) &&
        document.issueDate >= from &&
        document.issueDate <= to &&
        document.buyer.name.toLowerCase().includes(buyerName) &&
        String(document.sequential).padStart(9, '0').includes(sequential),
    )
    .map(({ document }) => document.id)
    .toReversed();
}

async function expectLastPageByName(
  storage: KyselyStorage,
  documents: readonly NewDocument[],
  status: DocumentStatus,
): Promise<void> {
  const names = new Map(documents.map(({ document }) => [document.id, document.buyer.name.toLowerCase()]));
  const expected = expectedOf(documents, { status }).toSorted((a, b) =>
    (names.get(a) ?? '') < (names.get(b) ?? '') ? -1 : Number(names.get(a) !== names.get(b)),
  );
  const page = Math.max(1, Math.ceil(expected.length / 15));
  const query = { status, sortBy: 'buyerName', sortDirection: 'asc', page, limit: 15 } as const;
  const listed = await storage.listDocuments(INVOICES, query);
  expect({ status, found: listed.documents.map(({ id }) => id) }).toEqual({
    status,
    found: expected.slice((page - 1) * 15),
  });
}

/** How often each index of documents was looked into. */
async function countScans(db: Kysely<CoreTables>): Promise<Readonly<Record<string, number>>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{
    name: string;
    scans: number;
  }>`select indexrelname as name, cast(idx_scan as integer) as scans
    from pg_stat_user_indexes where relname = 'sri_documents'`.execute(db);
  return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
}

async function expectListed(
  storage: KyselyStorage,
  documents: readonly NewDocument[],
  filter: Omit<DocumentQuery, 'page' | 'limit'>,
): Promise<void> {
  const expected = expectedOf(documents, filter);
  const listed = await storage.listDocuments(INVOICES, { ...filter, ...NEWEST, page: 1, limit: 15 });
  const found = listed.documents.map(({ id }) => id);
  expect({ filter, total: listed.total, found }).toEqual({
    filter,
    total: expected.length,
    found: expected.slice(0, 15),
  });
}
