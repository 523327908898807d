import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createWorkQueue } from './work-queue.js';

describe('turns of the event loop', () => {
  it('a turn runs the given number of pieces, in order of arrival', async () => {
    const turns = createWorkQueue(2);
    const done: number[] = [];
    for (const piece of [1, 2, 3, 4, 5]) turns(() => done.push(piece));
    expect(done).toEqual([]);
    await turn();
    expect(done).toEqual([1, 2]);
    await turn();
    expect(done).toEqual([1, 2, 3, 4]);
    await turn();
    expect(done).toEqual([1, 2, 3, 4, 5]);
  });

  it('a turn runs a piece that arrives after the queue was empty', async () => {
    const turns = createWorkQueue(2);
    const done: string[] = [];
    turns(() => done.push('first'));
    await turn();
    turns(() => done.push('second'));
    await turn();
    expect(done).toEqual(['first', 'second']);
  });

  it('a piece that another piece adds runs in a later turn', async () => {
    const turns = createWorkQueue(1);
    const done: string[] = [];
    turns(() => {
      done.push('first');
      turns(() => done.push('second'));
    });
    await turn();
    expect(done).toEqual(['first']);
    await turn();
    expect(done).toEqual(['first', 'second']);
  });
});
