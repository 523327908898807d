import type { JobOperation } from '../storage.js';

/** Calls of one kind that are held, because they failed for different documents in a row and for none did not. */
export interface Hold {
  /** Of the first failure in the row. Milliseconds since 1970, like all moments here. */
  readonly since: number;
  /** Message of the last failure. */
  readonly reason: string;
  /** From here on one call may be tried. While one is tried, when it counts as lost. */
  readonly probeAt: number;
  readonly delayMs: number;
  readonly isProbed: boolean;
}

/**
 * What the processes on a storage know together of the SRI's host of one environment. Undisturbed: each goes by its own
 * limit. Held: no call of that kind, but one from time to time. Recovering: the calls of all processes share a limit that
 * doubles with the answers.
 */
export interface HostState {
  readonly failing: Readonly<Partial<Record<JobOperation, Row>>>;
  readonly held: Readonly<Partial<Record<JobOperation, Hold>>>;
  /** Calls of all processes at a time; null while undisturbed. */
  readonly limit: number | null;
  /** Answers since the limit rose. */
  readonly answered: number;
  /** When a hold ended last. */
  readonly recoveredAt: number;
  /** Places within the limit, by process. */
  readonly places: Readonly<Record<string, { readonly count: number; readonly until: number }>>;
}

/** How all is while nothing is wrong. */
export const UNDISTURBED: HostState = {
  failing: {},
  held: {},
  limit: null,
  answered: 0,
  recoveredAt: 0,
  places: {},
};

/** Whether each process goes by its own limit, with no failure noted. */
export function isUndisturbed({ limit, failing }: HostState): boolean {
  return limit === null && Object.keys(failing).length === 0;
}

/** A call that brought no answer. @param most the limit once recovered. */
export function afterFault(
  state: HostState,
  fault: {
    readonly operation: JobOperation;
    readonly accessKey: string;
    readonly reason: string;
    readonly now: number;
  },
  most: number,
): HostState {
  const { operation, accessKey, reason, now } = fault;
  const hold = state.held[operation];
  if (hold) {
    // One that was under way when calls were held says nothing new.
    if (!hold.isProbed) return state;
    const delayMs = Math.min(2 * hold.delayMs, LONGEST_PROBE_DELAY_MS);
    const next = { ...hold, reason, delayMs, probeAt: now + delayMs, isProbed: false };
    return { ...state, held: { ...state.held, [operation]: next } };
  }
  const row = state.failing[operation] ?? { since: now, accessKeys: [] };
  const accessKeys = [...new Set([...row.accessKeys, accessKey])].slice(0, ROW);
  const since = Math.min(row.since, now);
  const failing = { ...state.failing, [operation]: { since, accessKeys } };
  if (!isForEverybody(failing, now) && Object.keys(state.held).length === 0) return { ...state, failing };
  delete failing[operation];
  const probeAt = now + FIRST_PROBE_DELAY_MS;
  const next: Hold = { since, reason, probeAt, delayMs: FIRST_PROBE_DELAY_MS, isProbed: false };
  return { ...state, failing, held: { ...state.held, [operation]: next }, limit: state.limit ?? most };
}

/** A call that was answered, also with a refusal. @returns the same state when nothing changes. */
export function afterAnswer(
  state: HostState,
  { operation, now }: { readonly operation: JobOperation; readonly now: number },
  most: number,
): HostState {
  const { [operation]: hold, ...held } = state.held;
  const { [operation]: row, ...failing } = state.failing;
  if (hold) return { ...state, held, failing, limit: 1, answered: 0, recoveredAt: now };
  const { limit } = state;
  if (limit === null || limit >= most) return row ? { ...state, failing } : state;
  const answered = state.answered + 1;
  return answered < limit
    ? { ...state, failing, answered }
    : { ...state, failing, limit: Math.min(2 * limit, most), answered: 0 };
}

/** Whether a call may be made now. */
export type Admission =
  | { readonly kind: 'go'; readonly state: HostState }
  /** Calls are held. */
  | { readonly kind: 'held'; readonly until: number }
  /** All places of the limit are taken. */
  | { readonly kind: 'crowded' };

/** Lets a call in, if it may be made. */
export function admit(
  state: HostState,
  call: {
    readonly operation: JobOperation;
    readonly holder: string;
    /** Calls that the process makes already. */
    readonly inUse: number;
    readonly now: number;
    readonly leaseMs: number;
    /** How long a call lasts at most. */
    readonly longestCallMs: number;
  },
): Admission {
  const { operation, holder, inUse, now, leaseMs, longestCallMs } = call;
  if (state.limit === null) return { kind: 'go', state };
  const hold = state.held[operation];
  if (hold && isAhead(hold.probeAt, now, longestCallMs + LONGEST_PROBE_DELAY_MS)) {
    return { kind: 'held', until: Math.min(hold.probeAt, now + hold.delayMs) };
  }
  const others = Object.entries(state.places).filter(
    ([name, { until }]) => name !== holder && isAhead(until, now, 2 * leaseMs),
  );
  const taken = others.reduce((sum, [, { count }]) => sum + count, inUse);
  if (taken >= state.limit) return { kind: 'crowded' };
  const probed = hold && { ...hold, isProbed: true, probeAt: now + longestCallMs };
  const mine = state.places[holder];
  // What is granted already, and long enough, needs no writing.
  if (!probed && mine && mine.count > inUse && mine.until - now > leaseMs / 2) return { kind: 'go', state };
  return {
    kind: 'go',
    state: {
      ...state,
      held: probed ? { ...state.held, [operation]: probed } : state.held,
      places: { ...Object.fromEntries(others), [holder]: { count: inUse + 1, until: now + leaseMs } },
    },
  };
}

/** A process says how many calls it makes, having found no more to do or going on for long. */
export function afterCount(
  state: HostState,
  call: { readonly holder: string; readonly inUse: number; readonly now: number; readonly leaseMs: number },
): HostState {
  const { holder, inUse, now, leaseMs } = call;
  const mine = state.places[holder];
  const isRight = mine ? mine.count === inUse && mine.until - now > leaseMs / 2 : inUse === 0;
  if (state.limit === null || isRight) return state;
  const { [holder]: _, ...others } = state.places;
  const places = inUse === 0 ? others : { ...others, [holder]: { count: inUse, until: now + leaseMs } };
  return { ...state, places };
}

/** A process found less to do than it could have done. @param settleMs how long what was put off may still come up. */
export function afterDrain(
  state: HostState,
  { now, settleMs }: { readonly now: number; readonly settleMs: number },
): HostState {
  const isOver = Object.keys(state.held).length === 0 && Math.abs(now - state.recoveredAt) >= settleMs;
  const isBusy = Object.values(state.places).some(({ count, until }) => count > 0 && until > now);
  return state.limit !== null && isOver && !isBusy ? { ...UNDISTURBED, failing: state.failing } : state;
}

/** The longest time between two calls that are tried while others are held. */
export const LONGEST_PROBE_DELAY_MS = 120_000;

// --- internal ---

/** Whether calls of any kind have failed for many documents in a row, for long enough that others could have ended it. */
function isForEverybody(failing: HostState['failing'], now: number): boolean {
  const rows = Object.values(failing);
  const accessKeys = new Set(rows.flatMap((row) => row.accessKeys));
  return accessKeys.size >= ROW && rows.some(({ since }) => now - since >= SHORTEST_ROW_MS);
}

/** A moment further ahead than any that is given was given by a clock that was ahead. */
function isAhead(moment: number, now: number, longestMs: number): boolean {
  return moment > now && moment - now <= longestMs;
}

/** Documents whose calls have failed one after the other. */
interface Row {
  readonly since: number;
  readonly accessKeys: readonly string[];
}

/** So many different documents in a row are no longer the fault of one. */
const ROW = 5;
const SHORTEST_ROW_MS = 2_000;
const FIRST_PROBE_DELAY_MS = 15_000;
