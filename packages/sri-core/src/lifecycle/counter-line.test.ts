import { describe, expect, it } from 'vitest';
import { StorageUnavailableError } from '../errors.js';
import { systemRandom } from '../random.js';
import type { Signer } from '../signing/signer.js';
import type { Storage } from '../storage.js';
import { createBench, invoiceBody, SCOPE, testSigner } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';
import { CounterLine } from './counter-line.js';

const COUNTER = { ...SCOPE, documentType: '01' } as const;

/** A storage whose counter somebody moves whenever its next number has been read. */
function restless(): Storage {
  const real = createMemoryStorage();
  return {
    ...real,
    async nextSequential(counter) {
      const next = await real.nextSequential(counter);
      await real.setNextSequential(counter, next + 10);
      return next;
    },
  };
}

/** @param onSignature told of each before it is made. */
async function countingSigner(onSignature: (count: number) => void = () => {}) {
  const real = await testSigner();
  const counted = { signatures: 0 };
  const signer: Signer = {
    certificate: real.certificate,
    async sign(data, algorithm) {
      counted.signatures += 1;
      onSignature(counted.signatures);
      return real.sign(data, algorithm);
    },
  };
  return { signer, counted };
}

describe('a counter that somebody moves without end', () => {
  it('keeps nobody from creating', async () => {
    const { signer, counted } = await countingSigner();
    const { engine } = await createBench({ storage: restless(), issuer: { signer } });
    const made = await Promise.all(Array.from({ length: 20 }, () => engine.create(SCOPE, invoiceBody())));
    expect(new Set(made.map(({ document }) => document.sequential)).size).toBe(20);
    // Three races are lost, the first of them by whoever came first and by those who were signed meanwhile; then eight at a
    // time keep the counter, and those who are left lose one more race before each further turn.
    const races = 1 + 19 + 20 + 20 + 12 + 4;
    expect(counted.signatures).toBe(races + 20);
  });

  it('is kept from others only while a few are signed', async () => {
    const real = restless();
    const kept: number[] = [];
    const storeUnderLock: Storage['storeUnderLock'] = (counter, build) =>
      real.storeUnderLock(counter, async (first) => {
        const documents = await build(first);
        kept.push(documents.length);
        return documents;
      });
    const { engine } = await createBench({ storage: { ...real, storeUnderLock } });
    await Promise.all(Array.from({ length: 20 }, () => engine.create(SCOPE, invoiceBody())));
    expect(kept).toEqual([8, 8, 4]);
  });

  it('leaves no gap but its jumps', async () => {
    const storage = restless();
    const { engine } = await createBench({ storage });
    const numbers: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      numbers.push((await engine.create(SCOPE, invoiceBody())).document.sequential);
    }
    // Every number read moves the counter by ten, and every document takes one.
    for (const [index, number] of numbers.entries()) expect((number - 1 - index) % 10).toBe(0);
    expect(new Set(numbers).size).toBe(5);
  });

  it('keeps no key from giving one document', async () => {
    const storage = restless();
    const [one, two] = [await createBench({ storage }), await createBench({ storage })];
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).engine.create(SCOPE, invoiceBody(), { idempotencyKey: 'order-1' }),
      ),
    );
    expect(new Set(made.map(({ document }) => document.accessKey)).size).toBe(1);
    expect((await one.engine.list(SCOPE, { page: 1, limit: 10 })).total).toBe(1);
  });

  it('lets those be signed whose neighbours cannot', async () => {
    const real = await testSigner();
    let calls = 0;
    const flaky: Signer = {
      certificate: real.certificate,
      async sign(data, algorithm) {
        calls += 1;
        if (calls > 36 && calls % 5 === 0) throw new Error('the token was pulled out');
        return real.sign(data, algorithm);
      },
    };
    const { engine, storage } = await createBench({ storage: restless(), issuer: { signer: flaky } });
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => engine.create(SCOPE, invoiceBody())));
    const stored = results.filter(({ status }) => status === 'fulfilled');
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.length).toBeLessThan(12);
    expect((await storage.listDocuments(SCOPE, { page: 1, limit: 20 })).total).toBe(stored.length);
  });

  it('still tells that a counter has no number left', async () => {
    const { engine, storage } = await createBench({ storage: restless() });
    await storage.setNextSequential(COUNTER, 999_999_955);
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => engine.create(SCOPE, invoiceBody())));
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'stored'));
    expect(new Set(codes)).toEqual(new Set(['stored', 'SEQUENTIAL_EXHAUSTED']));
  });
});

describe('batches that follow one another', () => {
  async function createMany(storage: Storage) {
    const { engine } = await createBench({ storage });
    const made = await Promise.all(Array.from({ length: 80 }, () => engine.create(SCOPE, invoiceBody())));
    return made.map(({ document }) => document.sequential).toSorted((a, b) => a - b);
  }

  it('read the counter once', async () => {
    const real = createMemoryStorage();
    let read = 0;
    const nextSequential: Storage['nextSequential'] = (counter) => {
      read += 1;
      return real.nextSequential(counter);
    };
    expect(await createMany({ ...real, nextSequential })).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    expect(read).toBe(1);
  });

  it('notice that somebody else moved it in between', async () => {
    const real = createMemoryStorage();
    let stored = 0;
    const storeDocuments: Storage['storeDocuments'] = async (batch) => {
      const outcome = await real.storeDocuments(batch);
      stored += 1;
      if (stored === 1) await real.setNextSequential(COUNTER, 1_000);
      return outcome;
    };
    const numbers = await createMany({ ...real, storeDocuments });
    // Whoever comes first is a batch alone.
    expect(numbers).toEqual([1, ...Array.from({ length: 79 }, (_, index) => index + 1_000)]);
  });
});

describe('a batch that waits', () => {
  it('is signed while the one before is stored', async () => {
    const real = createMemoryStorage();
    const secondSigned = Promise.withResolvers<void>();
    const signing = await countingSigner((count) => count === 2 && secondSigned.resolve());
    const storeDocuments: Storage['storeDocuments'] = async (batch) => {
      if (batch.firstSequential === 1) await secondSigned.promise;
      return real.storeDocuments(batch);
    };
    const { engine } = await createBench({ storage: { ...real, storeDocuments }, issuer: { signer: signing.signer } });
    const made = await Promise.all([engine.create(SCOPE, invoiceBody()), engine.create(SCOPE, invoiceBody())]);
    expect(made.map(({ document }) => document.sequential)).toEqual([1, 2]);
    expect(signing.counted.signatures).toBe(2);
  });

  it('takes the numbers that the one before was refused, without those that cannot be signed', async () => {
    const real = createMemoryStorage();
    let refused = 0;
    const storeDocuments: Storage['storeDocuments'] = async (batch) => {
      if (refused > 0) return real.storeDocuments(batch);
      refused += 1;
      throw new StorageUnavailableError('gone');
    };
    const { signer } = await countingSigner((count) => {
      if (count === 3) throw new Error('no key');
    });
    const { engine } = await createBench({ storage: { ...real, storeDocuments }, issuer: { signer } });
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => engine.create(SCOPE, invoiceBody())));
    const became = results.map((result) =>
      result.status === 'fulfilled' ? result.value.document.sequential : result.reason.message,
    );
    expect(became).toEqual(['gone', 1, 'no key', 2]);
  });
});

describe('the line of a counter', () => {
  const waiting = { build: () => Promise.reject(new Error('cannot be signed')) };

  it('is forgotten when nobody waits any more', async () => {
    let forgotten = 0;
    const line = new CounterLine({ storage: createMemoryStorage(), random: systemRandom }, COUNTER, () => {
      forgotten += 1;
    });
    const results = await Promise.allSettled([line.number(waiting), line.number(waiting), line.number(waiting)]);
    expect(results.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(forgotten).toBe(1);
  });

  it('is kept while a lost race is remembered', async () => {
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
    const line = new CounterLine({ storage, random: systemRandom }, COUNTER, () => {
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
