import { setImmediate as turn } from 'node:timers/promises';
import { createTestClock } from 'sri-core/testing';
import { expect, it } from 'vitest';
import { createFairQueue, type QueueLimits } from './fair-queue.js';

const LIMITS: QueueLimits = { concurrency: 1, waiting: 6, perCaller: 4, longestWaitMs: 20_000 };

/** Turns with work that runs until the test ends it, and the outcome of each piece. */
function watchTurns(limits: Partial<QueueLimits> = {}) {
  const clock = createTestClock('2026-11-21T15:00:00Z');
  let ms = 0;
  const pauses: { readonly ms: number; readonly end: () => void }[] = [];
  const pause = (pauseMs: number) => new Promise<void>((end) => pauses.push({ ms: pauseMs, end }));
  const turns = createFairQueue({ ...LIMITS, ...limits }, clock, () => ms, pause);
  const begun: string[] = [];
  const refused: string[] = [];
  const running: { readonly name: string; readonly end: PromiseWithResolvers<void> }[] = [];
  return {
    clock,
    begun,
    occupancy: turns.occupancy,
    refused,
    pauses,
    /** Requests a piece of work, named by its caller and a number. */
    ask(caller: string, name = caller): Promise<void> {
      const work = async () => {
        const end = Promise.withResolvers<void>();
        begun.push(name);
        running.push({ name, end });
        await end.promise;
      };
      return turns.run(caller, work).catch((error: { code: string; details: { retryAfterSeconds: number } }) => {
        expect(error.details.retryAfterSeconds).toBeGreaterThan(0);
        refused.push(`${name} ${error.code}`);
      });
    },
    /** Requests a piece of the server's own work. */
    askPatiently: (caller: string, name = caller) =>
      turns.runPatiently(caller, async () => {
        begun.push(name);
      }),
    /** Ends the oldest piece of work after a number of milliseconds. */
    async end(after: number, how: 'well' | 'badly' = 'well') {
      ms += after;
      const { end } = running.shift() ?? { end: Promise.withResolvers<void>() };
      if (how === 'well') end.resolve();
      else end.reject(Object.assign(new Error('broken'), { code: 'BROKEN', details: { retryAfterSeconds: 1 } }));
      await turn();
    },
    pass: (time: number) => {
      ms += time;
    },
  };
}

it('runs as many pieces at once as there are slots, and the other pieces in turn', async () => {
  const { ask, begun, end } = watchTurns({ concurrency: 2 });
  for (const name of ['a', 'b', 'c', 'd']) void ask(name);
  await turn();
  expect(begun).toEqual(['a', 'b']);
  await end(1);
  expect(begun).toEqual(['a', 'b', 'c']);
  await end(1, 'badly');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

it('runs a caller with no time used before the many costly pieces of another', async () => {
  const { ask, begun, end } = watchTurns();
  for (const name of ['costly 1', 'costly 2', 'costly 3', 'costly 4']) void ask('costly', name);
  await turn();
  void ask('honest');
  await end(3000);
  expect(begun).toEqual(['costly 1', 'honest']);
  await end(5);
  void ask('honest', 'honest again');
  await end(3000);
  expect(begun).toEqual(['costly 1', 'honest', 'costly 2', 'honest again']);
});

it('forgets a caller’s used time after a while', async () => {
  const { ask, begun, end, pass } = watchTurns();
  void ask('costly');
  await turn();
  await end(3000);
  pass(10 * 60_000);
  void ask('other');
  await turn();
  await end(1);
  void ask('third');
  void ask('other', 'other again');
  void ask('costly', 'costly again');
  await turn();
  await end(1);
  expect(begun).toEqual(['costly', 'other', 'third', 'costly again']);
});

it('halves the used time each minute, so that a steady caller comes before a flood', async () => {
  const { ask, begun, end, pass } = watchTurns();
  for (let minute = 0; minute < 60; minute += 1) {
    void ask('steady');
    await turn();
    await end(1_000);
    pass(59_000);
  }
  for (const name of ['flood 1', 'flood 2', 'flood 3']) void ask('flood', name);
  await turn();
  void ask('steady', 'steady again');
  await end(3_000);
  expect(begun.slice(60)).toEqual(['flood 1', 'steady again']);
});

it('rejects a caller with too many queued pieces, and accepts it again later', async () => {
  const { ask, begun, refused, end } = watchTurns();
  for (const index of [1, 2, 3, 4, 5]) void ask('costly', `costly ${index}`);
  await turn();
  expect(refused).toEqual(['costly 5 TOO_MANY_REQUESTS']);
  await end(1);
  void ask('costly', 'costly 6');
  await turn();
  expect(refused).toHaveLength(1);
  expect(begun).toEqual(['costly 1', 'costly 2']);
});

it('drops a piece of the caller with most waiting pieces when the queue is full', async () => {
  const { ask, refused, occupancy } = watchTurns();
  for (const index of [1, 2, 3, 4]) void ask('a', `a ${index}`);
  for (const index of [1, 2, 3]) void ask('b', `b ${index}`);
  await turn();
  expect([refused, occupancy()]).toEqual([[], { used: 6, limit: 6 }]);
  void ask('c');
  await turn();
  expect(refused).toEqual(['a 4 SERVICE_UNAVAILABLE']);
  // A caller with as many waiting pieces as the largest caller displaces no piece.
  void ask('b', 'b 4');
  await turn();
  expect(refused).toEqual(['a 4 SERVICE_UNAVAILABLE', 'b 4 SERVICE_UNAVAILABLE']);
});

it('lets no piece wait longer than the limit', async () => {
  const { ask, refused, clock, begun, end } = watchTurns();
  void ask('costly');
  void ask('honest');
  await clock.advance(19_999);
  expect(refused).toEqual([]);
  await clock.advance(1);
  expect(refused).toEqual(['honest SERVICE_UNAVAILABLE']);
  await end(20_000);
  void ask('honest', 'again');
  await turn();
  expect(begun).toEqual(['costly', 'again']);
});

it('pauses a slot after a piece for a share of its time', async () => {
  const { ask, begun, end, pauses } = watchTurns({ rest: 0.5 });
  for (const name of ['a', 'b']) void ask(name);
  await turn();
  await end(80);
  expect(begun).toEqual(['a']);
  expect(pauses.map(({ ms }) => ms)).toEqual([40]);
  pauses[0]?.end();
  await turn();
  expect(begun).toEqual(['a', 'b']);
});

it('never rejects work of the server itself, which also queues by caller', async () => {
  const { ask, askPatiently, begun, refused, end, clock } = watchTurns({ perCaller: 2, waiting: 2 });
  void ask('a', 'a begun');
  void ask('b', 'b waits');
  void ask('c', 'c waits');
  const mails = Array.from({ length: 5 }, (_, index) => askPatiently('a', `mail ${index}`));
  await turn();
  void ask('d', 'd is one too many');
  await turn();
  expect(refused).toEqual(['d is one too many SERVICE_UNAVAILABLE']);
  await clock.advance(20_000);
  expect(refused).toHaveLength(3);
  await end(100);
  await Promise.all(mails);
  expect(begun).toEqual(['a begun', 'mail 0', 'mail 1', 'mail 2', 'mail 3', 'mail 4']);
});

it('remembers the used time of 10,000 callers, and forgets the oldest caller', async () => {
  const turns = createFairQueue(LIMITS, createTestClock('2026-11-21T15:00:00Z'), () => 0);
  const serve = (count: number) => turns.run(`caller ${count}`, async () => {});
  for (let count = 1; count <= 10_000; count += 1) await serve(count);
  expect(turns.callers()).toEqual({ used: 10_000, limit: 10_000 });
  await serve(10_001);
  expect(turns.callers()).toEqual({ used: 10_000, limit: 10_000 });
});
