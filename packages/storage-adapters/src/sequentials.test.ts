import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KyselyStorage } from './kysely-storage.js';
import { moveNextSequential } from './sequentials.js';
import { sampleBatch } from './testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from './testing/test-databases.js';

describe.each([SQLITE, await findPostgres()])('counters on $name', ({ missing, create }) => {
  describe.skipIf(missing)('counters below used numbers', () => {
    let database: TestDatabase;
    let storage: KyselyStorage;
    beforeAll(async () => {
      database = await create();
      storage = await database.open();
    });
    afterAll(() => database.remove());

    /** Sets the counter back, like a restored older backup. The other counters of its issuer are further. */
    async function setBack() {
      const batch = sampleBatch(1, 3);
      const others = [{ documentType: '04' }, { environment: 'production' }] as const;
      for (const other of others) await storage.storeDocuments(sampleBatch(1, 5, { ...batch.counter, ...other }));
      await storage.storeDocuments(batch);
      await storage.kysely.updateTable('sri_sequentials').set({ next_sequential: 2 }).execute();
      return batch;
    }

    it('a counter below used numbers moves past them instead of giving one twice', async () => {
      const { counter } = await setBack();
      expect(await storage.storeDocuments(sampleBatch(2, 1, counter))).toEqual({
        kind: 'counterMoved',
        nextSequential: 4,
      });
      expect(await storage.storeDocuments(sampleBatch(4, 1, counter))).toEqual({ kind: 'stored' });
    });

    it('a change that takes a number moves a counter past used numbers as well', async () => {
      const { counter, documents } = await setBack();
      const document = documents[0]?.document;
      if (!document) throw new Error('A batch has documents.');
      const change = { document, events: [], responses: [], at: document.createdAt };
      const late = { ...change, set: { sequential: 2 }, takes: { counter, sequential: 2 } };
      expect(await storage.changeDocument(late)).toBe('counterMoved');
      expect(await storage.nextSequential(counter)).toBe(4);
    });

    it('a counter begins at 1, and is not set below it', async () => {
      const { counter } = sampleBatch(1, 1);
      expect(await storage.nextSequential(counter)).toBe(1);
      const move = (next: number) =>
        storage.kysely.transaction().execute((transaction) => moveNextSequential(transaction, counter, next));
      expect(await move(0)).toBe(false);
      expect(await move(1)).toBe(true);
      expect(await move(7)).toBe(true);
      expect(await move(7)).toBe(true);
      expect(await move(6)).toBe(false);
      expect(await storage.nextSequential(counter)).toBe(7);
    });

    it('a counter that was moved before its first document does not begin at 1 again', async () => {
      const { counter } = sampleBatch(1, 1);
      await storage.setNextSequential(counter, 7);
      const refused = { kind: 'counterMoved', nextSequential: 7 };
      expect(await storage.storeDocuments(sampleBatch(1, 1, counter))).toEqual(refused);
      expect((await storage.listDocuments(counter, { page: 1, limit: 10 })).total).toBe(0);
    });

    it('a change that keeps its counter moves it past used numbers, too', async () => {
      const { counter, documents } = await setBack();
      const document = documents[0]?.document;
      if (!document) throw new Error('A batch has documents.');
      const change = async (sequential: number) => ({
        document,
        set: { sequential },
        events: [],
        responses: [],
        at: document.createdAt,
        takes: { counter, sequential },
      });
      expect(await storage.changeUnderLock(counter, change)).toBe('counterMoved');
      expect(await storage.nextSequential(counter)).toBe(4);
      expect(await storage.changeUnderLock(counter, change)).toBe('applied');
      expect(await storage.nextSequential(counter)).toBe(5);
    });

    it('a batch with wrong numbers is refused', async () => {
      const batch = sampleBatch(1, 3);
      const gap = { ...batch, documents: [...batch.documents.slice(0, 1), ...batch.documents.slice(2)] };
      await expect(storage.storeDocuments(gap)).rejects.toThrow(RangeError);
      const locked = storage.storeUnderLock(batch.counter, async () => gap.documents);
      await expect(locked).rejects.toThrow(RangeError);
      expect(await storage.nextSequential(batch.counter)).toBe(1);
    });
  });
});
