import { randomUUID } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import type { StoredDocument } from 'sri-core';
import { expect, it } from 'vitest';
import { invoicesOf, sampleDocument } from '../testing/sample-batches.js';
import { findPostgres } from '../testing/test-databases.js';
import { listDocuments } from './list-documents.js';

const postgres = await findPostgres();

it.skipIf(postgres.missing)('a page by status names a document once that changes while the page is read', async () => {
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
});
