import { afterEach, describe, expect, it } from 'vitest';
import { createSimulator } from '../simulator.js';
import { BENCH_TYPES, createBench, invoiceBody, SCOPE, sent } from '../testing/engine-bench.js';
import { createTestClock } from '../testing/test-clock.js';
import { createTestSigner } from '../testing/test-p12.js';

const MINUTE = 60_000;

describe('the day of a document', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it.each(['UTC', 'America/Guayaquil', 'America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati'])(
    'a document has Ecuador’s day in time zone %s, at midnight, the turn of the year and a leap day',
    async (timeZone) => {
      process.env['TZ'] = timeZone;
      const validTo = new Date('2029-01-01');
      const signer = await createTestSigner({ ruc: '1760013210001', validFrom: new Date('2026-01-01'), validTo });
      const { engine, clock } = await createBench({ issuer: { signer } });
      const dated = async (moment: string) => {
        clock.set(moment);
        const { document } = await engine.create(SCOPE, invoiceBody());
        return [document.issueDate, document.accessKey.slice(0, 8)];
      };
      expect(await dated('2026-11-22T04:59:59.999Z')).toEqual(['2026-11-21', '21112026']);
      expect(await dated('2026-11-22T05:00:00.000Z')).toEqual(['2026-11-22', '22112026']);
      expect(await dated('2027-01-01T04:59:59.999Z')).toEqual(['2026-12-31', '31122026']);
      expect(await dated('2027-01-01T05:00:00.000Z')).toEqual(['2027-01-01', '01012027']);
      expect(await dated('2028-02-29T04:59:59.999Z')).toEqual(['2028-02-28', '28022028']);
      expect(await dated('2028-03-01T04:59:59.999Z')).toEqual(['2028-02-29', '29022028']);
      expect(await dated('2028-03-01T05:00:00.000Z')).toEqual(['2028-03-01', '01032028']);
    },
  );

  it.each(BENCH_TYPES)(
    'the day of a document stays the same when the document is sent after midnight: $name',
    async ({ bodyTo }) => {
      const { engine, clock } = await createBench();
      clock.set('2026-11-22T04:59:59.000Z');
      const document = await sent({ engine }, bodyTo());
      clock.set('2026-11-22T05:00:01.000Z');
      await engine.tick();
      await clock.advance(3_000);
      await engine.tick();
      expect(await engine.get(SCOPE, document.accessKey)).toMatchObject({
        status: 'AUTHORIZED',
        issueDate: '2026-11-21',
      });
    },
  );
});

describe.each(BENCH_TYPES)('a clock that is set: $name', ({ bodyTo }) => {
  it('a clock set back by ten minutes delays due jobs, and loses none', async () => {
    const { engine, clock } = await createBench();
    const document = await sent({ engine }, bodyTo());
    await engine.tick();
    const before = clock.now().getTime();
    clock.set(new Date(before - 10 * MINUTE));
    expect(await engine.tick()).toBe(0);
    // New documents proceed at once.
    const { document: later } = await engine.create(SCOPE, bodyTo());
    await engine.send(SCOPE, later.accessKey);
    expect(await engine.tick()).toBe(1);
    await clock.advance(10 * MINUTE + 3_000);
    await engine.tick();
    for (const { accessKey } of [document, later]) {
      expect((await engine.get(SCOPE, accessKey)).status).toBe('AUTHORIZED');
      const moves = (await engine.events(SCOPE, accessKey)).flatMap(({ toStatus }) => toStatus ?? []);
      expect(moves).toEqual(['SIGNED', 'PENDING_SEND', 'RECEIVED', 'AUTHORIZED']);
    }
  });

  it('a clock set right after two days ahead leaves no job waiting: a retry, a received, an interrupted document', async () => {
    // An SRI that accepts documents of that day.
    const simulator = createSimulator({ clock: createTestClock('2026-11-23T15:10:00.000Z') });
    const { engine, clock, storage, during } = await createBench({ transport: simulator.handle });
    const right = clock.now();
    await clock.advance(48 * 60 * MINUTE);
    const send = async (buyer?: string) => {
      return sent({ engine }, bodyTo(buyer));
    };
    simulator.script('reception', { kind: 'http', status: 503 });
    const retried = await send();
    await engine.tick();
    const received = await send();
    await engine.tick();
    const killed = await send();
    await storage.claimJobs({ now: clock.now(), limit: 1, leaseMs: MINUTE });
    const jobs = async () => {
      const documents = [retried, received, killed].map(({ accessKey }) => engine.get(SCOPE, accessKey));
      return (await Promise.all(documents)).map(({ status, job }) => [status, job?.attemptCount, job?.running]);
    };
    expect(await jobs()).toEqual([
      ['PENDING_SEND', 1, false],
      ['RECEIVED', 0, false],
      ['PENDING_SEND', 0, true],
    ]);
    clock.set(right);
    // A manual retry does not wait for the loop.
    expect((await engine.retry(SCOPE, retried.accessKey)).job).toMatchObject({ attemptCount: 0, dueAt: right });
    await during(engine.tick());
    await clock.advance(3_000);
    await engine.tick();
    expect((await jobs()).map(([status]) => status)).toEqual(['AUTHORIZED', 'AUTHORIZED', 'AUTHORIZED']);
    await expect(engine.retry(SCOPE, retried.accessKey)).rejects.toMatchObject({ code: 'NOTHING_TO_RETRY' });
  });

  it('a clock set back by ten minutes during a submission does not cancel it', async () => {
    const answer = Promise.withResolvers<void>();
    const bench = await createBench();
    const { engine, simulator, clock } = await createBench({
      storage: bench.storage,
      transport: async (request) => {
        await answer.promise;
        return simulator.handle(request);
      },
    });
    const document = await sent({ engine }, bodyTo());
    const working = engine.tick();
    clock.set(new Date(clock.now().getTime() - 10 * MINUTE));
    answer.resolve();
    expect(await working).toBe(1);
    expect((await engine.get(SCOPE, document.accessKey)).status).toBe('RECEIVED');
  });

  it('a clock ten minutes ahead makes two workers run one job at most, of which one counts', async () => {
    const clock = createTestClock('2026-11-21T15:00:00.000Z');
    const ahead = createTestClock('2026-11-21T15:10:00.000Z');
    const one = await createBench({ clock });
    const submission = Promise.withResolvers<void>();
    let held = false;
    const slow = await createBench({
      storage: one.storage,
      clock,
      transport: async (request) => {
        if (!held) {
          held = true;
          await submission.promise;
        }
        return one.simulator.handle(request);
      },
    });
    const other = await createBench({ storage: one.storage, clock: ahead, transport: one.simulator.handle });
    const document = await sent(slow, bodyTo());
    const working = slow.engine.tick();
    await new Promise((resolve) => setImmediate(resolve));
    // By its clock the first lease has long expired: it queries, finds nothing, and submits the same bytes.
    await other.engine.tick();
    submission.resolve();
    await working;
    await ahead.advance(3_000);
    await other.engine.tick();
    expect((await one.engine.get(SCOPE, document.accessKey)).status).toBe('AUTHORIZED');
    const submissions = one.simulator.journal.filter(({ operation }) => operation === 'reception');
    expect(submissions.length).toBeLessThanOrEqual(2);
    expect(new Set(submissions.map(({ sha256 }) => sha256)).size).toBe(1);
    const events = await one.engine.events(SCOPE, document.accessKey);
    expect(events.filter(({ toStatus }) => toStatus === 'RECEIVED')).toHaveLength(1);
    expect(events.filter(({ toStatus }) => toStatus === 'AUTHORIZED')).toHaveLength(1);
  });
});
