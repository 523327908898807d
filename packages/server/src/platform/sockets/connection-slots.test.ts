import { describe, expect, it } from 'vitest';
import { createConnectionSlots } from './connection-slots.js';

function arrivals(limits: { readonly overall: number; readonly perAddress: number }) {
  const slots = createConnectionSlots(limits);
  const closed: string[] = [];
  return {
    slots,
    closed,
    take: (name: string, address: string | null = null) => slots.take({ destroy: () => closed.push(name) }, address),
  };
}

describe('slots of connections', () => {
  it('a new connection takes the slot of the longest idle connection, which is closed once', () => {
    const { slots, closed, take } = arrivals({ overall: 2, perAddress: 2 });
    const first = take('first');
    take('second')?.setBusy(true);
    first?.setBusy(true);
    expect(take('third')).toBeNull();
    first?.setBusy(false);
    take('fourth');
    take('fifth');
    first?.leave();
    expect(closed).toEqual(['first', 'fourth']);
    expect(slots.occupancy()).toEqual({ used: 2, limit: 2 });
  });

  it('connections are counted by address, except connections without an address', () => {
    const { slots, closed, take } = arrivals({ overall: 9, perAddress: 1 });
    const first = take('first', 'a');
    first?.setBusy(true);
    expect(take('second', 'a')).toBeNull();
    for (const name of ['third', 'fourth']) expect(take(name)).not.toBeNull();
    expect(take('fifth', 'b')).not.toBeNull();
    first?.leave();
    // A late change of a closed connection does not make it idle.
    first?.setBusy(false);
    take('sixth', 'a');
    take('seventh', 'a');
    expect(closed).toEqual(['sixth']);
    expect(slots.occupancy().used).toBe(4);
  });
});
