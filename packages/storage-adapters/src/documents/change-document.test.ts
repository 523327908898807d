import { sql } from 'kysely';
import type { DocumentChange, NewDocument, Storage } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { sampleBatch } from '../testing/sample-batches.js';
import { findPostgres, SQLITE } from '../testing/test-databases.js';
import { applyChanges, wasApplied } from './change-document.js';

const postgres = await findPostgres();

describe.each([SQLITE, postgres])('a change whose commit is in doubt on $name', ({ missing, create }) => {
  it.skipIf(missing)('a change in doubt counts as applied with its own entry and file alone', async () => {
    const database = await create();
    try {
      const storage = await database.open();
      const added = await storeOne(storage);
      const [event] = added.events.map((entry) => ({ ...entry, eventType: 'REBUILT', detail: { n: 1 } }));
      if (!event) throw new Error('A new document has an event.');
      const change = (fields: Partial<DocumentChange> = {}): DocumentChange => ({
        document: added.document,
        set: {},
        contents: { signedXml: '<rebuilt/>' },
        events: [event],
        responses: [],
        at: event.createdAt,
        ...fields,
      });
      expect(await storage.changeDocument(change())).toBe('applied');

      const answers = (doubtful: DocumentChange) => storage.transaction((tables) => wasApplied(tables, doubtful));
      expect(await answers(change())).toBe(true);
      expect(await answers(change({ events: [] }))).toBe(true);
      expect(await answers(change({ contents: { signedXml: '<another/>' } }))).toBe(false);
      const late = new Date(event.createdAt.getTime() + 1);
      for (const other of [{ eventType: 'VOIDED' }, { detail: { n: 2 } }, { detail: null }, { createdAt: late }]) {
        expect(await answers(change({ events: [{ ...event, ...other }] })), JSON.stringify(other)).toBe(false);
      }
      expect(await answers(change({ events: [], at: late }))).toBe(false);

      const later = { ...added.document, revision: 2 };
      expect(await storage.changeDocument(change({ document: later, contents: { signedXml: '<later/>' } }))).toBe(
        'applied',
      );
      expect(await answers(change())).toBe(true);
    } finally {
      await database.remove();
    }
  });
});

it.skipIf(postgres.missing)(
  'PostgreSQL writes the indexes of a document again only when it is authorized',
  async () => {
    const database = await postgres.create();
    try {
      const storage = await database.open();
      const added = await storeOne(storage);
      const at = added.document.createdAt;
      const rewritten = await storage.kysely.transaction().execute(async (tables) => {
        const found: string[] = [];
        let { document } = added;
        const sets: DocumentChange['set'][] = [
          { status: 'PENDING_SEND' },
          { status: 'RECEIVED' },
          { status: 'AUTHORIZED', authorization: { number: document.accessKey, date: '2026-11-21T12:00:00-05:00' } },
          { mail: { status: 'SENT', sentAt: at, error: null } },
        ];
        for (const set of sets) {
          const before = await countRewritten();
          await applyChanges(tables, storage.traits, [{ document, set, events: [], responses: [], at }]);
          document = { ...document, ...set, revision: document.revision + 1 };
          if ((await countRewritten()) > before) found.push(document.status);
        }
        return found;

        async function countRewritten(): Promise<number> {
          const { rows } = await sql<{ count: number }>`select cast(pg_stat_get_xact_tuples_updated(oid)
            - pg_stat_get_xact_tuples_hot_updated(oid) as integer) as count
          from pg_class where oid = to_regclass('sri_documents')`.execute(tables);
          return rows[0]?.count ?? Number.NaN;
        }
      });
      expect(rewritten).toEqual(['AUTHORIZED']);
    } finally {
      await database.remove();
    }
  },
);

// --- internal ---

async function storeOne(storage: Storage): Promise<NewDocument> {
  const batch = sampleBatch(1);
  await storage.storeDocuments(batch);
  const [added] = batch.documents;
  if (!added) throw new Error('A batch has documents.');
  return added;
}
