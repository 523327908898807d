import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { parseAccessKey } from '../access-key.js';
import { StorageUnavailableError } from '../errors.js';
import { type Logger, unfailingLogger } from '../logger.js';
import type { Storage } from '../storage.js';
import { BENCH_TYPES, createBench, SCOPE, sent } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';

const MINUTE = 60_000;

/** A storage with some calls replaced. */
function withFaults(faults: (real: Storage) => Partial<Storage>): Storage {
  const real = createMemoryStorage();
  return { ...real, ...faults(real) };
}

function listeningLogger() {
  const lines: string[] = [];
  const note = (_fields: unknown, message: string) => lines.push(message);
  return { lines, logger: { info: () => {}, warn: note, error: note } satisfies Logger };
}

describe.each(BENCH_TYPES)('storing: $name', ({ bodyTo, counter }) => {
  it('`create` stores the neighbours of a document that the application rejects', async () => {
    const storage = withFaults((real) => ({
      storeDocuments: async (batch) => {
        if (batch.documents.some(({ document }) => document.counterparty.id === 'REFUSED'))
          throw new Error('over the quota');
        return real.storeDocuments(batch);
      },
    }));
    const { engine } = await createBench({ storage });
    const results = await Promise.allSettled(
      ['A', 'B', 'REFUSED', 'C', 'REFUSED', 'D'].map((buyer) => engine.create(SCOPE, bodyTo(buyer))),
    );
    const reported = results.map((result) => (result.status === 'fulfilled' ? 'stored' : result.reason.message));
    expect(reported).toEqual(['stored', 'stored', 'over the quota', 'stored', 'over the quota', 'stored']);
    expect(await engine.nextSequential(counter)).toBe(5);
  });

  it('`create` continues with the others when another process has bound an idempotency key', async () => {
    const other = await createBench();
    let isBound = false;
    const storeDocuments: Storage['storeDocuments'] = async (batch) => {
      if (!isBound && batch.documents.some(({ document }) => document.idempotencyKey === 'order-1')) {
        isBound = true;
        await other.engine.create(SCOPE, bodyTo('B'), { idempotencyKey: 'order-1' });
      }
      return other.storage.storeDocuments(batch);
    };
    const { engine } = await createBench({ storage: { ...other.storage, storeDocuments } });
    const made = await Promise.all([
      engine.create(SCOPE, bodyTo('A')),
      engine.create(SCOPE, bodyTo('B'), { idempotencyKey: 'order-1' }),
      engine.create(SCOPE, bodyTo('C')),
    ]);
    const reported = made.map(
      ({ document, replayed }) => `${document.counterparty.id} ${document.sequential} ${replayed}`,
    );
    expect(reported).toEqual(['A 2 false', 'B 1 true', 'C 3 false']);
  });

  it('`create` does not retry a lone document that the storage rejected', async () => {
    let tried = 0;
    const storage = withFaults(() => ({
      storeDocuments: async () => {
        tried += 1;
        throw new Error('over the quota');
      },
    }));
    const { engine } = await createBench({ storage });
    await expect(engine.create(SCOPE, bodyTo())).rejects.toThrow('over the quota');
    expect(tried).toBe(1);
  });

  it('`create` rejects all waiting documents when the storage fails, and continues after it', async () => {
    let away = true;
    const tried: number[] = [];
    const storage = withFaults((real) => ({
      storeDocuments: async (batch) => {
        tried.push(batch.documents.length);
        if (away) throw new StorageUnavailableError('locked');
        return real.storeDocuments(batch);
      },
    }));
    const { engine } = await createBench({ storage });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => engine.create(SCOPE, bodyTo())));
    expect(results.map((result) => (result.status === 'rejected' ? result.reason.code : 'stored'))).toEqual(
      Array(5).fill('STORAGE_UNAVAILABLE'),
    );
    // No document is retried while the storage is down.
    expect(tried).toEqual([5]);
    away = false;
    expect((await engine.create(SCOPE, bodyTo())).document.sequential).toBe(1);
  });

  it('`create` takes new free digits when an access key already exists', async () => {
    let clashes = 2;
    const storage = withFaults((real) => ({
      storeDocuments: async (batch) => {
        clashes -= 1;
        return clashes >= 0 ? { kind: 'accessKeyTaken', index: 0 } : real.storeDocuments(batch);
      },
    }));
    const { engine } = await createBench({ storage });
    expect((await engine.create(SCOPE, bodyTo())).document.sequential).toBe(1);
  });

  it('`create` continues from the moved counter', async () => {
    const one = await createBench();
    const two = await createBench({ storage: one.storage });
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? one : two).engine.create(SCOPE, bodyTo())),
    );
    const numbers = made.map(({ document }) => document.sequential).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });
});

describe.each(BENCH_TYPES)('retrying all failed documents: $name', ({ bodyTo }) => {
  it('`retryAll` skips jobs that another caller restarted, and does not hide errors', async () => {
    let listed: readonly string[] = [];
    const real = createMemoryStorage();
    const storage: Storage = {
      ...real,
      failedDocuments: async (scope) => {
        const documents = await Promise.all(listed.map((accessKey) => real.findDocument(scope, accessKey)));
        const found = documents.filter((document) => document !== null);
        return { documents: found.length > 0 ? found : [{ ...made, accessKey: NOWHERE }], total: 1 };
      },
    };
    const NOWHERE = parseAccessKey('0503201201176001321000110010030009900641234567814').accessKey;
    const { engine } = await createBench({ storage });
    const { document: made } = await engine.create(SCOPE, bodyTo());
    listed = [made.accessKey];
    expect(await engine.retryAll(SCOPE)).toEqual({ documents: [], remaining: 0 });
    listed = [];
    await expect(engine.retryAll(SCOPE)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
  });
});

describe.each(BENCH_TYPES)('a change: $name', ({ bodyTo }) => {
  it('a change that keeps losing races ends with CONCURRENT_CHANGE', async () => {
    const storage = withFaults(() => ({ changeDocument: async () => 'stale' }));
    const { engine } = await createBench({ storage });
    const { document } = await engine.create(SCOPE, bodyTo());
    await expect(engine.send(SCOPE, document.accessKey)).rejects.toMatchObject({
      code: 'CONCURRENT_CHANGE',
      retryable: true,
    });
  });
});

describe.each(BENCH_TYPES)('a worker: $name', ({ bodyTo }) => {
  it('a worker counts an attempt with an internal failure, instead of taking the job again for ever', async () => {
    let broken = true;
    const storage = withFaults((real) => ({
      readContents: async (scope, accessKey) => {
        if (broken) throw new Error('a damaged row');
        return real.readContents(scope, accessKey);
      },
    }));
    const { lines, logger } = listeningLogger();
    const bench = await createBench({ storage, logger });
    const document = await sent(bench, bodyTo());
    expect(await bench.engine.tick()).toBe(1);
    const after = await bench.engine.get(SCOPE, document.accessKey);
    expect(after).toMatchObject({
      status: 'PENDING_SEND',
      job: { attemptCount: 1, unconfirmed: true, running: false, lastError: expect.stringContaining('broke off') },
    });
    expect(lines).toEqual(['attempt broke off']);
    expect((await bench.engine.events(SCOPE, document.accessKey)).at(-1)).toMatchObject({
      eventType: 'ERROR',
      detail: { operation: 'SEND' },
    });
    broken = false;
    await bench.clock.advance(5 * MINUTE);
    await bench.engine.tick();
    expect((await bench.engine.get(SCOPE, document.accessKey)).status).toBe('RECEIVED');
  });

  it('a worker continues with late queries after a broken one', async () => {
    let broken = true;
    const storage = withFaults((real) => ({
      readContents: async (scope, accessKey) => {
        const { status } = (await real.findDocument(scope, accessKey)) ?? {};
        if (broken && status === 'RECEIVED') throw new Error('a statement took too long');
        return real.readContents(scope, accessKey);
      },
    }));
    const bench = await createBench({ storage, schedule: { maxAttempts: 1 } });
    const document = await sent(bench, bodyTo());
    await bench.engine.tick();
    await bench.clock.advance(MINUTE);
    await bench.engine.tick();
    expect(await bench.engine.get(SCOPE, document.accessKey)).toMatchObject({
      status: 'RECEIVED',
      job: { status: 'FAILED', lastError: expect.stringContaining('broke off') },
    });
    broken = false;
    await bench.clock.advance(60 * MINUTE);
    await bench.engine.tick();
    expect((await bench.engine.get(SCOPE, document.accessKey)).status).toBe('AUTHORIZED');
  });

  it('a worker records nothing of a failed attempt when another caller has changed the document', async () => {
    const storage = withFaults((real) => ({
      readContents: async (scope, accessKey) => {
        const document = await real.findDocument(scope, accessKey);
        if (!document) throw new Error('There is no such document.');
        await real.changeDocument({ document, set: {}, events: [], responses: [], at: document.updatedAt });
        throw 'no error at all';
      },
    }));
    const { lines, logger } = listeningLogger();
    const bench = await createBench({ storage, logger });
    const document = await sent(bench, bodyTo());
    expect(await bench.engine.tick()).toBe(1);
    expect(lines).toEqual(['attempt broke off']);
    expect((await bench.engine.get(SCOPE, document.accessKey)).job).toMatchObject({ attemptCount: 0, lastError: null });
  });

  it('a worker skips a document without contents', async () => {
    const storage = withFaults(() => ({ readContents: async () => null }));
    const bench = await createBench({ storage });
    const document = await sent(bench, bodyTo());
    expect(await bench.engine.tick()).toBe(1);
    expect(bench.simulator.journal).toEqual([]);
    expect((await bench.engine.events(SCOPE, document.accessKey)).at(-1)?.toStatus).toBe('PENDING_SEND');
    expect((await bench.engine.get(SCOPE, document.accessKey)).status).toBe('PENDING_SEND');
  });

  it('a worker leaves a job to its lease when the failure cannot be recorded either', async () => {
    let away = false;
    const storage = withFaults((real) => ({
      readContents: async (scope, accessKey) => {
        if (away) throw new StorageUnavailableError('gone');
        return real.readContents(scope, accessKey);
      },
      changeDocument: async (change) => {
        if (away) throw new StorageUnavailableError('gone');
        return real.changeDocument(change);
      },
    }));
    const { lines, logger } = listeningLogger();
    const bench = await createBench({ storage, logger });
    const document = await sent(bench, bodyTo());
    away = true;
    expect(await bench.engine.tick()).toBe(1);
    expect(lines).toEqual(['attempt broke off', 'the broken attempt was not recorded']);
    away = false;
    await bench.clock.advance(MINUTE);
    expect(await bench.engine.tick()).toBe(1);
    expect((await bench.engine.get(SCOPE, document.accessKey)).status).toBe('RECEIVED');
  });

  it('a worker that froze past its lease cannot overwrite another worker’s result', async () => {
    const one = await createBench();
    const document = await sent(one, bodyTo());
    const [frozen] = await one.storage.claimJobs({ now: one.clock.now(), limit: 1, leaseMs: MINUTE });
    await one.clock.advance(MINUTE);
    await one.engine.tick();
    await one.clock.advance(3_000);
    await one.engine.tick();
    const settled = await one.engine.get(SCOPE, document.accessKey);
    expect(settled.status).toBe('AUTHORIZED');
    if (!frozen) throw new Error('nothing was claimed');
    const late = await one.storage.changeDocument({
      document: frozen.document,
      set: { status: 'RETURNED' },
      events: [],
      responses: [],
      job: null,
      lease: frozen.lease,
      at: one.clock.now(),
    });
    expect(['stale', 'leaseLost']).toContain(late);
    expect(await one.engine.get(SCOPE, document.accessKey)).toEqual(settled);
  });

  it('a worker renews its lease during a slow call, and stops when it has lost it', async () => {
    const renewed: boolean[] = [];
    let lose = false;
    const storage = withFaults((real) => ({
      renewLease: async (lease, until) => {
        const kept = lose ? false : await real.renewLease(lease, until);
        renewed.push(kept);
        return kept;
      },
    }));
    const bench = await createBench({ storage, schedule: { leaseMs: 30_000, timeoutMs: 25_000 } });
    await sent(bench, bodyTo('SRI-TIMEOUT'));
    const running = bench.engine.tick();
    await bench.during(bench.clock.sleep(12_000));
    expect(renewed).toEqual([true]);
    lose = true;
    await bench.during(running);
    expect(renewed.at(-1)).toBe(false);
  });

  it('a worker continues to look for jobs after a storage failure', async () => {
    let away: 'claims' | 'reads' | null = 'claims';
    let claims = 0;
    const storage = withFaults((real) => ({
      claimJobs: async (claim) => {
        claims += 1;
        if (away === 'claims') throw new StorageUnavailableError('full');
        return real.claimJobs(claim);
      },
      nextDueAt: async () => {
        if (away === 'reads') throw new StorageUnavailableError('gone');
        return real.nextDueAt();
      },
    }));
    const { lines, logger } = listeningLogger();
    const bench = await createBench({ storage, logger });
    const document = await sent(bench, bodyTo());
    bench.engine.start();
    bench.engine.start(); // a second call has no effect
    await bench.during(bench.clock.sleep(3_000));
    expect(lines).toContain('jobs could not be claimed');
    // The due job is looked for at the usual interval.
    expect(claims).toBeLessThanOrEqual(4);
    away = 'reads';
    await bench.during(bench.clock.sleep(3_000));
    expect(lines).toContain('the next job could not be looked up');
    away = null;
    await bench.during(bench.clock.sleep(10_000));
    await bench.during(bench.engine.stop());
    expect((await bench.engine.get(SCOPE, document.accessKey)).status).toBe('AUTHORIZED');
  });
});

describe('a log that fails', () => {
  it('the failure of a log reaches no caller, at once or later', async () => {
    const unhandled = vi.fn();
    process.once('unhandledRejection', unhandled);
    const logger = unfailingLogger({
      info: () => {
        throw new Error('at once');
      },
      warn: async () => {
        throw new Error('later');
      },
      error: () => {},
    });
    for (const level of ['info', 'warn', 'error'] as const) expect(() => logger[level]({}, '')).not.toThrow();
    await setImmediate();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
