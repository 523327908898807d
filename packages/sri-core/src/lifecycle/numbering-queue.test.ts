import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../access-key.js';
import { StorageUnavailableError } from '../errors.js';
import { systemRandom } from '../random.js';
import type { Signer } from '../signing/signer.js';
import type { Storage } from '../storage.js';
import { BENCH_TYPES, createBench, invoiceBody, SCOPE, testSigner, watchedSigner } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';
import { createRestlessStorage } from '../testing/restless-storage.js';
import { createCommitRounds } from './commit-rounds.js';
import { NumberingQueue } from './numbering-queue.js';

const COUNTER = { ...SCOPE, documentType: '01' } as const;

/**
 * @param onSignature called before each signature.
 * @param onSigned called after each signature.
 */
async function countingSigner(
  onSignature: (count: number) => void = () => {},
  onSigned: (count: number) => void = () => {},
) {
  const real = await testSigner();
  const counted = { signatures: 0 };
  let made = 0;
  const signer: Signer = {
    certificate: real.certificate,
    async sign(data, algorithm) {
      counted.signatures += 1;
      onSignature(counted.signatures);
      const signature = await real.sign(data, algorithm);
      made += 1;
      onSigned(made);
      return signature;
    },
  };
  return { signer, counted };
}

describe.each(BENCH_TYPES)('a counter that another caller moves without end: $name', ({ bodyTo, counter }) => {
  it('a counter that another caller moves without end does not block creates', async () => {
    const { signer, counted } = await countingSigner();
    const { engine } = await createBench({ storage: createRestlessStorage().storage, issuer: { signer } });
    const made = await Promise.all(Array.from({ length: 20 }, () => engine.create(SCOPE, bodyTo())));
    expect(new Set(made.map(({ document }) => document.sequential)).size).toBe(20);
    // Two races are lost. Then the counter is locked.
    expect(counted.signatures).toBe(20 + 20 + 20);
  });

  it('a moving counter is locked while one batch is signed, with the documents that waited for the lock', async () => {
    const real = createRestlessStorage().storage;
    const kept: number[] = [];
    const storeUnderLock: Storage['storeUnderLock'] = (counter, build) =>
      real.storeUnderLock(counter, async (first) => {
        if (kept.length === 0) late = engine.create(SCOPE, bodyTo());
        await new Promise((resolve) => setImmediate(resolve));
        const documents = await build(first);
        kept.push(documents.length);
        return documents;
      });
    const { engine } = await createBench({ storage: { ...real, storeUnderLock } });
    let late: Promise<unknown> | undefined;
    await Promise.all(Array.from({ length: 20 }, () => engine.create(SCOPE, bodyTo())));
    await late;
    await Promise.all(Array.from({ length: 40 }, () => engine.create(SCOPE, bodyTo())));
    expect(kept).toEqual([21, 32, 8]);
  });

  it('a lock on the counter covers the 200 batches after the locked one, and then no more', async () => {
    const restless = createRestlessStorage();
    let underLock = 0;
    const storage: Storage = {
      ...restless.storage,
      storeUnderLock(counter, build) {
        underLock += 1;
        return restless.storage.storeUnderLock(counter, build);
      },
    };
    const { engine } = await createBench({ storage });
    await engine.create(SCOPE, bodyTo());
    restless.isRestless = false;
    for (let count = 0; count < 199; count += 1) await engine.create(SCOPE, bodyTo());
    expect(underLock).toBe(200);
    for (let count = 0; count < 5; count += 1) await engine.create(SCOPE, bodyTo());
    expect(underLock).toBe(201);
  });

  it('a moving counter leaves no gap except its jumps', async () => {
    const storage = createRestlessStorage().storage;
    const { engine } = await createBench({ storage });
    const numbers: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      numbers.push((await engine.create(SCOPE, bodyTo())).document.sequential);
    }
    // Every read moves the counter by ten, and every document takes one number.
    for (const [index, number] of numbers.entries()) expect((number - 1 - index) % 10).toBe(0);
    expect(new Set(numbers).size).toBe(5);
  });

  it('a moving counter still gives one document per idempotency key', async () => {
    const storage = createRestlessStorage().storage;
    const [one, two] = [await createBench({ storage }), await createBench({ storage })];
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).engine.create(SCOPE, bodyTo(), { idempotencyKey: 'order-1' }),
      ),
    );
    expect(new Set(made.map(({ document }) => document.accessKey)).size).toBe(1);
    expect((await one.engine.list(SCOPE, { page: 1, limit: 10 })).total).toBe(1);
  });

  it('a moving counter still serves documents whose neighbours cannot be signed', async () => {
    const flaky = await watchedSigner((call) => {
      if (call > 24 && call % 5 === 0) throw new Error('the token was pulled out');
    });
    const { engine, storage } = await createBench({
      storage: createRestlessStorage().storage,
      issuer: { signer: flaky },
    });
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => engine.create(SCOPE, bodyTo())));
    const stored = results.filter(({ status }) => status === 'fulfilled');
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.length).toBeLessThan(12);
    expect((await storage.listDocuments(SCOPE, { page: 1, limit: 20 })).total).toBe(stored.length);
  });

  it('a moving counter still reports that no number is left', async () => {
    const { engine, storage } = await createBench({ storage: createRestlessStorage().storage });
    await storage.setNextSequential(counter, 999_999_955);
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => engine.create(SCOPE, bodyTo())));
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'stored'));
    expect(new Set(codes)).toEqual(new Set(['stored', 'SEQUENTIAL_EXHAUSTED']));
  });
});

describe.each(BENCH_TYPES)('consecutive batches: $name', ({ bodyTo, counter }) => {
  async function createMany(storage: Storage) {
    const { engine } = await createBench({ storage });
    const made = await Promise.all(Array.from({ length: 80 }, () => engine.create(SCOPE, bodyTo())));
    return made.map(({ document }) => document.sequential).toSorted((a, b) => a - b);
  }

  it('consecutive batches read the counter once', async () => {
    const real = createMemoryStorage();
    let read = 0;
    const nextSequential: Storage['nextSequential'] = (counter) => {
      read += 1;
      return real.nextSequential(counter);
    };
    expect(await createMany({ ...real, nextSequential })).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    expect(read).toBe(1);
  });

  it('consecutive batches fail when the counter cannot be read, and take no number', async () => {
    const real = createMemoryStorage();
    let reads = 0;
    const nextSequential: Storage['nextSequential'] = async (counter) => {
      reads += 1;
      if (reads === 1) throw new StorageUnavailableError('gone');
      return real.nextSequential(counter);
    };
    const { engine } = await createBench({ storage: { ...real, nextSequential }, language: 'en' });
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => engine.create(SCOPE, bodyTo())));
    expect(results.map((result) => result.status === 'rejected' && result.reason.message)).toEqual(
      Array(40).fill('gone'),
    );
    expect((await engine.create(SCOPE, bodyTo())).document.sequential).toBe(1);
  });

  it('consecutive batches detect a concurrent move of the counter', async () => {
    const real = createMemoryStorage();
    let stored = 0;
    const storeDocuments: Storage['storeDocuments'] = async (batch) => {
      const outcome = await real.storeDocuments(batch);
      stored += 1;
      if (stored === 1) await real.setNextSequential(counter, 1_000);
      return outcome;
    };
    const numbers = await createMany({ ...real, storeDocuments });
    // Of the three batches the first is stored, and the next one finds the counter moved.
    expect(numbers).toEqual([
      ...Array.from({ length: 32 }, (_, index) => index + 1),
      ...Array.from({ length: 48 }, (_, index) => index + 1_000),
    ]);
  });

  it('consecutive batches continue up to the last number', async () => {
    const storage = createMemoryStorage();
    await storage.setNextSequential(counter, 999_999_900);
    const { engine } = await createBench({ storage });
    const results = await Promise.allSettled(Array.from({ length: 104 }, () => engine.create(SCOPE, bodyTo())));
    const became = results.map((result) =>
      result.status === 'fulfilled' ? result.value.document.sequential : result.reason.code,
    );
    expect(became).toEqual([
      ...Array.from({ length: 100 }, (_, index) => 999_999_900 + index),
      ...Array(4).fill('SEQUENTIAL_EXHAUSTED'),
    ]);
  });
});

describe.each(BENCH_TYPES)('a batch behind another: $name', ({ bodyTo, counter }) => {
  /** How the storage treats batches, given their first numbers; other batches are stored. */
  type Treatment = (first: number, size: number) => Promise<void> | undefined;

  async function behind(treat: Treatment, signer?: Signer) {
    const real = createMemoryStorage();
    const first = Promise.withResolvers<void>();
    const storeDocuments: Storage['storeDocuments'] = async (batch) => {
      first.resolve();
      await treat(batch.firstSequential, batch.documents.length);
      return real.storeDocuments(batch);
    };
    const storage = { ...real, storeDocuments };
    const { engine } = await createBench({ storage, issuer: signer ? { signer } : {}, language: 'en' });
    const create = () => engine.create(SCOPE, bodyTo()).then(({ document }) => document.sequential);
    return {
      create,
      /** Resolves once a batch is submitted to the storage. */
      first: first.promise,
      createMany: (count: number) => Promise.all(Array.from({ length: count }, create)),
      becameOf: async (count: number) => {
        const results = await Promise.allSettled(Array.from({ length: count }, create));
        return results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message));
      },
    };
  }

  const range = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

  it('a batch is signed while the batch before it is stored', async () => {
    const others = Promise.withResolvers<void>();
    const signing = await countingSigner((count) => count === 5 && others.resolve());
    const { create, createMany, first } = await behind(
      (number) => (number === 1 ? others.promise : undefined),
      signing.signer,
    );
    const made = create();
    await first;
    expect(await createMany(4)).toEqual([2, 3, 4, 5]);
    expect(await made).toBe(1);
    expect(signing.counted.signatures).toBe(5);
  });

  it('a batch large enough for a commit is submitted before the batch before it is stored', async () => {
    const second = Promise.withResolvers<void>();
    const seen: number[] = [];
    const { create, createMany, first } = await behind((number, size) => {
      seen.push(number, size);
      if (number === 2) second.resolve();
      return number === 1 ? second.promise : undefined;
    });
    const made = create();
    await first;
    expect(await createMany(12)).toEqual(range(2, 12));
    expect(await made).toBe(1);
    expect(seen).toEqual([1, 1, 2, 12]);
  });

  it('a small batch waits for the batch before it', async () => {
    const release = Promise.withResolvers<void>();
    const allSigned = Promise.withResolvers<void>();
    const { signer } = await countingSigner(undefined, (count) => count === 12 && allSigned.resolve());
    const seen: number[] = [];
    const { create, first } = await behind((number, size) => {
      seen.push(number, size);
      return number === 1 ? release.promise : undefined;
    }, signer);
    const made = [create()];
    await first;
    for (let count = 0; count < 11; count += 1) made.push(create());
    await allSigned.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([1, 1]);
    release.resolve();
    expect(await Promise.all(made)).toEqual(range(1, 12));
    expect(seen).toEqual([1, 1, 2, 11]);
  });

  it('the small rest of a burst waits for the batch before it', async () => {
    const release = Promise.withResolvers<void>();
    const allSigned = Promise.withResolvers<void>();
    const { signer } = await countingSigner(undefined, (count) => count === 40 && allSigned.resolve());
    const seen: number[] = [];
    const { createMany } = await behind((number, size) => {
      seen.push(number, size);
      return number === 1 ? release.promise : undefined;
    }, signer);
    const made = createMany(40);
    await allSigned.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([1, 32]);
    release.resolve();
    expect(await made).toEqual(range(1, 40));
    expect(seen).toEqual([1, 32, 33, 8]);
  });

  it('a batch waits behind two batches, and then takes 32 documents at most', async () => {
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const secondIsThere = Promise.withResolvers<void>();
    const allSigned = Promise.withResolvers<void>();
    const { signer } = await countingSigner(undefined, (count) => count === 45 && allSigned.resolve());
    const seen: number[] = [];
    const { create, createMany, first } = await behind((number, size) => {
      seen.push(number, size);
      if (number === 2) secondIsThere.resolve();
      return number === 1 ? held.promise : release.promise;
    }, signer);
    const alone = create();
    await first;
    const second = createMany(12);
    await secondIsThere.promise;
    // Of the new documents 32 are signed, and the others wait.
    const later = createMany(35);
    await allSigned.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([1, 1, 2, 12]);
    held.resolve();
    expect(await alone).toBe(1);
    release.resolve();
    expect(await second).toEqual(range(2, 12));
    expect(await later).toEqual(range(14, 35));
    expect(seen).toEqual([1, 1, 2, 12, 14, 32, 46, 3]);
  });

  it('a batch takes the numbers of a failed batch, without the documents that cannot be signed', async () => {
    let refused = false;
    const { signer } = await countingSigner((count) => {
      if (count === 35) throw new Error('no key');
    });
    const { becameOf } = await behind(async () => {
      if (refused) return;
      refused = true;
      throw new StorageUnavailableError('gone');
    }, signer);
    expect(await becameOf(40)).toEqual([...Array(32).fill('gone'), 1, 2, 'no key', 3, 4, 5, 6, 7]);
  });

  it('a batch is not submitted when the batch before it is not', async () => {
    const seen: number[] = [];
    const { signer } = await countingSigner((count) => {
      if (count === 3) throw new Error('no key');
    });
    const { becameOf } = await behind((first, size) => void seen.push(first, size), signer);
    expect(await becameOf(50)).toEqual([1, 2, 'no key', ...range(3, 47)]);
    // First number and size of each submitted batch; the storage rejected none.
    expect(seen).toEqual([1, 32, 33, 17]);
  });

  it('a batch counts no lost race when the batch before it lost one', async () => {
    const real = createMemoryStorage();
    let underLock = 0;
    const storage: Storage = {
      ...real,
      async storeDocuments(batch) {
        // Another caller is faster.
        const [first, next] = [batch.firstSequential, await real.nextSequential(counter)];
        if (first === 1) await real.setNextSequential(counter, Math.max(next, 41));
        return real.storeDocuments(batch);
      },
      storeUnderLock(counter, build) {
        underLock += 1;
        return real.storeUnderLock(counter, build);
      },
    };
    const { engine } = await createBench({ storage });
    const made = await Promise.all(Array.from({ length: 64 }, () => engine.create(SCOPE, bodyTo())));
    expect(made.map(({ document }) => document.sequential).toSorted((a, b) => a - b)).toEqual(range(41, 64));
    expect(underLock).toBe(0);
  });

  it('a batch is stored without the document whose storage fails for an unknown reason', async () => {
    let failures = 0;
    const { becameOf } = await behind(async (first, size) => {
      // The third document cannot be stored in any batch.
      if (first <= 3 && first + size > 3 && failures < 2) {
        failures += 1;
        throw new Error('odd');
      }
    });
    expect(await becameOf(5)).toEqual([1, 2, 'odd', 3, 4]);
  });
});

describe('faults of every kind', () => {
  /** Numbers from 0 to 1, the same for the same seed. Park and Miller, 1988. */
  function seeded(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
  }

  const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

  it.each(SEEDS)(
    'each document gets one result under faults of every kind, and no number is lost (seed %d)',
    async (seed) => {
      const { document: sample } = await (await createBench()).engine.create(SCOPE, invoiceBody());
      const chance = seeded(seed * 7_919);
      const turn = async () => {
        for (let turns = Math.floor(chance() * 4); turns > 0; turns -= 1)
          await new Promise((resolve) => setImmediate(resolve));
      };
      const real = createMemoryStorage();
      const skipped = new Set<number>();
      const move = async () => {
        const next = await real.nextSequential(COUNTER);
        if (await real.setNextSequential(COUNTER, next + 2)) for (const gone of [next, next + 1]) skipped.add(gone);
      };
      const odds = chance() * 0.3;
      const storage: Storage = {
        ...real,
        async storeDocuments(batch) {
          await turn();
          if (chance() < odds) await move();
          if (chance() < odds / 2) throw new StorageUnavailableError('gone');
          if (chance() < odds / 2) throw new Error('odd');
          const outcome = await real.storeDocuments(batch);
          await turn();
          return outcome;
        },
      };
      const line = new NumberingQueue({ storage, random: systemRandom }, COUNTER, createCommitRounds(), () => {});
      const create = async (index: number) => {
        for (let turns = Math.floor(chance() * 20); turns > 0; turns -= 1) await turn();
        return line.number({
          build: async ({ sequential, numericCode }) => {
            await turn();
            if (chance() < odds / 10) throw new Error('no key');
            const accessKey = `${sequential}-${numericCode}-${index}` as AccessKey;
            const document = { ...sample, id: `${index}`, sequential, accessKey };
            return { document, events: [], contents: { signedXml: '', authorizedXml: null, requestPayload: {} } };
          },
        });
      };
      const results = await Promise.allSettled(Array.from({ length: 120 }, (_, index) => create(index)));
      const numbers = results.flatMap((result) =>
        result.status === 'fulfilled' && result.value.kind === 'stored'
          ? [result.value.stored.document.sequential]
          : [],
      );
      const { documents, total } = await real.listDocuments(SCOPE, { page: 1, limit: 200 });
      expect(documents.map(({ sequential }) => sequential).toSorted((a, b) => a - b)).toEqual(
        numbers.toSorted((a, b) => a - b),
      );
      expect(total).toBe(numbers.length);
      const next = await real.nextSequential(COUNTER);
      const taken = new Set([...numbers, ...skipped]);
      expect(Array.from({ length: next - 1 }, (_, index) => index + 1).filter((number) => !taken.has(number))).toEqual(
        [],
      );
      const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
      for (const reason of reasons) expect(reason).toMatch(/^(gone|odd|no key)$/);
    },
  );
});

describe('the line of a counter', () => {
  const waiting = { build: () => Promise.reject(new Error('cannot be signed')) };

  it('the line of a counter is dropped when no document waits any more', async () => {
    let forgotten = 0;
    const line = new NumberingQueue(
      { storage: createMemoryStorage(), random: systemRandom },
      COUNTER,
      createCommitRounds(),
      () => {
        forgotten += 1;
      },
    );
    const results = await Promise.allSettled([line.number(waiting), line.number(waiting), line.number(waiting)]);
    expect(results.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(forgotten).toBe(1);
  });

  it('the line of a counter is kept while it remembers a lost race', async () => {
    let forgotten = 0;
    let races = 1;
    const real = createMemoryStorage();
    const storage: Storage = {
      ...real,
      async storeDocuments() {
        if (races === 0) throw new StorageUnavailableError('gone');
        races -= 1;
        return { kind: 'counterMoved', nextSequential: 5 };
      },
    };
    const { document } = await (await createBench()).engine.create(SCOPE, invoiceBody());
    const line = new NumberingQueue({ storage, random: systemRandom }, COUNTER, createCommitRounds(), () => {
      forgotten += 1;
    });
    const build = async () => ({
      document,
      events: [],
      contents: { signedXml: '', authorizedXml: null, requestPayload: {} },
    });
    await expect(line.number({ build })).rejects.toThrow(StorageUnavailableError);
    await new Promise((resolve) => setImmediate(resolve));
    expect(forgotten).toBe(0);
  });
});
