import { describe, expect, it } from 'vitest';
import {
  admit,
  afterAnswer,
  afterCount,
  afterDrain,
  afterFault,
  afterUnusedProbe,
  freeSlots,
  type HostState,
  isUndisturbed,
  UNDISTURBED,
} from './sri-outage.js';

const MOST = 8;
const SECOND = 1_000;
const LEASE_MS = 60_000;

/** Failures of so many different documents, a second apart from 0 on. */
function faults(count: number, operation: 'SEND' | 'AUTHORIZE' = 'SEND', state: HostState = UNDISTURBED): HostState {
  let after = state;
  for (let index = 0; index < count; index += 1)
    after = fault(after, `${operation} ${index}`, index * SECOND, operation);
  return after;
}

function fault(state: HostState, accessKey: string, now: number, operation: 'SEND' | 'AUTHORIZE' = 'SEND'): HostState {
  return afterFault(state, { operation, accessKey, reason: `at ${now}`, now }, MOST);
}

const answer = (state: HostState, now = 0, operation: 'SEND' | 'AUTHORIZE' = 'SEND') =>
  afterAnswer(state, { operation, now }, MOST);

function ask(
  state: HostState,
  now: number,
  more: { holder?: string; inUse?: number; operation?: 'SEND' | 'AUTHORIZE'; longestCallMs?: number } = {},
) {
  return admit(state, {
    operation: 'SEND',
    holder: 'a',
    inUse: 0,
    now,
    leaseMs: LEASE_MS,
    longestCallMs: 300_000,
    ...more,
  });
}

/** The state after a call was admitted. */
function admitted(state: HostState, now: number, more: Parameters<typeof ask>[2] = {}): HostState {
  const admission = ask(state, now, more);
  if (admission.kind !== 'go') throw new Error(`The call was ${admission.kind}.`);
  return admission.state;
}

describe('failures of calls', () => {
  it('failures of five different documents in a row hold the calls of that kind', () => {
    expect(faults(4).held).toEqual({});
    const held = faults(5);
    expect(held.limit).toBe(MOST);
    expect(held.held).toEqual({
      SEND: { since: 0, reason: 'at 4000', probeAt: 19_000, delayMs: 15_000, isProbed: false },
    });
  });

  it('failures of one document hold nothing, however often it fails', () => {
    let state = UNDISTURBED;
    for (let index = 0; index < 50; index += 1) state = fault(state, 'the same', index * SECOND);
    expect(state).toMatchObject({ held: {}, limit: null });
    expect(isUndisturbed(state)).toBe(false);
  });

  it('failures hold nothing while other calls succeed in between, or before a success was possible', () => {
    const answered = answer(faults(4));
    expect(answered.failing).toEqual({});
    expect(faults(4, 'SEND', answered).held).toEqual({});
    let atOnce = UNDISTURBED;
    for (let index = 0; index < 20; index += 1) atOnce = fault(atOnce, `${index}`, 5_000);
    expect(atOnce.held).toEqual({});
    expect(atOnce.failing.SEND?.accessKeys).toHaveLength(5);
    expect(fault(atOnce, 'later', 7_000).held).toHaveProperty('SEND');
    // A clock set back restarts the row.
    expect(fault(atOnce, 'before', 1_000).failing.SEND?.since).toBe(1_000);
  });

  it('failures of both kinds count together, and one is enough once calls of the other kind are held', () => {
    const mixed = fault(fault(fault(faults(2), 'x', 2_000, 'AUTHORIZE'), 'y', 3_000, 'AUTHORIZE'), 'z', 4_000);
    expect(Object.keys(mixed.held)).toEqual(['SEND']);
    const both = fault(faults(5), 'w', 9_000, 'AUTHORIZE');
    expect(Object.keys(both.held)).toEqual(['SEND', 'AUTHORIZE']);
    expect(both.limit).toBe(MOST);
    // The limit of a recovery stays.
    expect(faults(5, 'SEND', { ...UNDISTURBED, limit: 2 }).limit).toBe(2);
  });
});

describe('held calls', () => {
  it('a probe of held calls runs at its time, and each failed probe doubles the delay, up to two minutes', () => {
    let state = faults(5);
    const delays: number[] = [];
    for (let probe = 0; probe < 5; probe += 1) {
      const at = state.held.SEND?.probeAt ?? 0;
      expect(ask(state, at - 1)).toEqual({ kind: 'held', until: at });
      state = admitted(state, at);
      const asksAgainAt = at + 1 + (state.held.SEND?.delayMs ?? 0);
      expect(ask(state, at + 1, { holder: 'b' })).toEqual({ kind: 'held', until: asksAgainAt });
      state = fault({ ...state, places: {} }, 'probe', at + SECOND);
      expect(state.held.SEND).toMatchObject({ reason: `at ${at + SECOND}`, isProbed: false });
      delays.push((state.held.SEND?.probeAt ?? 0) - at - SECOND);
    }
    expect(delays).toEqual([30_000, 60_000, 120_000, 120_000, 120_000]);
    const probeAt = state.held.SEND?.probeAt ?? 0;
    expect(ask(state, probeAt - 120_000, { longestCallMs: SECOND }).kind).toBe('held');
    const granted = { ...state, places: { a: { count: 2, until: probeAt + LEASE_MS } } };
    expect(admitted(granted, probeAt).held.SEND?.isProbed).toBe(true);
  });

  it('a probe without a call leaves its turn to the next call', () => {
    const probed = admitted(faults(5), 19_000);
    const lostAt = probed.held.SEND?.probeAt ?? 0;
    const unused = afterUnusedProbe(probed, { operation: 'SEND', lostAt, now: 20_000 });
    expect(unused.held.SEND).toMatchObject({ probeAt: 20_000, isProbed: false });
  });

  it('a failure of a call already under way changes nothing while calls are held', () => {
    const held = faults(5);
    expect(fault(held, 'straggler', 5_000)).toBe(held);
  });

  it('calls of the other kind continue while one kind is held, within the shared limit', () => {
    expect(ask(faults(5), 5_000, { operation: 'AUTHORIZE' }).kind).toBe('go');
    expect(ask(faults(5), 5_000, { operation: 'AUTHORIZE', inUse: MOST }).kind).toBe('crowded');
  });

  it('a time beyond every regular delay does not postpone the next probe', () => {
    const held = faults(5);
    const ahead: HostState = {
      ...held,
      held: { SEND: { since: 0, reason: '', probeAt: 172_800_000, delayMs: 15_000, isProbed: false } },
      places: { b: { count: MOST, until: 172_800_000 } },
    };
    expect(ask(ahead, 6_000).kind).toBe('go');
  });
});

describe('an answer of the SRI', () => {
  it('an answer changes nothing in normal operation', () => {
    expect(answer(UNDISTURBED)).toBe(UNDISTURBED);
    expect(isUndisturbed(UNDISTURBED)).toBe(true);
    expect(admitted(UNDISTURBED, 0)).toBe(UNDISTURBED);
    expect(freeSlots(UNDISTURBED, { holder: 'a', inUse: MOST, now: 0, leaseMs: LEASE_MS })).toBe(Infinity);
  });

  it('the first answer admits one call at a time, then two, four, and up to all slots, for all processes', () => {
    let state = answer(faults(5), 60_000);
    expect(state).toMatchObject({ held: {}, limit: 1, recoveredAt: 60_000 });
    const limits: (number | null)[] = [];
    for (let answered = 0; answered < 8; answered += 1) {
      state = answer(state, 61_000);
      limits.push(state.limit);
    }
    expect(limits).toEqual([2, 2, 4, 4, 4, 4, 8, 8]);
    expect(answer(state)).toBe(state);
    const failing = fault(state, 'x', 62_000);
    expect(answer(failing).failing).toEqual({});
    const six = afterAnswer({ ...state, limit: 4, answered: 3 }, { operation: 'SEND', now: 63_000 }, 6);
    expect(six.limit).toBe(6);
  });

  it('processes share the limit, and an existing grant needs no write', () => {
    let state: HostState = { ...answer(faults(5), 60_000), limit: 2 };
    state = admitted(state, 60_000);
    state = admitted(state, 60_000, { holder: 'b' });
    expect(ask(state, 60_000, { inUse: 1 }).kind).toBe('crowded');
    expect(ask(state, 60_000, { holder: 'c' }).kind).toBe('crowded');
    expect(admitted(state, 61_000)).toBe(state);
    expect(admitted(state, 60_000 + LEASE_MS / 2)).not.toBe(state);
    expect(admitted({ ...state, limit: 4 }, 61_000, { inUse: 1 }).places['a']?.count).toBe(2);
    // A crashed process keeps its slot no longer than its lease.
    expect(ask(state, 60_000 + LEASE_MS, { inUse: 1 }).kind).toBe('go');
  });

  it('a process releases unused slots, and keeps used ones', () => {
    const recovering = answer(faults(5), 60_000);
    const call = { holder: 'a', now: 60_000, leaseMs: LEASE_MS };
    expect(afterCount(recovering, { ...call, inUse: 0 })).toBe(recovering);
    const one = afterCount(recovering, { ...call, inUse: 1 });
    expect(one.places).toEqual({ a: { count: 1, until: 120_000 } });
    expect(afterCount(one, { ...call, inUse: 1 })).toBe(one);
    expect(afterCount(one, { ...call, inUse: 1, now: 100_000 }).places).toEqual({ a: { count: 1, until: 160_000 } });
    expect(afterCount(one, { ...call, inUse: 0 }).places).toEqual({});
    expect(afterCount(UNDISTURBED, { ...call, inUse: 3 })).toBe(UNDISTURBED);
  });

  it('the state is normal again once deferred calls are done and no call is under way', () => {
    const settleMs = 420_000;
    const recovering = answer(faults(5), 60_000);
    const busy = { ...recovering, places: { a: { count: 1, until: 600_000 } } };
    expect(afterDrain(recovering, { now: 60_000 + settleMs - 1, settleMs })).toBe(recovering);
    expect(afterDrain(busy, { now: 60_000 + settleMs, settleMs })).toBe(busy);
    expect(afterDrain(recovering, { now: 60_000 + settleMs, settleMs })).toEqual(UNDISTURBED);
    // A clock that ran ahead wrote the time of the recovery.
    expect(afterDrain(recovering, { now: 60_000 - settleMs, settleMs })).toEqual(UNDISTURBED);
    expect(afterDrain(UNDISTURBED, { now: 0, settleMs })).toBe(UNDISTURBED);
    const held = faults(5);
    expect(afterDrain(held, { now: 9 * settleMs, settleMs })).toBe(held);
  });
});
