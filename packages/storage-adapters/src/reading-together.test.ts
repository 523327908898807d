import { buildAccessKey, type StoredDocument } from 'sri-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KyselyStorage } from './kysely-storage.js';
import { invoicesOf, sampleBatch } from './testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from './testing/test-databases.js';

describe.each([SQLITE, await findPostgres()])('concurrent reads on $name', ({ missing, create }) => {
  describe.skipIf(missing)('reads by access key', () => {
    let database: TestDatabase;
    let storage: KyselyStorage;
    const [counter, other] = [invoicesOf(), invoicesOf()];
    let own: readonly StoredDocument[];
    let foreign: readonly StoredDocument[];

    beforeAll(async () => {
      database = await create();
      storage = await database.open();
      const store = async (count: number, of: typeof counter) => {
        const batch = sampleBatch(1, count, of);
        await storage.storeDocuments(batch);
        return batch.documents.map(({ document }) => document);
      };
      [own, foreign] = [await store(70, counter), await store(5, other)];
    });
    afterAll(() => database.remove());

    const all = () => [...own, ...foreign].map(({ accessKey }) => accessKey);
    const ofOwn = (value: unknown, index: number) => (index < own.length ? value : null);

    it('concurrent reads find each document in its own scope, and nowhere else', async () => {
      // A repeated parameter of an address arrives as a list, and an absent one as undefined.
      const noTexts = [['a', 'b'], undefined] as never[];
      const asked = [...all(), 'unknown', 'with\0nul', ...noTexts];
      const found = await Promise.all(asked.map((accessKey) => storage.findDocument(counter, accessKey)));
      expect(found.map((document) => document?.id ?? null)).toEqual([
        ...own.map(({ id }) => id),
        ...foreign.map(() => null),
        ...[null, null, null, null],
      ]);
      const production = { ...counter, environment: 'production' } as const;
      expect(await storage.findDocument(production, own[0]?.accessKey ?? '')).toBeNull();
    });

    it('concurrent reads return each document’s own contents', async () => {
      const found = await Promise.all(all().map((accessKey) => storage.readContents(counter, accessKey)));
      expect(found.map((contents) => contents?.requestPayload ?? null)).toEqual(
        all().map((_, index) => ofOwn({ number: index + 1 }, index)),
      );
      for (const [index, contents] of found.slice(0, own.length).entries()) {
        expect(contents?.signedXml).toContain(`<claveAcceso>${own[index]?.accessKey}</claveAcceso>`);
      }
    });

    it('concurrent reads find a document by its key and by its former keys', async () => {
      const [first, second] = own;
      if (!first || !second) throw new Error('There are documents.');
      const accessKey = buildAccessKey({
        issueDate: '22/11/2026',
        documentType: counter.documentType,
        ruc: '1790012345001',
        environment: counter.environment,
        branchCode: '001',
        issuePointCode: '001',
        sequential: first.sequential,
        numericCode: '87654321',
      });
      const change = { document: first, set: { accessKey }, events: [], responses: [], at: first.createdAt };
      expect(await storage.changeDocument(change)).toBe('applied');
      const asked = [first.accessKey, accessKey, second.accessKey, 'unknown'];
      const documents = await Promise.all(asked.map((key) => storage.findDocument(counter, key)));
      expect(documents.map((document) => document?.accessKey ?? null)).toEqual([
        accessKey,
        accessKey,
        second.accessKey,
        null,
      ]);
      const contents = await Promise.all(asked.map((key) => storage.readContents(counter, key)));
      expect(contents.map((each) => each?.requestPayload ?? null)).toEqual([
        { number: 1 },
        { number: 1 },
        { number: 2 },
        null,
      ]);
      expect((await storage.findDocument(counter, first.accessKey))?.id).toBe(first.id);
    });

    it('unreadable contents fail for their own callers only', async () => {
      const [, , damaged, sound] = own;
      await storage.kysely
        .updateTable('sri_contents')
        .set({ signed_xml: Buffer.of(9) })
        .where('document_id', '=', damaged?.id ?? '')
        .execute();
      const results = await Promise.allSettled(
        [damaged, sound].map((document) => storage.readContents(counter, document?.accessKey ?? '')),
      );
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    });
  });
});
