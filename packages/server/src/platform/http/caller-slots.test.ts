import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCallerSlots, PLACES_PER_CALLER, type RequestKind } from './caller-slots.js';

/** Requests that run until they are ended, in the order in which they started. */
function watchPlaces() {
  const slots = createCallerSlots();
  const begun: string[] = [];
  const running: PromiseWithResolvers<void>[] = [];
  return {
    begun,
    occupancy: slots.occupancy,
    ask: (caller: string, name = caller, kind: RequestKind = 'usual') =>
      slots.take(caller, kind, async () => {
        const end = Promise.withResolvers<void>();
        begun.push(name);
        running.push(end);
        await end.promise;
        return name;
      }),
    async end(how: 'well' | 'badly' = 'well') {
      const first = running.shift();
      if (how === 'well') first?.resolve();
      else first?.reject(new Error('broken'));
      await turn();
      await turn();
    },
  };
}

it('serves a few requests of a caller at once, and the next requests in order', async () => {
  const { ask, begun, end } = watchPlaces();
  const names = Array.from({ length: PLACES_PER_CALLER.usual + 2 }, (_, index) => `a${index}`);
  const answers = names.map((name) => ask('a', name).catch((error: Error) => error.message));
  expect(begun).toEqual(names.slice(0, PLACES_PER_CALLER.usual));
  await end('badly');
  expect(begun).toEqual(names.slice(0, PLACES_PER_CALLER.usual + 1));
  await end();
  expect(begun).toEqual(names);
  for (const _ of names) await end();
  expect(await Promise.all(answers)).toEqual(['broken', ...names.slice(1)]);
});

it('keeps apart the slots of each caller and of requests that issue', async () => {
  const { ask, begun } = watchPlaces();
  for (let index = 0; index < 100; index += 1) void ask('a');
  void ask('b');
  expect(begun.at(-1)).toBe('b');
  void ask('a', 'a issues', 'issuing');
  expect(begun.at(-1)).toBe('a issues');
  await turn();
  expect(begun).toHaveLength(PLACES_PER_CALLER.usual + 2);
});

it('yields to the event loop between two requests of a queue', async () => {
  const slots = createCallerSlots();
  const done: number[] = [];
  const all = Array.from({ length: 40 }, (_, index) =>
    slots.take('a', 'usual', async () => {
      done.push(index);
    }),
  );
  await turn();
  expect(done.length).toBeLessThan(40);
  await Promise.all(all);
  expect(done).toEqual(Array.from({ length: 40 }, (_, index) => index));
});

it.each([
  { kind: 'usual', waiting: 1_000 },
  { kind: 'uploading', waiting: 12 },
] as const)('rejects more than $waiting waiting $kind requests, and frees their slots', async ({ kind, waiting }) => {
  const { ask, begun, end, occupancy } = watchPlaces();
  const all = PLACES_PER_CALLER[kind] + waiting;
  for (let index = 0; index < all; index += 1) void ask('a', 'a', kind);
  void ask('b', 'b', kind);
  expect(occupancy(kind)).toEqual({ used: waiting, limit: waiting });
  await expect(ask('a', 'a', kind)).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    details: { retryAfterSeconds: 1 },
  });
  for (let index = 0; index <= all; index += 1) await end();
  expect(begun).toHaveLength(all + 1);
  expect(occupancy(kind)).toEqual({ used: 0, limit: waiting });
  await expect(Promise.race([ask('a', 'again', kind), turn('begun')])).resolves.toBe('begun');
  expect(begun.at(-1)).toBe('again');
});
