import { expect, it } from 'vitest';
import { createExportSlots } from './export-slots.js';

/** Exports of pieces without an end, their slots, and a clock that is moved. */
function watchPlaces() {
  let ms = 0;
  const ended: string[] = [];
  const slots = createExportSlots({ perCaller: 2, slots: 3, slowMs: 10_000 }, () => ms);
  async function* pieces(name: string) {
    try {
      for (let piece = 1; ; piece += 1) yield piece;
    } finally {
      ended.push(name);
    }
  }
  return {
    ended,
    occupancy: slots.occupancy,
    open: (caller: string) => slots.hold(caller, pieces(caller)),
    hold: slots.hold,
    pass(passedMs: number) {
      ms += passedMs;
    },
  };
}

const BUSY = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', details: { retryAfterSeconds: 10 } });

it('an account has two exports at once, and all accounts together have three', async () => {
  const { open, occupancy } = watchPlaces();
  const first = open('a');
  open('a');
  expect(() => open('a')).toThrow(expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }));
  open('b');
  expect(occupancy()).toEqual({ used: 3, limit: 3 });
  expect(() => open('c')).toThrow(BUSY);
  await first.return?.();
  open('c');
});

it('an export frees its slot after its last piece, after an error and when its reader leaves', async () => {
  const { open, hold, ended } = watchPlaces();
  async function* two() {
    yield 1;
    yield 2;
  }
  // biome-ignore lint/correctness/useYield: it fails before its first piece.
  async function* failing(): AsyncGenerator<number> {
    throw new Error('The database is gone.');
  }
  for (let times = 0; times < 5; times += 1) {
    const pieces: number[] = [];
    for await (const piece of hold('a', two())) pieces.push(piece);
    expect(pieces).toEqual([1, 2]);
    await expect(hold('a', failing()).next()).rejects.toThrow('gone');
    const read = open('a');
    expect(await read.next()).toEqual({ done: false, value: 1 });
    await read.return?.();
    await open('a').return?.();
  }
  expect(ended).toEqual(Array(5).fill('a'));
});

it('a new export takes the slot of the reader that has read nothing for longest', async () => {
  const { open, pass, ended } = watchPlaces();
  const [slow, slower, quick] = [open('a'), open('b'), open('c')];
  await slower.next();
  pass(1_000);
  await slow.next();
  pass(8_000);
  expect(() => open('d')).toThrow(BUSY);
  pass(2_000);
  await quick.next();
  open('d');
  await expect(slower.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(ended).toEqual(['b']);
  expect(await slow.next()).toEqual({ done: false, value: 2 });
});

it('an export that waits for its own next piece is not slow', async () => {
  const { hold, open, pass } = watchPlaces();
  const piece = Promise.withResolvers<void>();
  async function* long() {
    await piece.promise;
    yield 1;
  }
  const made = hold('a', long());
  const next = made.next();
  open('b');
  open('c');
  pass(60_000);
  await open('d').next();
  piece.resolve();
  expect(await next).toEqual({ done: false, value: 1 });
});
