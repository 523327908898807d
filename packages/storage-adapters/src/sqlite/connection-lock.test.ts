import { expect, it } from 'vitest';
import { createConnectionLock } from './connection-lock.js';

it('gives a connection to one caller at a time, in the order of their calls', async () => {
  const turns = createConnectionLock();
  const order: string[] = [];
  let holders = 0;
  async function use(name: string): Promise<void> {
    await turns.take();
    holders += 1;
    order.push(`${name}${holders}`);
    await Promise.resolve();
    holders -= 1;
    turns.release();
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(use));
  await use('e');
  expect(order).toEqual(['a1', 'b1', 'c1', 'd1', 'e1']);
});

it('lets no caller overtake between a release and the next turn', async () => {
  const turns = createConnectionLock();
  const order: string[] = [];
  await turns.take();
  const waited = turns.take().then(() => order.push('waited'));
  turns.release();
  const late = turns.take().then(() => order.push('late'));
  await waited;
  expect(order).toEqual(['waited']);
  turns.release();
  await late;
});

it('wakes one waiting caller a release, and none of the others', async () => {
  const turns = createConnectionLock();
  await turns.take();
  const woken: number[] = [];
  for (let caller = 0; caller < 3; caller += 1) void turns.take().then(() => woken.push(caller));
  turns.release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(woken).toEqual([0]);
});

it('leaves the event loop a turn after a few milliseconds of work', async () => {
  let now = 0;
  const turns = createConnectionLock(() => now);
  const order: string[] = [];
  const others = () => setImmediate(() => order.push('event loop'));
  async function use(name: string): Promise<void> {
    await turns.take();
    order.push(name);
    if (name === 'f') others();
    now += 4;
    turns.release();
  }
  others();
  await Promise.all(['a', 'b', 'c'].map(use));
  expect(order).toEqual(['a', 'b', 'event loop', 'c']);
  await new Promise((resolve) => setImmediate(resolve));
  // The milliseconds count from the first work after a turn of the event loop.
  now += 100;
  others();
  await Promise.all(['d', 'e', 'f', 'g'].map(use));
  expect(order.slice(4)).toEqual(['d', 'e', 'event loop', 'f', 'g']);
});

it('leaves as many turns of the event loop to a single caller with many steps', async () => {
  let now = 0;
  const turns = createConnectionLock(() => now);
  const order: string[] = [];
  setImmediate(() => order.push('event loop'));
  for (const name of ['a', 'b', 'c']) {
    await turns.take();
    order.push(name);
    now += 4;
    turns.release();
  }
  expect(order).toEqual(['a', 'b', 'event loop', 'c']);
});
