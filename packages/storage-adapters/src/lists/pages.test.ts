import { randomUUID } from 'node:crypto';
import { type KyselyPlugin, sql } from 'kysely';
import type { StoredDocument } from 'sri-core';
import { expect, it } from 'vitest';
import { invoicesOf, sampleDocument } from '../testing/sample-batches.js';
import { findPostgres, SQLITE } from '../testing/test-databases.js';
import { listDocuments } from './list-documents.js';

const postgres = await findPostgres();

it.skipIf(postgres.missing)(
  'a page by status names a document once when its status changes during the read',
  async () => {
    const database = await postgres.create();
    try {
      const storage = await database.open();
      const counter = invoicesOf();
      const documents = [1, 2, 3].map((number) =>
        sampleDocument(counter, number, { status: number === 1 ? 'PENDING_SEND' : 'SIGNED' }),
      );
      await storage.storeDocuments({ counter, firstSequential: 1, documents });
      const [moving, ...still] = documents.map(({ document }) => document) as [StoredDocument, ...StoredDocument[]];
      const at = moving.createdAt;
      const event = { id: randomUUID(), eventType: 'CHANGED', fromStatus: null, toStatus: null, detail: null };
      let changes = 0;
      /** Changes the first document once its status was read. */
      const changing: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (changes === 0 && result.rows.some(({ id }) => id === moving.id)) {
            changes += 1;
            const set = { status: 'SIGNED' } as const;
            const change = { document: moving, set, events: [{ ...event, createdAt: at }], responses: [], at };
            expect(await storage.changeDocument(change)).toBe('applied');
          }
          return result;
        },
      };
      const query = { sortBy: 'status', sortDirection: 'asc', page: 1 } as const;
      const read = async (limit: number) => {
        const db = storage.kysely.withPlugin(changing);
        const page = await listDocuments(db, storage.traits, counter, { ...query, limit });
        return page.documents.map(({ id }) => id);
      };
      expect((await read(3)).toSorted()).toEqual([moving, ...still].map(({ id }) => id).toSorted());
      expect(changes).toBe(1);
    } finally {
      await database.remove();
    }
  },
);

it.skipIf(postgres.missing)(
  'a search finds parts of a name where PostgreSQL reads a backslash as an escape',
  async () => {
    const database = await postgres.create();
    try {
      const first = await database.open();
      await sql`do $$ begin execute format('alter database %I set standard_conforming_strings = off', current_database()); end $$`.execute(
        first.kysely,
      );
      const storage = await database.open();
      const counter = invoicesOf();
      const documents = ['100%! \\_', 'other'].map((name, index) => {
        const counterparty = { idType: '05', id: '1710034065', name, email: 'a@ejemplo.ec' };
        return sampleDocument(counter, index + 1, { counterparty });
      });
      await storage.storeDocuments({ counter, firstSequential: 1, documents });
      for (const query of [{ buyerName: '%! \\_' }, { q: '100%!' }, { q: '%' }]) {
        expect((await storage.listDocuments(counter, { ...query, page: 1, limit: 5 })).total).toBe(1);
      }
    } finally {
      await database.remove();
    }
  },
);

it('a list of thousands of issuers takes many small statements instead of one growing statement', async () => {
  const database = await SQLITE.create();
  try {
    const storage = await database.open();
    const counters = Array.from({ length: 2_000 }, () => invoicesOf());
    await Promise.all(
      counters.map((counter) =>
        storage.storeDocuments({ counter, firstSequential: 1, documents: [sampleDocument(counter, 1)] }),
      ),
    );
    const [{ environment }] = counters as [ReturnType<typeof invoicesOf>];
    const scope = { environment, issuerIds: counters.map(({ issuerId }) => issuerId) };
    const days = { from: '2020-01-01', to: '2030-12-31' };
    for (const filter of [{ q: '1' }, { sequential: '1', buyerName: 'a' }, { totalFrom: '0' }]) {
      const query = { ...filter, ...days, status: 'SIGNED', documentType: '01', page: 1, limit: 10 } as const;
      const { documents, total } = await storage.listDocuments(scope, query);
      expect([documents.length, total], JSON.stringify(filter)).toEqual([10, counters.length]);
    }
  } finally {
    await database.remove();
  }
});
