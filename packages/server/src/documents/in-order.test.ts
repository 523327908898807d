import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inOrder } from './in-order.js';

async function* numbers(count: number) {
  for (let number = 0; number < count; number += 1) yield number;
}

it('results keep the order of the items, with at most four works at once', async () => {
  let running = 0;
  let most = 0;
  const work = async (number: number) => {
    running += 1;
    most = Math.max(most, running);
    for (let turns = (number * 7) % 5; turns >= 0; turns -= 1) await turn();
    running -= 1;
    return number;
  };
  const results: number[] = [];
  for await (const result of inOrder(numbers(50), 4, work)) results.push(result);
  expect(results).toEqual(Array.from({ length: 50 }, (_, number) => number));
  expect(most).toBe(4);
});

it('an error arrives in the turn of its item, and ends the results', async () => {
  const results = inOrder(numbers(9), 4, async (number) => {
    if (number > 1) throw new Error(`no ${number}`);
    return number;
  });
  expect([(await results.next()).value, (await results.next()).value]).toEqual([0, 1]);
  await expect(results.next()).rejects.toThrow('no 2');
  expect(await results.next()).toEqual({ done: true, value: undefined });
});

it('a reader that leaves ends the items, and no further work begins', async () => {
  let begun = 0;
  let ended = false;
  async function* endless() {
    try {
      for (let number = 0; ; number += 1) yield number;
    } finally {
      ended = true;
    }
  }
  for await (const _ of inOrder(endless(), 4, async () => (begun += 1))) break;
  expect([begun, ended]).toEqual([4, true]);
});
