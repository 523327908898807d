import { afterEach, describe, expect, it } from 'vitest';
import { toDocumentRow } from '../document-rows.js';
import type { KyselyStorage } from '../kysely-storage.js';
import { type Migration, pendingMigrations, runMigrations } from '../migrator.js';
import { settleNames } from '../name-words.js';
import { invoicesOf, sampleDocument } from '../testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from '../testing/test-databases.js';
import { CORE_MIGRATIONS } from './index.js';

const BEFORE = { ...CORE_MIGRATIONS, migrations: CORE_MIGRATIONS.migrations.slice(0, 1) };

describe.each([SQLITE, await findPostgres()])('002-lists on $name', ({ missing, create }) => {
  describe.skipIf(missing)('of a database with documents', () => {
    const made: TestDatabase[] = [];
    afterEach(async () => {
      for (const database of made.splice(0)) await database.remove();
    });
    async function createOne(): Promise<TestDatabase> {
      const database = await create();
      made.push(database);
      return database;
    }

    it('fills what storing the same documents would have', async () => {
      const documents = sampleDocuments();
      const old = await createOne();
      const before = await old.open({ migrate: false });
      await runMigrations(before.kysely, before.traits, BEFORE);
      await before.kysely
        .insertInto('sri_documents')
        .values(documents.map(({ document }) => toDocumentRow(document)))
        .execute();
      // Interrupted, it leaves nothing behind; begun by two at once, it is run once.
      const broken: Migration = { name: '003-broken', up: async () => Promise.reject(new Error('half-way')) };
      const interrupted = { ...CORE_MIGRATIONS, migrations: [...CORE_MIGRATIONS.migrations.slice(0, 2), broken] };
      await expect(runMigrations(before.kysely, before.traits, interrupted)).rejects.toThrow('half-way');
      expect(await pendingMigrations(before.kysely, before.traits, CORE_MIGRATIONS)).toContain('002-lists');
      const other = await old.open({ migrate: false });
      await Promise.all([before.migrate(), other.migrate()]);

      const fresh = await (await createOne()).open();
      for (const { document, ...rest } of documents) {
        const { issuerId, environment, documentType, sequential } = document;
        const counter = { issuerId, environment, documentType };
        const batch = { counter, firstSequential: sequential, documents: [{ document, ...rest }] };
        expect(await fresh.storeDocuments(batch)).toEqual({ kind: 'stored' });
      }
      await fresh.transaction((transaction) => settleNames(transaction, SCOPE, fresh.traits));
      expect(await readAll(before)).toEqual(await readAll(fresh));
    });
  });
});

const COUNTER = invoicesOf('01990000-0000-7000-8000-00000000000a');
const SCOPE = { issuer_id: COUNTER.issuerId, environment: COUNTER.environment };

function sampleDocuments() {
  const names = ['Ñandú', 'MUÑOZ', '🦙 Llama', 'x', '', 'Ñandú'];
  return names.map((name, index) => {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 23, 59, 59, 999) + index * 43_200_000);
    return sampleDocument(COUNTER, index + 1, {
      createdAt,
      issueDate: createdAt.toISOString().slice(0, 10),
      status: index % 2 === 0 ? 'SIGNED' : 'AUTHORIZED',
      buyer: { idType: '05', id: '1710034065', name, email: 'a@b.ec' },
    });
  });
}

async function readAll({ kysely }: KyselyStorage) {
  const figures = await kysely.selectFrom('sri_figures').selectAll().orderBy('created_day').orderBy('status').execute();
  const counts = await kysely
    .selectFrom('sri_counts')
    .select(['issuer_id', 'environment', 'kind', 'entry', 'documents'])
    .orderBy('kind')
    .orderBy('entry')
    .execute();
  return { figures, counts };
}
