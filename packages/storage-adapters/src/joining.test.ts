import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KyselyStorage } from './kysely-storage.js';
import { moveNextSequential, readNextSequential } from './sequentials.js';
import { invoicesOf, sampleBatch } from './testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from './testing/test-databases.js';

interface NoteTables {
  notes: { id: string; what: string };
}

describe.each([SQLITE, await findPostgres()])('joins to core’s commits on $name', ({ missing, create }) => {
  describe.skipIf(missing)('joins with tables of the application', () => {
    let database: TestDatabase;
    let storage: KyselyStorage<NoteTables>;
    let joined: () => Promise<void> = async () => {};
    const notes = () => storage.kysely.selectFrom('notes').select('what').orderBy('id').execute();

    beforeAll(async () => {
      database = await create();
      storage = await database.open<NoteTables>({
        async joinCommit(commits, transaction) {
          const what = commits.flatMap(({ stored = [], change }) => [
            ...stored.map(({ document }) => ({ id: document.id, what: 'stored' })),
            ...(change ? [{ id: `${change.document.id} changed`, what: 'changed' }] : []),
          ]);
          await transaction.insertInto('notes').values(what).execute();
          await joined();
        },
      });
      await sql`create table notes (id text primary key, what text not null)`.execute(storage.kysely);
    });
    afterAll(() => database.remove());

    it('rows of the application and of core commit together', async () => {
      const batch = sampleBatch(1, 2);
      const { counter } = batch;
      const [document, other] = batch.documents.map((added) => added.document);
      expect(await storage.storeDocuments(batch)).toEqual({ kind: 'stored' });
      if (!document || !other) throw new Error('A batch has documents.');
      const change = { document, set: {}, events: [], responses: [], at: document.createdAt };
      expect(await storage.changeDocument(change)).toBe('applied');
      const renumbered = await storage.changeUnderLock(counter, async (sequential) => ({
        ...change,
        document: other,
        set: { sequential },
        takes: { counter, sequential },
      }));
      expect(renumbered).toBe('applied');
      await storage.storeUnderLock(counter, async (first) => sampleBatch(first, 1, counter).documents);
      const all = ['changed', 'changed', 'stored', 'stored', 'stored'];
      expect((await notes()).map(({ what }) => what).toSorted()).toEqual(all);
    });

    it('an error in a join undoes both, and reaches the caller', async () => {
      const before = await notes();
      const batch = sampleBatch(1);
      const document = batch.documents[0]?.document;
      joined = async () => {
        throw new Error('over the quota');
      };
      await expect(storage.storeDocuments(batch)).rejects.toThrow('over the quota');
      joined = async () => {};
      expect(await storage.nextSequential(batch.counter)).toBe(1);
      expect(await storage.findDocument(batch.counter, document?.accessKey ?? '')).toBeNull();
      expect(await notes()).toEqual(before);
    });

    it('a refused batch joins nothing', async () => {
      const before = await notes();
      await storage.storeDocuments(sampleBatch(7));
      expect(await notes()).toEqual(before);
    });

    it('a join that uses the storage is refused instead of waiting for itself', async () => {
      const batch = sampleBatch(1);
      joined = async () => {
        await storage.nextSequential(batch.counter);
      };
      await expect(storage.storeDocuments(batch)).rejects.toThrow('use the handle');
      joined = async () => {};
    });

    it('a task that a join starts may use the storage after the commit', async () => {
      const batch = sampleBatch(1);
      const later = Promise.withResolvers<number>();
      const committed = Promise.withResolvers<void>();
      joined = async () => {
        void committed.promise.then(() => later.resolve(storage.nextSequential(batch.counter)));
      };
      await storage.storeDocuments(batch);
      committed.resolve();
      joined = async () => {};
      expect(await later.promise).toBe(2);
    });

    it('the application has transactions of its own, with core’s counters in them', async () => {
      const counter = invoicesOf();
      const stands = await storage.transaction(async (transaction) => {
        await transaction.insertInto('notes').values({ id: counter.issuerId, what: 'issuer' }).execute();
        const before = await readNextSequential(transaction, counter);
        await moveNextSequential(transaction, counter, 42);
        return [before, await readNextSequential(transaction, counter)];
      });
      expect(stands).toEqual([1, 42]);
      expect(await storage.nextSequential(counter)).toBe(42);

      const undone = invoicesOf();
      const failing = storage.transaction(async (transaction) => {
        await moveNextSequential(transaction, undone, 42);
        await transaction.insertInto('notes').values({ id: counter.issuerId, what: 'again' }).execute();
      });
      await expect(failing).rejects.toSatisfy((error) => storage.traits.classify(error) === 'duplicate');
      expect(await storage.nextSequential(undone)).toBe(1);
    });

    it('reads of the application use the same connection', async () => {
      expect(await storage.read((handle) => handle.selectFrom('notes').selectAll().execute())).not.toEqual([]);
    });
  });
});
