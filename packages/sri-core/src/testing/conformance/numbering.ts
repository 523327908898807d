import assert from 'node:assert/strict';
import { DOCUMENT_TYPES } from '../../documents/registry.js';
import type { Counter, Storage } from '../../storage.js';
import { SAMPLE_TIME, sampleDocument, sampleScope, storeSample, storeSamples } from '../sample-documents.js';
import { type ConformanceCase, creditNotesOf, invoicesOf, onStorage, repeat, sampleJob } from './case.js';

/** Numbers: given once, without gaps, together with their documents. */
export const numbering: readonly ConformanceCase[] = [
  onStorage('an unused counter is at 1, and reading it takes no number', async (storage) => {
    const counter = invoicesOf(sampleScope());
    assert.equal(await storage.nextSequential(counter), 1);
    assert.equal(await storage.nextSequential(counter), 1);
  }),
  onStorage('a batch takes as many numbers as it has documents', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const documents = await storeSamples(storage, counter, [{}, {}, {}]);
    assert.deepEqual(
      documents.map((document) => document.sequential),
      [1, 2, 3],
    );
    assert.equal(await storage.nextSequential(counter), 4);
  }),
  onStorage('a batch larger than one statement can carry is stored as a whole', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const documents = await storeSamples(
      storage,
      counter,
      Array.from({ length: 1500 }, () => ({})),
    );
    assert.equal(await storage.nextSequential(counter), 1501);
    const page = await storage.listDocuments(counter, { page: 1, limit: 1 });
    assert.equal(page.total, 1500);
    for (const document of [documents.at(0), documents.at(-1)]) {
      assert(document && (await storage.readContents(counter, document.accessKey)));
      assert.equal((await storage.documentEvents(counter, document.accessKey)).length, 1);
    }
  }),
  onStorage('an empty batch is stored and changes nothing', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const outcome = await storage.storeDocuments({ counter, firstSequential: 7, documents: [] });
    assert.deepEqual(outcome, { kind: 'stored' });
    assert.equal(await storage.nextSequential(counter), 1);
  }),
  onStorage('issuers, environments and document types have separate counters', async (storage) => {
    const scope = sampleScope();
    await storeSamples(storage, invoicesOf(scope), [{}, {}]);
    await storeSample(storage, creditNotesOf(scope));
    assert.equal(await storage.nextSequential(invoicesOf(scope)), 3);
    assert.equal(await storage.nextSequential(creditNotesOf(scope)), 2);
    assert.equal(await storage.nextSequential(invoicesOf({ ...scope, environment: 'production' })), 1);
    assert.equal(await storage.nextSequential(invoicesOf(sampleScope())), 1);
    await storage.setNextSequential(invoicesOf({ ...scope, environment: 'production' }), 7);
    const both = (['sandbox', 'production'] as const).map((environment) => invoicesOf({ ...scope, environment }));
    assert.deepEqual(await Promise.all(both.map((counter) => storage.nextSequential(counter))), [3, 7]);
  }),
  onStorage('documents of every type are numbered, bound, stored and claimed alike, side by side', async (storage) => {
    const scope = sampleScope();
    await Promise.all(
      DOCUMENT_TYPES.map(async (documentType) => {
        const counter = { ...scope, documentType };
        const [bound] = await storeSamples(storage, counter, [{ idempotencyKey: documentType }, {}]);
        assert.deepEqual(await storage.findByIdempotencyKey(scope, documentType), bound);
        const again = [sampleDocument(counter, 3, { idempotencyKey: documentType })];
        const outcome = await storage.storeDocuments({ counter, firstSequential: 3, documents: again });
        assert.deepEqual(outcome, { kind: 'idempotencyKeyTaken', index: 0 });
        const queued = await storeSample(storage, counter, { job: { ...sampleJob(), running: false } });
        assert.equal(queued.sequential, 3);
      }),
    );
    const claimed = await storage.claimJobs({ now: SAMPLE_TIME, limit: 10, leaseMs: 60_000 });
    const taken = claimed.map(({ document }) => document);
    assert.deepEqual(taken.map((document) => document.documentType).toSorted(), DOCUMENT_TYPES);
    for (const document of taken) {
      const { documentType } = document;
      assert.deepEqual(await storage.findDocument(scope, document.accessKey), document);
      assert.equal((await storage.listDocuments(scope, { documentType, page: 1, limit: 1 })).total, 3);
      assert.equal(await storage.nextSequential({ ...scope, documentType }), 4);
    }
  }),
  onStorage('a late batch is rejected with the counter’s position, and has no effect', async (storage) => {
    const counter = invoicesOf(sampleScope());
    await storeSamples(storage, counter, [{}, {}]);
    const late = sampleDocument(counter, 2, { idempotencyKey: 'late' });
    const outcome = await storage.storeDocuments({ counter, firstSequential: 2, documents: [late] });
    assert.deepEqual(outcome, { kind: 'counterMoved', nextSequential: 3 });
    assert.equal(await storage.nextSequential(counter), 3);
    assert.equal(await storage.findDocument(counter, late.document.accessKey), null);
    assert.equal(await storage.readContents(counter, late.document.accessKey), null);
    assert.equal(await storage.findByIdempotencyKey(counter, 'late'), null);
    assert.equal((await storage.listDocuments(counter, { page: 1, limit: 10 })).total, 2);
  }),
  onStorage('a batch ahead of the counter is rejected, on a fresh counter too', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const early = { counter, firstSequential: 2, documents: [sampleDocument(counter, 2)] };
    assert.deepEqual(await storage.storeDocuments(early), { kind: 'counterMoved', nextSequential: 1 });
    assert.equal(await storage.nextSequential(counter), 1);
  }),
  onStorage('a counter moves forward or stays, and never moves back', async (storage) => {
    const counter = invoicesOf(sampleScope());
    assert.equal(await storage.setNextSequential(counter, 1), true);
    assert.equal(await storage.setNextSequential(counter, 500), true);
    assert.equal(await storage.setNextSequential(counter, 500), true);
    assert.equal(await storage.setNextSequential(counter, 499), false);
    assert.equal(await storage.nextSequential(counter), 500);
    assert.equal((await storeSample(storage, counter)).sequential, 500);
  }),
  onStorage('the last number of nine digits can be given', async (storage) => {
    const counter = invoicesOf(sampleScope());
    await storage.setNextSequential(counter, 999_999_999);
    const last = await storeSample(storage, counter);
    assert.equal(last.sequential, 999_999_999);
    assert.equal(await storage.nextSequential(counter), 1_000_000_000);
  }),
  onStorage('fifty creators at once get fifty numbers, without a gap and without a repeat', async (storage, open) => {
    const storages = [storage, await open()];
    const counter = invoicesOf(sampleScope());
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_, index) => createOne(pick(storages, index), counter)),
    );
    assert.deepEqual(
      taken.toSorted((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    assert.equal(await pick(storages, 0).nextSequential(counter), 51);
  }),
  onStorage('creators that race with a moved counter leave no gap except the jump', async (storage, open) => {
    const storages = [storage, await open()];
    const counter = invoicesOf(sampleScope());
    const [moved, ...taken] = await Promise.all([
      pick(storages, 1).setNextSequential(counter, 1000),
      ...Array.from({ length: 30 }, (_, index) => createOne(pick(storages, index), counter)),
    ]);
    assert.equal(moved, true);
    const low = taken.filter((number) => number < 1000).length;
    const expected = Array.from({ length: 30 }, (_, index) => (index < low ? index + 1 : 1000 + index - low));
    assert.deepEqual(
      taken.toSorted((a, b) => a - b),
      expected,
    );
  }),
  onStorage('no other writer overtakes a locked counter while documents are built', async (here, open) => {
    const there = await open();
    const counter = invoicesOf(sampleScope());
    for (const expected of [1, 101]) {
      const rivals: Promise<unknown>[] = [];
      const outcome = await here.storeUnderLock(counter, async (first) => {
        assert.equal(first, expected);
        rivals.push(there.setNextSequential(counter, first + 98), createOne(there, counter));
        rivals.push(there.storeUnderLock(counter, async (next) => [sampleDocument(counter, next)]));
        await new Promise((resolve) => setTimeout(resolve, 20));
        return [sampleDocument(counter, first), sampleDocument(counter, first + 1)];
      });
      assert.deepEqual(outcome, { kind: 'stored' });
      await Promise.all(rivals);
      const { documents } = await here.listDocuments(counter, { page: 1, limit: 10, sortBy: 'sequential' });
      const numbers = documents.map(({ sequential }) => sequential);
      assert(numbers.includes(expected) && numbers.includes(expected + 1), `${numbers}`);
      await here.setNextSequential(counter, expected + 100);
    }
  }),
  onStorage('documents that fail under a lock have no effect and release the counter', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const failure = Object.assign(new Error('the token was pulled out'), { code: 'ECONNRESET' });
    let calls = 0;
    const failing = storage.storeUnderLock(counter, async () => {
      calls += 1;
      throw failure;
    });
    await assert.rejects(failing, (error) => error === failure);
    assert.equal(calls, 1);
    assert.deepEqual(await storage.storeUnderLock(counter, async () => []), { kind: 'stored' });
    assert.equal(await storage.nextSequential(counter), 1);
    const bound = await storeSample(storage, counter, { idempotencyKey: 'k' });
    const outcome = await storage.storeUnderLock(counter, async (first) => [
      sampleDocument(counter, first),
      sampleDocument(counter, first + 1, { idempotencyKey: 'k' }),
    ]);
    assert.deepEqual(outcome, { kind: 'idempotencyKeyTaken', index: 1 });
    assert.equal((await storage.findByIdempotencyKey(counter, 'k'))?.id, bound.id);
    assert.equal(await storage.nextSequential(counter), 2);
  }),
];

// --- internal ---

/** Takes the next number without a lock: reads it, tries, and starts over after a lost race. */
function createOne(storage: Storage, counter: Counter): Promise<number> {
  return repeat(async () => {
    const sequential = await storage.nextSequential(counter);
    const documents = [sampleDocument(counter, sequential)];
    const outcome = await storage.storeDocuments({ counter, firstSequential: sequential, documents });
    if (outcome.kind === 'stored') return sequential;
    assert.equal(outcome.kind, 'counterMoved');
    return null;
  });
}

function pick(storages: readonly Storage[], index: number): Storage {
  const storage = storages[index % storages.length];
  assert(storage);
  return storage;
}
