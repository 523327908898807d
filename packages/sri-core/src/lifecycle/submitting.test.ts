import { describe, expect, it, vi } from 'vitest';
import type { EngineOptions } from '../engine-options.js';
import { StorageUnavailableError } from '../errors.js';
import type { RideInput } from '../ride/pdf.js';
import { BENCH_TYPES, type Bench, createBench, SCOPE, sent } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';

const codeOf = (code: string) => expect.objectContaining({ code });
const MINUTE = 60_000;

/** Status and job in one line: `PENDING_SEND SEND 1 PENDING`. */
async function standing({ engine }: Bench, accessKey: string): Promise<string> {
  const { status, job } = await engine.get(SCOPE, accessKey);
  return job ? `${status} ${job.operation} ${job.attemptCount} ${job.status}` : status;
}

async function history({ engine }: Bench, accessKey: string): Promise<string[]> {
  return (await engine.events(SCOPE, accessKey)).map(({ eventType, toStatus }) => `${eventType} ${toStatus ?? '-'}`);
}

async function answers({ engine }: Bench, accessKey: string): Promise<string[]> {
  return (await engine.sriResponses(SCOPE, accessKey))
    .map(({ operationType, status }) => `${operationType} ${status}`)
    .toReversed();
}

describe.each(BENCH_TYPES)('the way from SIGNED to AUTHORIZED: $name', ({ bodyTo }) => {
  it('the worker sends a document, queries three seconds later, and stores the SRI’s answer', async () => {
    const bench = await createBench();
    const { engine, clock } = bench;
    const { accessKey, status, job } = await sent(bench, bodyTo());
    expect({ status, job }).toMatchObject({
      status: 'PENDING_SEND',
      job: { operation: 'SEND', attemptCount: 0 },
    });
    expect(await engine.tick()).toBe(1);
    expect(await standing(bench, accessKey)).toBe('RECEIVED AUTHORIZE 0 PENDING');
    await clock.advance(2_999);
    expect(await engine.tick()).toBe(0);
    await clock.advance(1);
    expect(await engine.tick()).toBe(1);
    const document = await engine.get(SCOPE, accessKey);
    expect(document).toMatchObject({
      status: 'AUTHORIZED',
      job: null,
      authorization: {
        number: accessKey,
        date: expect.stringMatching(/^2026-11-21T10:00:0\d(\.\d+)?-05:00$/),
      },
    });
    expect(await history(bench, accessKey)).toEqual([
      'CREATED SIGNED',
      'STATUS_CHANGED PENDING_SEND',
      'SENT RECEIVED',
      'STATUS_CHANGED AUTHORIZED',
    ]);
    expect(await answers(bench, accessKey)).toEqual(['RECEPTION RECIBIDA', 'AUTHORIZATION AUTORIZADO']);
    expect(await engine.xml(SCOPE, accessKey)).toContain('<estado>AUTORIZADO</estado>');
    expect(await engine.xml(SCOPE, accessKey, 'signed')).toBe((await engine.contents(SCOPE, accessKey)).signedXml);
    expect(Buffer.from((await engine.ride(SCOPE, accessKey)).subarray(0, 5)).toString()).toBe('%PDF-');
    const print = async ({ xml }: RideInput) => Buffer.from(xml);
    expect(Buffer.from(await engine.ride(SCOPE, accessKey, { print })).toString()).toContain(accessKey);
  });

  it('`issue` creates, sends and authorizes a document in one call', async () => {
    const bench = await createBench();
    const { document } = await bench.during(bench.engine.issue(SCOPE, bodyTo()));
    expect(document).toMatchObject({ status: 'AUTHORIZED', job: null });
  });

  it('an option of value undefined counts as absent', async () => {
    const unset = { schedule: { concurrency: undefined }, sriUrls: { sandbox: undefined } };
    const bench = await createBench(unset as unknown as Partial<EngineOptions>);
    const { document } = await bench.during(bench.engine.issue(SCOPE, bodyTo()));
    expect(document.status).toBe('AUTHORIZED');
  });

  it('`issue` answers each of several calls under one idempotency key', async () => {
    const bench = await createBench();
    const issue = () => bench.engine.issue(SCOPE, bodyTo(), { idempotencyKey: 'order-1' });
    const issued = await bench.during(Promise.all([issue(), issue(), issue()]));
    expect(issued.map(({ document }) => document.status)).toEqual(Array(3).fill('AUTHORIZED'));
    expect(new Set(issued.map(({ document }) => document.accessKey)).size).toBe(1);
  });

  it('`issue` stops waiting when the SRI takes too long, and leaves the rest to the loop', async () => {
    const bench = await createBench();
    const { document } = await bench.during(
      bench.engine.issue(SCOPE, bodyTo('SRI-NEVER'), {
        timeoutMs: 10_000,
      }),
    );
    expect(document).toMatchObject({
      status: 'RECEIVED',
      job: { status: 'PENDING', attemptCount: 1 },
    });
  });

  it('a repeated `issue` under its key returns the settled document without a further submission', async () => {
    const bench = await createBench();
    const issue = () => bench.during(bench.engine.issue(SCOPE, bodyTo(), { idempotencyKey: 'order-2' }));
    const first = await issue();
    const events = await bench.engine.events(SCOPE, first.document.accessKey);
    expect(await issue()).toEqual({ ...first, replayed: true });
    expect(await bench.engine.events(SCOPE, first.document.accessKey)).toEqual(events);
  });

  it('`issue` waits for a slot, and returns the queued document when the engine stops', async () => {
    const silent = Promise.withResolvers<never>();
    const calls = Promise.withResolvers<void>();
    const transport = () => {
      calls.resolve();
      return silent.promise;
    };
    const bench = await createBench({ transport, schedule: { concurrency: 1 } });
    const first = bench.engine.issue(SCOPE, bodyTo());
    await calls.promise;
    const second = bench.engine.issue(SCOPE, bodyTo());
    await vi.waitFor(async () =>
      expect((await bench.storage.nextDueAt())?.getTime()).toBe(bench.clock.now().getTime()),
    );
    const patience = new AbortController();
    const stopped = bench.engine.stop(patience.signal);
    expect((await second).document).toMatchObject({ status: 'PENDING_SEND', job: { running: false, attemptCount: 0 } });
    patience.abort();
    await stopped;
    expect((await bench.during(first)).document.job).toMatchObject({ running: false, unconfirmed: true });
  });

  it('`issue` returns the received document when the engine stops before the query is due', async () => {
    const bench = await createBench();
    const received = Promise.withResolvers<unknown>();
    bench.engine.on('received', received.resolve);
    const issued = bench.engine.issue(SCOPE, bodyTo());
    await received.promise;
    await bench.clock.advance(1_000);
    await bench.engine.stop();
    expect((await issued).document).toMatchObject({
      status: 'RECEIVED',
      job: { operation: 'AUTHORIZE', running: false },
    });
  });

  it('`issue` returns its document when the storage fails after the create', async () => {
    const memory = createMemoryStorage();
    const findDocument = async () => Promise.reject(new StorageUnavailableError('away'));
    const bench = await createBench({ storage: { ...memory, findDocument } });
    const { document } = await bench.during(bench.engine.issue(SCOPE, bodyTo()));
    expect(document.status).toBe('PENDING_SEND');
    expect(await memory.findDocument(SCOPE, document.accessKey)).toMatchObject({ id: document.id });
  });

  it('`issue` stops waiting while the SRI is silent, and the attempt continues', async () => {
    const bench = await createBench();
    const start = bench.clock.now().getTime();
    const { document } = await bench.clock.runUntil(
      bench.engine.issue(SCOPE, bodyTo('SRI-TIMEOUT'), { timeoutMs: 5_000 }),
    );
    expect(bench.clock.now().getTime() - start).toBe(5_000);
    expect(document).toMatchObject({ status: 'PENDING_SEND', job: { running: true, attemptCount: 0 } });
    await bench.clock.runUntil(bench.engine.stop());
    const { job } = await bench.engine.get(SCOPE, document.accessKey);
    expect(job).toMatchObject({ running: false, attemptCount: 1, unconfirmed: true });
  });

  it('a document has no authorized XML before authorization', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo());
    expect(await bench.engine.xml(SCOPE, accessKey, 'authorized')).toBeNull();
    expect(await bench.engine.xml(SCOPE, accessKey)).toContain('<ds:Signature');
  });

  it('`xml` and `ride` reject an unknown form', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo());
    await expect(bench.engine.xml(SCOPE, accessKey, 'autorizado' as 'signed')).rejects.toThrow(/^variant has to be/);
    await expect(bench.engine.ride(SCOPE, accessKey, { format: 'A4' as 'a4' })).rejects.toThrow(/^format has to be/);
  });

  it('`send` accepts only a SIGNED document, once', async () => {
    const bench = await createBench();
    const { document } = await bench.engine.create(SCOPE, bodyTo());
    const sends = await Promise.allSettled(
      Array.from({ length: 10 }, () => bench.engine.send(SCOPE, document.accessKey)),
    );
    expect(sends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(bench.engine.send(SCOPE, document.accessKey)).rejects.toEqual(codeOf('INVALID_STATE_TRANSITION'));
    await expect(bench.engine.send(SCOPE, '0'.repeat(49))).rejects.toEqual(codeOf('DOCUMENT_NOT_FOUND'));
  });

  it('the engine notifies subscribers after each step, and survives a subscriber that throws', async () => {
    const bench = await createBench();
    const seen: string[] = [];
    bench.engine.on('created', () => {
      throw 'no error at all';
    });
    bench.engine.on('event', () => {
      throw new Error('a subscriber of somebody else');
    });
    for (const name of ['created', 'received', 'authorized', 'returned'] as const) {
      bench.engine.on(name, ({ document }) => seen.push(`${name} ${document.status}`));
    }
    const stop = bench.engine.on('created', () => seen.push('never'));
    stop();
    await bench.during(bench.engine.issue(SCOPE, bodyTo()));
    expect(seen).toEqual(['created PENDING_SEND', 'received RECEIVED', 'authorized AUTHORIZED']);
  });

  it('the engine works in a loop, woken by a new send, until it is stopped', async () => {
    const bench = await createBench();
    bench.engine.start();
    const { accessKey } = await sent(bench, bodyTo());
    await bench.during(
      (async () => {
        while ((await bench.engine.get(SCOPE, accessKey)).status !== 'AUTHORIZED') await bench.clock.sleep(100);
      })(),
    );
    await bench.during(bench.engine.stop());
    const late = await sent(bench, bodyTo());
    await bench.clock.advance(MINUTE);
    expect(await standing(bench, late.accessKey)).toBe('PENDING_SEND SEND 0 PENDING');
  });
});

describe.each(BENCH_TYPES)('an idle loop: $name', ({ bodyTo }) => {
  it.each([
    { name: 'a document that is sent', wake: ({ engine }: Bench, key: string) => engine.send(SCOPE, key) },
    {
      name: 'a document that is retried',
      failed: true,
      wake: ({ engine }: Bench, key: string) => engine.retry(SCOPE, key),
    },
    { name: 'a retry of all documents', failed: true, wake: ({ engine }: Bench) => engine.retryAll(SCOPE) },
  ])('an idle loop wakes for $name, without a delay', async ({ failed = false, wake }) => {
    const bench = await createBench({ schedule: { maxAttempts: 1 } });
    const { engine, clock } = bench;
    const { document } = await engine.create(SCOPE, bodyTo('SRI-HTTP-500'));
    if (failed) {
      await engine.send(SCOPE, document.accessKey);
      await engine.tick();
    }
    engine.start();
    await clock.advance(1);
    const attempted = new Promise<void>((resolve) => {
      engine.on('event', ({ event }) => event.eventType === 'ERROR' && resolve());
    });
    await wake(bench, document.accessKey);
    await attempted;
    await engine.stop();
    expect(await standing(bench, document.accessKey)).toBe('PENDING_SEND SEND 1 FAILED');
  });
});

describe.each(BENCH_TYPES)('a rejection by the SRI: $name', ({ bodyTo }) => {
  it.each([
    ['SRI-RETURNED-35', 'RETURNED', 'RECEPTION DEVUELTA'],
    ['SRI-RETURNED-45', 'RETURNED', 'RECEPTION DEVUELTA'],
    ['SRI-REFUSED-39', 'NOT_AUTHORIZED', 'AUTHORIZATION NO_AUTORIZADO'],
    ['SRI-REFUSED-52', 'NOT_AUTHORIZED', 'AUTHORIZATION NO_AUTORIZADO'],
  ])('the rejection %s ends %s', async (buyer, status, lastAnswer) => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo(buyer));
    await bench.engine.tick();
    await bench.clock.advance(3_000);
    await bench.engine.tick();
    expect(await standing(bench, accessKey)).toBe(status);
    expect((await answers(bench, accessKey)).at(-1)).toBe(lastAnswer);
    const [last] = await bench.engine.sriResponses(SCOPE, accessKey);
    expect(last?.messages?.length).toBeGreaterThan(0);
  });

  it.each(['SRI-REGISTERED-43', 'SRI-IN-PROCESS-70'])(
    'the rejection %s means that the SRI has the document, which ends AUTHORIZED',
    async (buyer) => {
      const bench = await createBench();
      const { accessKey } = await sent(bench, bodyTo(buyer));
      await bench.engine.tick();
      expect(await standing(bench, accessKey)).toBe('RECEIVED AUTHORIZE 0 PENDING');
      await bench.clock.advance(3_000);
      await bench.engine.tick();
      expect(await standing(bench, accessKey)).toBe('AUTHORIZED');
    },
  );

  it('another content under the same key ends RETURNED, with an error in the history', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo('SRI-FOREIGN-43'));
    await bench.engine.tick();
    await bench.clock.advance(3_000);
    await bench.engine.tick();
    expect(await standing(bench, accessKey)).toBe('RETURNED');
    expect(await history(bench, accessKey)).toContain('ERROR -');
  });
});

describe.each(BENCH_TYPES)('a missing answer: $name', ({ bodyTo }) => {
  it('the worker tries five times without an answer, five minutes apart, and then waits for a person', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo('SRI-HTTP-500'));
    for (const attempt of [1, 2, 3, 4]) {
      expect(await bench.engine.tick()).toBe(1);
      expect(await standing(bench, accessKey)).toBe(`PENDING_SEND SEND ${attempt} PENDING`);
      await bench.clock.advance(5 * MINUTE - 1);
      expect(await bench.engine.tick()).toBe(0);
      await bench.clock.advance(1);
    }
    expect(await bench.engine.tick()).toBe(1);
    expect(await standing(bench, accessKey)).toBe('PENDING_SEND SEND 5 FAILED');
    await bench.clock.advance(24 * 60 * MINUTE);
    expect(await bench.engine.tick()).toBe(0);
    const records = await bench.engine.sriResponses(SCOPE, accessKey);
    expect(records.filter(({ status }) => status === 'HTTP_500')).toHaveLength(5);
    expect(records.every(({ messages, operationType }) => operationType === 'AUTHORIZATION' || messages === null)).toBe(
      true,
    );
    expect((await history(bench, accessKey)).filter((entry) => entry === 'ERROR -')).toHaveLength(5);

    await bench.engine.retry(SCOPE, accessKey);
    expect((await bench.engine.events(SCOPE, accessKey)).at(-1)).toMatchObject({
      eventType: 'RETRY_REQUESTED',
      detail: { operation: 'SEND' },
    });
    expect(await standing(bench, accessKey)).toBe('PENDING_SEND SEND 0 PENDING');
    await expect(bench.engine.retry(SCOPE, accessKey)).rejects.toEqual(codeOf('NOTHING_TO_RETRY'));
  });

  it('the worker retries a failed connection within the attempt, and records the attempt once', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo('SRI-UNREACHABLE'));
    await bench.during(bench.engine.tick());
    expect(await answers(bench, accessKey)).toEqual(['RECEPTION HTTP_503']);
    expect(await standing(bench, accessKey)).toBe('PENDING_SEND SEND 1 PENDING');
    expect((await bench.engine.get(SCOPE, accessKey)).job?.unconfirmed).toBe(false);
  });

  it('the worker settles a lost answer by the SRI’s code 43 or 70', async () => {
    const bench = await createBench();
    const { document } = await bench.during(bench.engine.issue(SCOPE, bodyTo('SRI-LOST-ANSWER')));
    expect(document.status).toBe('AUTHORIZED');
  });

  it('the worker queries first after an unanswered attempt, and sends nothing again', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo('SRI-LOST-ATTEMPT'));
    await bench.during(bench.engine.tick());
    expect((await bench.engine.get(SCOPE, accessKey)).job).toMatchObject({
      attemptCount: 1,
      unconfirmed: true,
    });
    const submissions = () => bench.simulator.journal.filter(({ operation }) => operation === 'reception').length;
    const before = submissions();
    await bench.clock.advance(5 * MINUTE);
    await bench.engine.tick();
    expect(submissions()).toBe(before);
    expect(await standing(bench, accessKey)).toBe('AUTHORIZED');
    expect(await history(bench, accessKey)).toEqual([
      'CREATED SIGNED',
      'STATUS_CHANGED PENDING_SEND',
      'ERROR -',
      'SENT RECEIVED',
      'STATUS_CHANGED AUTHORIZED',
    ]);
  });

  it('the worker sends again, byte for byte, when the SRI does not know the document', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo('SRI-FLAKY-2'));
    await bench.engine.tick();
    await bench.clock.advance(5 * MINUTE);
    await bench.engine.tick();
    await bench.clock.advance(5 * MINUTE);
    await bench.engine.tick();
    expect(await standing(bench, accessKey)).toBe('RECEIVED AUTHORIZE 0 PENDING');
    const digests = bench.simulator.journal
      .filter(({ operation }) => operation === 'reception')
      .map(({ sha256 }) => sha256);
    expect(digests).toHaveLength(3);
    expect(new Set(digests).size).toBe(1);
  });

  it('the worker finishes the job of a crashed worker, with a query first', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo());
    // A worker claims the job, submits, and dies before it records the result.
    const [taken] = await bench.storage.claimJobs({
      now: bench.clock.now(),
      limit: 1,
      leaseMs: MINUTE,
    });
    expect(taken?.job.unconfirmed).toBe(false);
    expect(await bench.engine.tick()).toBe(0);
    await bench.clock.advance(MINUTE);
    expect(await bench.engine.tick()).toBe(1);
    expect(await standing(bench, accessKey)).toBe('RECEIVED AUTHORIZE 0 PENDING');
    expect(await answers(bench, accessKey)).toEqual(['AUTHORIZATION SIN_RESPUESTA', 'RECEPTION RECIBIDA']);
  });
});

describe.each(BENCH_TYPES)('an issuer whose documents are held: $name', ({ bodyTo }) => {
  it('an issuer whose documents are held keeps its queued document, with all its attempts, until the hold ends', async () => {
    let held = true;
    const asked: string[] = [];
    const bench = await createBench({
      maySend: async ({ issuerId, environment }) => {
        asked.push(`${issuerId} ${environment}`);
        return !held;
      },
    });
    const { accessKey } = await sent(bench, bodyTo());
    for (let minute = 0; minute < 30; minute += 1) {
      await bench.engine.tick();
      expect(await standing(bench, accessKey)).toBe('PENDING_SEND SEND 0 PENDING');
      await bench.clock.advance(MINUTE - 1);
      expect(await bench.engine.tick()).toBe(0);
      await bench.clock.advance(1);
    }
    expect(asked).toEqual(Array(30).fill('issuer-1 sandbox'));
    expect(bench.simulator.journal).toEqual([]);
    expect(await history(bench, accessKey)).toEqual(['CREATED SIGNED', 'STATUS_CHANGED PENDING_SEND']);
    held = false;
    await bench.engine.tick();
    expect(await standing(bench, accessKey)).toBe('RECEIVED AUTHORIZE 0 PENDING');
    // Nothing was sent before, so no query had to come first.
    expect(await answers(bench, accessKey)).toEqual(['RECEPTION RECIBIDA']);
  });

  it('an issuer whose documents are held still gets the results of documents sent before', async () => {
    let held = false;
    const bench = await createBench({ maySend: async () => !held });
    const { accessKey } = await sent(bench, bodyTo());
    await bench.engine.tick();
    held = true;
    await bench.clock.advance(3_000);
    await bench.engine.tick();
    expect(await standing(bench, accessKey)).toBe('AUTHORIZED');
  });

  it('a held issuer does not resend a document whose answer was lost, and keeps it unconfirmed', async () => {
    let held = false;
    const bench = await createBench({ maySend: async () => !held });
    const { accessKey } = await sent(bench, bodyTo('SRI-LOST-ATTEMPT'));
    await bench.during(bench.engine.tick());
    held = true;
    await bench.clock.advance(5 * MINUTE);
    await bench.engine.tick();
    expect((await bench.engine.get(SCOPE, accessKey)).job).toMatchObject({ attemptCount: 1, unconfirmed: true });
    held = false;
    await bench.clock.advance(MINUTE);
    await bench.engine.tick();
    expect(await standing(bench, accessKey)).toBe('AUTHORIZED');
  });
});

describe.each(BENCH_TYPES)('a retry: $name', ({ bodyTo }) => {
  it('a retry is rejected during a query, and once nothing is left to retry', async () => {
    const bench = await createBench({ schedule: { maxAttempts: 1 } });
    const { accessKey } = await sent(bench, bodyTo('SRI-NEVER'));
    await bench.engine.tick();
    await bench.clock.advance(3_000);
    await bench.engine.tick();
    expect(await standing(bench, accessKey)).toBe('RECEIVED AUTHORIZE 1 FAILED');
    await bench.clock.advance(60 * MINUTE);
    expect(await bench.storage.claimJobs({ now: bench.clock.now(), limit: 1, leaseMs: MINUTE })).toHaveLength(1);
    await expect(bench.engine.retry(SCOPE, accessKey)).rejects.toEqual(codeOf('NOTHING_TO_RETRY'));

    const { document } = await bench.engine.create(SCOPE, bodyTo());
    await expect(bench.engine.retry(SCOPE, document.accessKey)).rejects.toEqual(codeOf('NOTHING_TO_RETRY'));
  });
});

describe.each(BENCH_TYPES)('authorization: $name', ({ bodyTo }) => {
  it('the worker queries every five minutes while the SRI is processing, then fails, and continues hourly for a day', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo('SRI-NEVER'));
    await bench.engine.tick();
    await bench.clock.advance(3_000);
    for (const attempt of [1, 2, 3, 4]) {
      await bench.engine.tick();
      expect(await standing(bench, accessKey)).toBe(`RECEIVED AUTHORIZE ${attempt} PENDING`);
      await bench.clock.advance(5 * MINUTE);
    }
    await bench.engine.tick();
    expect(await standing(bench, accessKey)).toBe('RECEIVED AUTHORIZE 5 FAILED');
    let late = 0;
    for (let hour = 0; hour < 30; hour += 1) {
      await bench.clock.advance(60 * MINUTE);
      late += await bench.engine.tick();
    }
    expect(late).toBe(23);
    // The history has no entry for an SRI that is still processing.
    expect(await history(bench, accessKey)).toEqual(['CREATED SIGNED', 'STATUS_CHANGED PENDING_SEND', 'SENT RECEIVED']);
    expect((await bench.engine.get(SCOPE, accessKey)).job).toMatchObject({
      attemptCount: 5,
      dueAt: null,
      unconfirmed: false,
    });
  });

  it('authorization on demand queries now, and uses up no attempt', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo());
    await expect(bench.engine.authorize(SCOPE, accessKey)).rejects.toEqual(codeOf('INVALID_STATE_TRANSITION'));
    await bench.engine.tick();
    const asked = await Promise.all(Array.from({ length: 5 }, () => bench.engine.authorize(SCOPE, accessKey)));
    expect(bench.simulator.journal.filter(({ operation }) => operation === 'authorization')).toHaveLength(1);
    expect(asked.map(({ document }) => document.status)).toEqual(Array(5).fill('AUTHORIZED'));
    expect(asked[0]?.response).toMatchObject({
      operationType: 'AUTHORIZATION',
      status: 'AUTORIZADO',
    });
    expect(await answers(bench, accessKey)).toEqual(['RECEPTION RECIBIDA', 'AUTHORIZATION AUTORIZADO']);
    expect(await bench.engine.authorize(SCOPE, accessKey)).toMatchObject({
      response: null,
    });
    await bench.clock.advance(60 * MINUTE);
    expect(await bench.engine.tick()).toBe(0);
  });

  it('authorization on demand leaves the document unchanged while the SRI is processing, or fails', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo('SRI-NEVER'));
    await bench.engine.tick();
    const { document, response } = await bench.engine.authorize(SCOPE, accessKey);
    expect(document).toMatchObject({
      status: 'RECEIVED',
      job: { attemptCount: 0, lastError: null },
    });
    expect(response?.operationType).toBe('AUTHORIZATION');

    const other = await sent(bench, bodyTo('SRI-AUTH-HTTP-503'));
    await bench.engine.tick();
    const failed = await bench.engine.authorize(SCOPE, other.accessKey);
    expect(failed).toMatchObject({
      document: { status: 'RECEIVED' },
      response: { status: 'HTTP_503', messages: null },
    });
    expect((await history(bench, other.accessKey)).at(-1)).toBe('ERROR -');
  });
});
