import { describe, expect, it } from 'vitest';
import { invoicesOf, sampleDocument } from '../testing/sample-batches.js';
import { findPostgres, SQLITE } from '../testing/test-databases.js';

/** Texts that a list of values could misread. */
const ODD = [
  '',
  ' ',
  'NULL',
  'null',
  '{}',
  '{"a","b"}',
  '"',
  "'",
  '\\',
  '\\x41',
  'a,b',
  'one\ntwo',
  'Ñandú 🦙',
  '$1',
  '?',
];

describe.each([SQLITE, await findPostgres()])('rows on $name', ({ missing, create }) => {
  it.skipIf(missing)('rows are stored unchanged, whatever their texts and number', async () => {
    const database = await create();
    try {
      const storage = await database.open();
      const counter = invoicesOf();
      const documents = Array.from({ length: 500 }, (_, index) => {
        const odd = ODD[index % ODD.length] ?? '';
        const counterparty = { idType: '05', id: '1710034065', name: odd, email: odd };
        const one = sampleDocument(counter, index + 1, {
          counterparty,
          idempotencyKey: index % 2 ? `${odd}${index}` : null,
        });
        return { ...one, contents: { ...one.contents, requestPayload: { odd } } };
      });
      expect(await storage.storeDocuments({ counter, firstSequential: 1, documents })).toEqual({ kind: 'stored' });
      for (const { document, contents, events } of documents.slice(0, 2 * ODD.length)) {
        expect(await storage.findDocument(counter, document.accessKey)).toEqual(document);
        expect(await storage.readContents(counter, document.accessKey)).toEqual({ ...contents, revision: 1 });
        expect(await storage.documentEvents(counter, document.accessKey)).toEqual(events);
      }
      const { total } = await storage.listDocuments(counter, { page: 1, limit: 1 });
      expect(total).toBe(500);
    } finally {
      await database.remove();
    }
  });
});
