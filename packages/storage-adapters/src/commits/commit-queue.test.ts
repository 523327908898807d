import { StorageUnavailableError } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { createCommitQueue, type Queued } from './commit-queue.js';

interface Sample extends Queued {
  readonly name: string;
}

describe('writes that wait for their commit', () => {
  /** A queue whose commits end on command; `begun` lists their members. */
  function openQueue(atOnce = 1) {
    const begun: string[][] = [];
    const ends: ((error?: Error) => void)[] = [];
    const queue = createCommitQueue<Sample, string>({
      atOnce,
      async commit(members) {
        begun.push(members.map(({ name }) => name));
        await new Promise<void>((resolve, reject) => {
          ends.push((error) => (error ? reject(error) : resolve()));
        });
        return members.map(({ name }) => `${name} done`);
      },
    });
    const submit = (name: string, place: Partial<Queued> = {}) =>
      queue.submit({ name, owner: 'an issuer', subject: name, size: 1, isAlone: false, ...place });
    const turn = () => new Promise(setImmediate);
    const end = async (error?: Error) => {
      ends.shift()?.(error);
      await turn();
    };
    return { submit, turn, end, begun };
  }

  it('a single write is committed in the next turn of the event loop', async () => {
    const { submit, turn, end, begun } = openQueue();
    const first = submit('a');
    await turn();
    expect(begun).toEqual([['a']]);
    await end();
    expect(await first).toBe('a done');
    const later = submit('b');
    await turn();
    expect(begun).toEqual([['a'], ['b']]);
    await end();
    expect(await later).toBe('b done');
  });

  it('writes that arrive during a commit share the next commit, in order, and resolve after it', async () => {
    const { submit, turn, end, begun } = openQueue();
    const done: string[] = [];
    void submit('a').then((outcome) => done.push(outcome));
    await turn();
    for (const name of ['b', 'c', 'd']) void submit(name).then((outcome) => done.push(outcome));
    await end();
    expect(begun).toEqual([['a'], ['b', 'c', 'd']]);
    expect(done).toEqual(['a done']);
    await end();
    expect(done).toEqual(['a done', 'b done', 'c done', 'd done']);
  });

  it('a commit holds 64, or a single larger write, and a write waits only for earlier ones', async () => {
    const { submit, turn, end, begun } = openQueue();
    void submit('first');
    await turn();
    for (let n = 1; n <= 70; n += 1) void submit(`a${n}`, { owner: 'a busy issuer' });
    void submit('b', { owner: 'another issuer' });
    void submit('large', { size: 500 });
    void submit('last');
    for (let n = 0; n < 4; n += 1) await end();
    expect(begun.map((names) => names.length)).toEqual([1, 64, 7, 1, 1]);
    expect(begun[2]).toContain('b');
    expect(begun.slice(3)).toEqual([['large'], ['last']]);
  });

  it('two writes of one subject never share a commit, and stay in order', async () => {
    const { submit, turn, end, begun } = openQueue();
    void submit('first');
    await turn();
    void submit('a1', { subject: 'a' });
    void submit('a2', { subject: 'a' });
    void submit('other', { owner: 'another issuer' });
    await end();
    await end();
    expect(begun).toEqual([['first'], ['a1', 'other'], ['a2']]);
  });

  it('a write that asks for its own commit gets one, and no write of its owner overtakes it', async () => {
    const { submit, turn, end, begun } = openQueue();
    void submit('first');
    await turn();
    void submit('a');
    void submit('alone', { isAlone: true });
    void submit('b');
    for (let n = 0; n < 3; n += 1) await end();
    expect(begun).toEqual([['first'], ['a'], ['alone'], ['b']]);
  });

  it('an owner is in one commit at a time, while other owners go ahead', async () => {
    const { submit, turn, end, begun } = openQueue(2);
    void submit('a1', { owner: 'a' });
    void submit('a2', { owner: 'a' });
    void submit('b1', { owner: 'b' });
    void submit('c1', { owner: 'c' });
    await turn();
    void submit('a3', { owner: 'a' });
    void submit('d1', { owner: 'd' });
    await turn();
    expect(begun).toEqual([['a1', 'a2', 'b1', 'c1'], ['d1']]);
    await end();
    expect(begun.slice(2)).toEqual([['a3']]);
  });

  it('a write that fails does not prevent the commit of the others', async () => {
    const refused = new Error('not this one');
    const queue = createCommitQueue<Sample, string>({
      atOnce: 1,
      async commit(members) {
        if (members.some(({ name }) => name === 'm7')) throw refused;
        return members.map(({ name }) => name);
      },
    });
    const names = Array.from({ length: 30 }, (_, n) => `m${n}`);
    const settled = await Promise.allSettled(
      names.map((name) => queue.submit({ name, owner: 'an issuer', subject: name, size: 1, isAlone: false })),
    );
    expect(settled).toEqual(
      names.map((name) =>
        name === 'm7' ? { status: 'rejected', reason: refused } : { status: 'fulfilled', value: name },
      ),
    );
  });

  it('all writes fail at once without the database, and later writes are tried again', async () => {
    const { submit, turn, end, begun } = openQueue();
    const first = submit('a');
    await turn();
    const all = Promise.allSettled([first, submit('b'), submit('c')]);
    const away = new StorageUnavailableError('away');
    await end();
    await end(away);
    expect(begun).toEqual([['a'], ['b', 'c']]);
    expect((await all).slice(1)).toEqual(Array(2).fill({ status: 'rejected', reason: away }));
    const next = submit('d');
    await turn();
    await end();
    expect(await next).toBe('d done');
  });
});
