import assert from 'node:assert/strict';
import { SAMPLE_TIME, sampleScope, storeSample } from '../sample-documents.js';
import { after, type ConformanceCase, invoicesOf, onStorage, sampleJob } from './case.js';

/** Failed documents, which wait for a retry. */
export const failing: readonly ConformanceCase[] = [
  onStorage('failed documents are returned oldest first, by operation, with their total', async (storage) => {
    const scope = sampleScope();
    const store = (ms: number, operation: 'SEND' | 'AUTHORIZE', status: 'PENDING' | 'FAILED' = 'FAILED') =>
      storeSample(storage, invoicesOf(scope), {
        createdAt: after(SAMPLE_TIME, ms),
        status: operation === 'SEND' ? 'PENDING_SEND' : 'RECEIVED',
        job: { ...sampleJob({ operation, status, dueAt: null, attemptCount: 5, lastError: 'e' }), running: false },
      });
    const newest = await store(3, 'SEND');
    const oldest = await store(1, 'AUTHORIZE');
    const middle = await store(2, 'SEND');
    await store(0, 'SEND', 'PENDING');
    await storeSample(storage, invoicesOf(scope));
    assert.deepEqual(await storage.failedDocuments(scope, { limit: 10 }), {
      documents: [oldest, middle, newest],
      total: 3,
    });
    assert.deepEqual(await storage.failedDocuments(scope, { limit: 1 }), { documents: [oldest], total: 3 });
    assert.deepEqual(await storage.failedDocuments(scope, { limit: 0 }), { documents: [], total: 3 });
    assert.deepEqual(await storage.failedDocuments(scope, { operation: 'SEND', limit: 1 }), {
      documents: [middle],
      total: 2,
    });
    assert.deepEqual(await storage.failedDocuments({ ...scope, environment: 'production' }, { limit: 10 }), {
      documents: [],
      total: 0,
    });
    assert.deepEqual(await storage.failedDocuments(sampleScope(), { limit: 10 }), { documents: [], total: 0 });
  }),
  onStorage('a failed document that a worker holds is left out', async (storage) => {
    const scope = sampleScope();
    const job = sampleJob({ operation: 'AUTHORIZE', status: 'FAILED' });
    await storeSample(storage, invoicesOf(scope), { status: 'RECEIVED', job: { ...job, running: false } });
    const [claimed] = await storage.claimJobs({ now: SAMPLE_TIME, limit: 1, leaseMs: 60_000 });
    assert(claimed);
    assert.equal((await storage.failedDocuments(scope, { limit: 10 })).total, 0);
    await storage.releaseJob(claimed);
    assert.equal((await storage.failedDocuments(scope, { limit: 10 })).total, 1);
  }),
];
