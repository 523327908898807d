import type { DocumentChange } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { sampleBatch } from '../testing/sample-batches.js';
import { findPostgres, SQLITE } from '../testing/test-databases.js';
import { wasApplied } from './change-document.js';

describe.each([SQLITE, await findPostgres()])('a change whose commit is in doubt on $name', ({ missing, create }) => {
  it.skipIf(missing)('counts as applied with its own entry and file alone', async () => {
    const database = await create();
    try {
      const storage = await database.open();
      const batch = sampleBatch(1);
      await storage.storeDocuments(batch);
      const [added] = batch.documents;
      if (!added) throw new Error('A batch has documents.');
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
