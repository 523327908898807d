import assert from 'node:assert/strict';
import type { ClaimedJob, Job, QueueingChange, Scope, Storage, StoredDocument } from '../../storage.js';
import { SAMPLE_TIME, sampleDocument, sampleScope, storeSample } from '../sample-documents.js';
import { after, type ConformanceCase, invoicesOf, onStorage, reread, sampleJob, strangersOf } from './case.js';

const NOW = SAMPLE_TIME;
const LEASE_MS = 60_000;

/** Jobs: held by one worker at a time, taken over when the lease ends, shared fairly. */
export const claiming: readonly ConformanceCase[] = [
  onStorage('a due job is claimed with its document, and shows as running', async (storage) => {
    const job = sampleJob({ operation: 'AUTHORIZE', attemptCount: 3, lastError: 'HTTP_504', unconfirmed: true });
    const document = await storeWithJob(storage, job);
    const [claimed, ...others] = await claim(storage);
    assert(claimed);
    assert.deepEqual(others, []);
    assert.deepEqual(claimed.job, job);
    assert.equal(claimed.lease.documentId, document.id);
    assert.deepEqual(claimed.document, { ...document, job: { ...job, running: true } });
    assert.deepEqual(await reread(storage, document), claimed.document);
    const { documents } = await storage.listDocuments(document, { page: 1, limit: 1 });
    assert.deepEqual(documents, [claimed.document]);
  }),
  onStorage('a claim skips jobs that are not due, never due or already held', async (storage) => {
    await storeWithJob(storage, sampleJob({ dueAt: after(NOW, 1) }));
    await storeWithJob(storage, sampleJob({ dueAt: null, status: 'FAILED' }));
    await storeSample(storage, invoicesOf(sampleScope()));
    assert.deepEqual(await claim(storage), []);
    assert.equal((await claim(storage, { now: after(NOW, 1) })).length, 1);
    assert.deepEqual(await claim(storage, { now: after(NOW, 1) }), []);
  }),
  onStorage('a failed job with a due time is claimed like any other', async (storage) => {
    await storeWithJob(storage, sampleJob({ operation: 'AUTHORIZE', status: 'FAILED', dueAt: NOW }));
    assert.equal((await claim(storage))[0]?.job.status, 'FAILED');
  }),
  onStorage('a claimed SEND is unconfirmed after the claim, and a claimed AUTHORIZE is not', async (storage) => {
    const send = await storeWithJob(storage, sampleJob());
    const authorize = await storeWithJob(storage, sampleJob({ operation: 'AUTHORIZE' }));
    const claimed = await claim(storage);
    assert.deepEqual(
      claimed.map(({ job }) => job.unconfirmed),
      [false, false],
    );
    assert.equal((await reread(storage, send)).job?.unconfirmed, true);
    assert.equal((await reread(storage, authorize)).job?.unconfirmed, false);
    const again = await claim(storage, { now: after(NOW, LEASE_MS) });
    const taken = again.find(({ lease }) => lease.documentId === send.id);
    assert.equal(taken?.job.unconfirmed, true);
  }),
  onStorage('the oldest job of each issuer comes before the second of any', async (storage) => {
    const scopes = [sampleScope(), sampleScope(), sampleScope()];
    const many = scopes[1];
    assert(many);
    for (let n = 9; n >= 1; n -= 1) await storeWithJob(storage, sampleJob({ dueAt: after(NOW, -n * 1000) }), many);
    for (const scope of scopes) await storeWithJob(storage, sampleJob(), scope);
    const claimed = await claim(storage, { limit: 4 });
    const issuers = claimed.map(({ document }) => document.issuerId);
    assert.deepEqual(issuers.slice(0, 3).toSorted(), scopes.map((scope) => scope.issuerId).toSorted());
    assert.equal(issuers[3], many.issuerId);
    const oldest = claimed.filter(({ document }) => document.issuerId === many.issuerId).map(({ job }) => job.dueAt);
    assert.deepEqual(oldest, [after(NOW, -9000), after(NOW, -8000)]);
  }),
  onStorage('claims of one job at a time rotate among the issuers', async (storage) => {
    const [busy, quiet] = [sampleScope(), sampleScope()];
    for (let n = 5; n >= 1; n -= 1) await storeWithJob(storage, sampleJob({ dueAt: after(NOW, -n) }), busy);
    await storeWithJob(storage, sampleJob(), quiet);
    const served = [];
    for (let n = 1; n <= 2; n += 1) served.push(...(await claim(storage, { limit: 1 })));
    assert.deepEqual(
      served.map(({ document }) => document.issuerId).toSorted(),
      [busy.issuerId, quiet.issuerId].toSorted(),
    );
  }),
  onStorage('a time beyond every regular delay counts as due, and a lease of that time as ended', async (storage) => {
    const longestMs = { PENDING: 900_000, FAILED: 4_200_000 };
    // The clock that was ahead looked for such jobs too.
    await claim(storage, { now: after(NOW, 2 * 86_400_000), longestMs });
    const retried = await storeWithJob(storage, sampleJob({ dueAt: after(NOW, 900_001), attemptCount: 2 }));
    const late = sampleJob({ operation: 'AUTHORIZE', status: 'FAILED', dueAt: after(NOW, 4_200_001) });
    const asked = await storeWithJob(storage, late);
    const killed = await storeWithJob(storage, sampleJob());
    await storage.claimJobOf(killed, { now: after(NOW, 2 * 86_400_000), leaseMs: LEASE_MS });
    // These are at the maximum delay.
    await storeWithJob(storage, sampleJob({ dueAt: after(NOW, 900_000) }));
    await storeWithJob(storage, { ...late, dueAt: after(NOW, 4_200_000) });
    const never = await storeWithJob(storage, sampleJob({ status: 'FAILED', dueAt: null }));

    const claimed = await claim(storage, { longestMs });
    const found = claimed.map(({ lease }) => lease.documentId).toSorted();
    assert.deepEqual(found, [retried.id, asked.id, killed.id].toSorted());
    const kept = claimed.find(({ lease }) => lease.documentId === retried.id);
    assert.deepEqual(kept?.job, sampleJob({ dueAt: NOW, attemptCount: 2 }));
    assert.equal(claimed.find(({ lease }) => lease.documentId === killed.id)?.job.unconfirmed, true);
    assert.equal((await reread(storage, never)).job?.dueAt, null);
  }),
  onStorage('the job of one document is claimed although a clock that ran ahead holds it', async (storage) => {
    const document = await storeWithJob(storage, sampleJob());
    await storage.claimJobOf(document, { now: after(NOW, 9 * LEASE_MS), leaseMs: LEASE_MS });
    assert.equal(await storage.claimJobOf(document, { now: NOW, leaseMs: LEASE_MS }), null);
    await storage.claimJobOf(document, { now: after(NOW, 20 * LEASE_MS), leaseMs: LEASE_MS });
    assert((await storage.claimJobOf(document, { now: NOW, leaseMs: LEASE_MS })) !== null);
  }),
  onStorage('a claim serves the issuers in the order of its caller', async (storage) => {
    const scopes = Array.from({ length: 8 }, () => sampleScope());
    for (const scope of scopes) for (let n = 2; n >= 1; n -= 1) await storeWithJob(storage, sampleJob(), scope);
    const order = scopes.map(({ issuerId }) => issuerId).toReversed();
    for (const served of [order.slice(0, 2), [...order, order[2]]]) {
      const given: string[] = [];
      const claimed = await claim(storage, {
        limit: served.length,
        inTurns: async (issuerIds) => {
          given.push(...issuerIds);
          return order;
        },
      });
      assert.deepEqual(given.toSorted(), order.toSorted());
      assert.deepEqual(
        claimed.map(({ document }) => document.issuerId),
        served,
      );
    }
  }),
  onStorage('a claim takes no more than its limit, and all due jobs when they are fewer', async (storage) => {
    const scope = sampleScope();
    for (let n = 0; n < 7; n += 1) await storeWithJob(storage, sampleJob(), scope);
    assert.equal((await claim(storage, { limit: 3 })).length, 3);
    assert.equal((await claim(storage, { limit: 50 })).length, 4);
    assert.deepEqual(await claim(storage, { limit: 50 }), []);
  }),
  onStorage('each job has one worker among many concurrent workers', async (storage, open) => {
    const storages = [storage, await open()];
    const first = storages[0];
    assert(first);
    const scopes = Array.from({ length: 6 }, () => sampleScope());
    for (let n = 0; n < 60; n += 1) await storeWithJob(first, sampleJob(), scopes[n % 6]);
    const work = async (storage: Storage): Promise<string[]> => {
      const taken: string[] = [];
      for (let idle = 0; idle < 3; ) {
        const claimed = await claim(storage, { limit: 4 });
        idle = claimed.length === 0 ? idle + 1 : 0;
        taken.push(...claimed.map(({ lease }) => lease.documentId));
      }
      return taken;
    };
    const taken = (await Promise.all([...storages, ...storages, ...storages].map(work))).flat();
    assert.equal(taken.length, 60);
    assert.equal(new Set(taken).size, 60);
  }),
  onStorage('a job with an expired lease is taken again, and the earlier worker is rejected', async (storage) => {
    const before = await storeWithJob(storage, sampleJob());
    const [frozen] = await claim(storage);
    assert(frozen);
    assert.deepEqual(await claim(storage, { now: after(NOW, LEASE_MS - 1) }), []);
    const [successor] = await claim(storage, { now: after(NOW, LEASE_MS) });
    assert(successor);
    assert(successor.lease.token > frozen.lease.token, 'the later lease has the higher token');

    assert.equal(await storage.renewLease(frozen.lease, after(NOW, 99 * LEASE_MS)), false);
    assert.equal(await finish(storage, frozen), 'leaseLost');
    await storage.releaseJob(frozen);
    assert.deepEqual((await reread(storage, before)).job, { ...sampleJob({ unconfirmed: true }), running: true });
    assert.equal(await finish(storage, successor), 'applied');
  }),
  onStorage('a lost lease is reported even when the document has changed as well', async (storage) => {
    await storeWithJob(storage, sampleJob());
    const [frozen] = await claim(storage);
    const [successor] = await claim(storage, { now: after(NOW, LEASE_MS) });
    assert(frozen && successor);
    assert.equal(await finish(storage, successor, { job: sampleJob({ operation: 'AUTHORIZE' }) }), 'applied');
    assert.equal(await finish(storage, frozen), 'leaseLost');
    assert.equal((await storage.documentEvents(frozen.document, frozen.document.accessKey)).length, 1);
  }),
  onStorage('a worker with an expired lease may finish while no other worker has taken the job', async (storage) => {
    await storeWithJob(storage, sampleJob());
    const [claimed] = await claim(storage);
    assert(claimed);
    assert.equal(await storage.renewLease(claimed.lease, after(NOW, 5 * LEASE_MS)), true);
    assert.deepEqual(await claim(storage, { now: after(NOW, 5 * LEASE_MS - 1) }), []);
    assert.equal(await finish(storage, claimed, { at: after(NOW, 9 * LEASE_MS) }), 'applied');
  }),
  onStorage(
    'a change that keeps the job keeps the lease, and a change that sets the job ends the lease',
    async (storage) => {
      await storeWithJob(storage, sampleJob());
      const [claimed] = await claim(storage);
      assert(claimed);
      const { job: _, ...untouched } = change(claimed);
      assert.equal(await storage.changeDocument(untouched), 'applied');
      const noted = await reread(storage, claimed.document);
      assert.equal(noted.job?.running, true);
      const next = sampleJob({ operation: 'AUTHORIZE', dueAt: after(NOW, 3000) });
      assert.equal(await storage.changeDocument({ ...change(claimed), document: noted, job: next }), 'applied');
      assert.deepEqual((await reread(storage, noted)).job, { ...next, running: false });
      assert.equal(await storage.renewLease(claimed.lease, after(NOW, LEASE_MS)), false);
      assert.equal((await claim(storage, { now: after(NOW, 3000) })).length, 1);
    },
  ),
  onStorage('a job that another caller ended or replaced is lost to the worker that held it', async (storage) => {
    // Another job may be held under the same token.
    await storeWithJob(storage, sampleJob());
    await claim(storage);
    for (const job of [null, sampleJob({ dueAt: null })]) {
      await storeWithJob(storage, sampleJob());
      const [claimed] = await claim(storage);
      assert(claimed);
      const { lease: _, ...byHand } = change(claimed, { job });
      assert.equal(await storage.changeDocument(byHand), 'applied');
      assert.equal(await storage.renewLease(claimed.lease, after(NOW, LEASE_MS)), false);
      assert.equal(await finish(storage, claimed), 'leaseLost');
    }
  }),
  onStorage(
    'tokens increase over the life of a document, so that the worker of an ended job cannot touch the next',
    async (storage) => {
      const before = await storeWithJob(storage, sampleJob());
      const [frozen] = await claim(storage);
      assert(frozen);
      const { lease: _, ...byHand } = change(frozen, { job: null });
      assert.equal(await storage.changeDocument(byHand), 'applied');
      assert.equal((await reread(storage, before)).job, null);
      const again = { ...byHand, document: await reread(storage, before), job: sampleJob() };
      assert.equal(await storage.changeDocument(again), 'applied');
      const [later] = await claim(storage);
      assert(later && later.lease.token > frozen.lease.token);
      assert.equal(await storage.renewLease(frozen.lease, after(NOW, LEASE_MS)), false);
      assert.equal(await finish(storage, { ...frozen, document: later.document }), 'leaseLost');
    },
  ),
  onStorage('the job of one document is taken due or not, unless it is held or does not exist', async (storage) => {
    const later = await storeWithJob(storage, sampleJob({ dueAt: after(NOW, 300_000) }));
    const never = await storeWithJob(storage, sampleJob({ dueAt: null, status: 'FAILED' }));
    const none = await storeSample(storage, invoicesOf(sampleScope()));
    const terms = { now: NOW, leaseMs: LEASE_MS };
    for (const document of [later, never]) {
      const claimed = await storage.claimJobOf(document, terms);
      assert.deepEqual({ ...claimed?.job, running: false }, document.job);
      assert.equal(claimed?.document.job?.running, true);
      assert.equal(await storage.claimJobOf(document, terms), null);
      assert(await storage.claimJobOf(document, { ...terms, now: after(NOW, LEASE_MS) }));
    }
    assert.equal(await storage.claimJobOf(none, terms), null);
    for (const stranger of strangersOf(later)) {
      const crossed = { ...later, ...stranger };
      assert.equal(await storage.claimJobOf(crossed, { ...terms, now: after(NOW, 9 * LEASE_MS) }), null);
    }
  }),
  onStorage('a change claims the job that it gives a document, as a claim right after it would', async (storage) => {
    const before = await storeSample(storage, invoicesOf(sampleScope()));
    const job = sampleJob();
    const lease = await storage.changeAndClaim(queueing(before), LEASE_MS);
    assert(lease !== 'stale');
    assert.equal(lease.documentId, before.id);
    const queued = await reread(storage, before);
    assert.equal(queued.status, 'PENDING_SEND');
    assert.deepEqual(queued.job, { ...job, unconfirmed: true, running: true });
    assert.deepEqual(await claim(storage, { now: after(NOW, LEASE_MS - 1) }), []);
    assert.deepEqual(await storage.nextDueAt(), after(NOW, LEASE_MS));

    assert.equal(await storage.renewLease(lease, after(NOW, 2 * LEASE_MS)), true);
    const [successor] = await claim(storage, { now: after(NOW, 2 * LEASE_MS) });
    assert(successor && successor.lease.token > lease.token);
    assert.equal(await finish(storage, { lease, job, document: queued }), 'leaseLost');
    assert.equal(await finish(storage, successor), 'applied');
  }),
  onStorage('a change that claims its job is rejected after a lost race, and claims nothing', async (storage) => {
    const before = await storeSample(storage, invoicesOf(sampleScope()));
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => storage.changeAndClaim(queueing(before), LEASE_MS)),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'stale').length, 3);
    const won = outcomes.find((outcome) => outcome !== 'stale');
    assert(won && (await storage.renewLease(won, after(NOW, LEASE_MS))));
    await assert.rejects(storage.changeAndClaim(queueing(await reread(storage, before)), LEASE_MS));
  }),
  onStorage('a batch claims the jobs of its documents on request, stored with or without a lock', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const job = { ...sampleJob(), running: true };
    const toClaim = (sequential: number) => ({ ...sampleDocument(counter, sequential, { job }), leaseMs: LEASE_MS });
    const batch = [toClaim(1), sampleDocument(counter, 2, { job: { ...job, running: false } }), toClaim(3)];
    const stored = await storage.storeDocuments({ counter, firstSequential: 1, documents: batch });
    const locked = await storage.storeUnderLock(counter, async () => [toClaim(4)]);
    assert(stored.kind === 'stored' && locked.kind === 'stored');
    assert.equal(stored.leases?.size, 2);
    assert.equal(locked.leases?.size, 1);
    const [first, second] = batch;
    assert(first && second);
    const { document } = first;
    const lease = stored.leases?.get(document.id);
    assert.deepEqual((await reread(storage, document)).job, { ...job, unconfirmed: true });
    const free = await claim(storage);
    assert.deepEqual(
      free.map((claimed) => claimed.lease.documentId),
      [second.document.id],
    );
    for (const lease of [...(stored.leases?.values() ?? []), ...(locked.leases?.values() ?? [])]) {
      assert.equal(await storage.renewLease(lease, after(NOW, LEASE_MS)), true);
    }
    const successor = await storage.claimJobOf(document, { now: after(NOW, LEASE_MS), leaseMs: LEASE_MS });
    assert(lease && successor && successor.lease.token > lease.token);
    assert.equal(await finish(storage, { lease, job, document: successor.document }), 'leaseLost');
  }),
  onStorage('the storage gives the job of a document to one of several callers', async (storage, open) => {
    const storages = [storage, await open()];
    const document = await storeWithJob(await open(), sampleJob());
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, n) => storages[n % 2]?.claimJobOf(document, { now: NOW, leaseMs: LEASE_MS })),
    );
    assert.equal(claims.filter((claimed) => claimed).length, 1);
  }),
  onStorage('an unfinished attempt out of turn is taken over when its lease ends', async (storage) => {
    const never = await storeWithJob(storage, sampleJob({ dueAt: null, status: 'FAILED' }));
    await storage.claimJobOf(never, { now: NOW, leaseMs: LEASE_MS });
    assert.deepEqual(await claim(storage, { now: after(NOW, LEASE_MS - 1) }), []);
    assert.equal((await claim(storage, { now: after(NOW, LEASE_MS) }))[0]?.lease.documentId, never.id);

    const later = await storeWithJob(storage, sampleJob({ dueAt: after(NOW, 9 * LEASE_MS) }));
    await storage.claimJobOf(later, { now: NOW, leaseMs: LEASE_MS });
    assert.deepEqual(await claim(storage, { now: after(NOW, 2 * LEASE_MS - 1) }), []);
    const claimed = await claim(storage, { now: after(NOW, 9 * LEASE_MS) });
    assert(claimed.some(({ lease }) => lease.documentId === later.id));
  }),
  onStorage('a released job is unchanged, and due again at once', async (storage) => {
    const job = sampleJob({ attemptCount: 1, lastError: 'e' });
    const before = await storeWithJob(storage, job);
    const [claimed] = await claim(storage);
    assert(claimed);
    await storage.releaseJob(claimed);
    assert.deepEqual((await reread(storage, before)).job, { ...job, running: false });
    assert.equal(await storage.renewLease(claimed.lease, after(NOW, LEASE_MS)), false);
    const [again] = await claim(storage);
    assert(again && again.lease.token > claimed.lease.token);
    await storage.releaseJob(claimed);
    assert.equal((await reread(storage, before)).job?.running, true);
  }),
  onStorage('a job released with another due time is due then, and otherwise unchanged', async (storage) => {
    const job = sampleJob({ attemptCount: 1, lastError: 'e' });
    const before = await storeWithJob(storage, job);
    const [claimed] = await claim(storage);
    assert(claimed);
    const dueAt = after(NOW, 60_000);
    await storage.releaseJob({ ...claimed, job: { ...claimed.job, dueAt } });
    const released = await reread(storage, before);
    assert.deepEqual(released.job, { ...job, dueAt, running: false });
    assert.equal(released.revision, before.revision);
    assert.deepEqual(await storage.nextDueAt(), dueAt);
    assert.deepEqual(await claim(storage, { now: after(NOW, 59_999) }), []);
    assert.equal((await claim(storage, { now: dueAt })).length, 1);
  }),
  onStorage(
    'the next due time is that of the first available job; a held job counts from its lease’s end',
    async (storage) => {
      assert.equal(await storage.nextDueAt(), null);
      await storeWithJob(storage, sampleJob({ dueAt: null, status: 'FAILED' }));
      assert.equal(await storage.nextDueAt(), null);
      await storeWithJob(storage, sampleJob({ dueAt: after(NOW, 5000) }));
      await storeWithJob(storage, sampleJob());
      assert.deepEqual(await storage.nextDueAt(), NOW);
      const [claimed] = await claim(storage, { leaseMs: 1000 });
      assert(claimed);
      assert.deepEqual(await storage.nextDueAt(), after(NOW, 1000));
      assert.equal(await finish(storage, claimed), 'applied');
      assert.deepEqual(await storage.nextDueAt(), after(NOW, 5000));
    },
  ),
];

// --- internal ---

function storeWithJob(storage: Storage, job: Job, scope: Scope = sampleScope()): Promise<StoredDocument> {
  return storeSample(storage, invoicesOf(scope), { status: 'PENDING_SEND', job: { ...job, running: false } });
}

function claim(
  storage: Storage,
  terms: Partial<Parameters<Storage['claimJobs']>[0]> = {},
): Promise<readonly ClaimedJob[]> {
  return storage.claimJobs({ now: NOW, limit: 10, leaseMs: LEASE_MS, ...terms });
}

/** The change that queues a submission of the document. */
function queueing(document: StoredDocument): QueueingChange {
  return { document, set: { status: 'PENDING_SEND' }, events: [], responses: [], job: sampleJob(), at: NOW };
}

/** The final change of a worker: the document moves on, and the job is done. */
function change({ document, lease }: ClaimedJob, more: { job?: Job | null; at?: Date } = {}) {
  return {
    document,
    set: { status: 'RECEIVED' },
    events: [],
    responses: [],
    job: null,
    lease,
    at: NOW,
    ...more,
  } as const;
}

function finish(storage: Storage, claimed: ClaimedJob, more?: Parameters<typeof change>[1]) {
  return storage.changeDocument(change(claimed, more));
}
