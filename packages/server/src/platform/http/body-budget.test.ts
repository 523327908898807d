import { describe, expect, it } from 'vitest';
import { createBodyBudget } from './body-budget.js';

describe('memory for bodies', () => {
  it('the body budget limits each caller and the total, and an answer frees its share', () => {
    const budget = createBodyBudget({ overall: 100, perCaller: 40 });
    const first = budget.open(['address a', 'tenant 1']);
    expect([first.take(30), first.take(11), first.take(10)]).toEqual([true, false, true]);
    // The same account from another address, and another account from the same address.
    expect(budget.open(['address b', 'tenant 1']).take(1)).toBe(false);
    expect(budget.open(['address a', 'tenant 2']).take(1)).toBe(false);
    const others = ['b', 'c'].map((name) => budget.open([`address ${name}`]));
    expect(others.map((share) => share.take(30))).toEqual([true, true]);
    expect(budget.occupancy()).toEqual({ used: 100, limit: 100 });
    expect(budget.open(['address d']).take(1)).toBe(false);
    first.release();
    first.release();
    expect(budget.occupancy()).toEqual({ used: 60, limit: 100 });
    expect(budget.open(['address a', 'tenant 1']).take(40)).toBe(true);
  });

  it('the body budget counts a caller once that has only an address', () => {
    const share = createBodyBudget({ overall: 100, perCaller: 40 }).open(['address a', 'address a']);
    expect([share.take(40), share.take(1)]).toEqual([true, false]);
  });
});
