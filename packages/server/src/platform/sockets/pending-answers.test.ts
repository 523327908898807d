import { describe, expect, it } from 'vitest';
import { createPendingAnswers } from './pending-answers.js';

describe('unread bytes of answers', () => {
  function clients() {
    const cut: string[] = [];
    const named = (name: string) => ({ destroy: () => cut.push(name) });
    return { cut, a: named('a'), b: named('b'), c: named('c') };
  }

  it('the client that has not read for longest is cut off above the limit', () => {
    const pending = createPendingAnswers(100);
    const { a, b, c, cut } = clients();
    pending.add(a, 40);
    pending.add(b, 40);
    pending.remove(a, 10);
    pending.add(c, 30);
    expect([cut, pending.occupancy()]).toEqual([[], { used: 100, limit: 100 }]);
    pending.add(c, 10);
    expect([cut, pending.occupancy()]).toEqual([['b'], { used: 70, limit: 100 }]);
    pending.add(c, 40);
    expect(cut).toEqual(['b', 'a']);
  });

  it('a client above the limit is not cut off if no other client has unread bytes', () => {
    const pending = createPendingAnswers(100);
    const { a, b, cut } = clients();
    pending.add(a, 400);
    expect(cut).toEqual([]);
    pending.remove(a, 400);
    pending.add(b, 100);
    expect(cut).toEqual([]);
  });

  it('the unread bytes of a disconnected client no longer count', () => {
    const pending = createPendingAnswers(100);
    const { a, b, c, cut } = clients();
    pending.add(a, 90);
    pending.forget(a);
    pending.remove(a, 90);
    pending.add(b, 50);
    pending.add(c, 50);
    expect(cut).toEqual([]);
    pending.add(c, 1);
    expect(cut).toEqual(['b']);
  });
});
