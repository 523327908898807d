import type { JobOperation } from '../storage.js';

/** Calls of one kind are held, because they failed for different documents in a row and none succeeded. */
export interface Hold {
  /** Time of the first failure in the row. Milliseconds since 1970, like all times here. */
  readonly since: number;
  /** Message of the last failure. */
  readonly reason: string;
  /** From this time on one probe call may run. During a probe: when the probe counts as lost. */
  readonly probeAt: number;
  readonly delayMs: number;
  readonly isProbed: boolean;
}

/**
 * The shared knowledge of all processes about the SRI's host in one environment. Undisturbed: each process uses its own
 * limit. Held: no call of that kind except a probe from time to time. Recovering: all processes share a limit that doubles
 * as answers arrive.
 */
export interface HostState {
  readonly failing: Readonly<Partial<Record<JobOperation, Row>>>;
  readonly held: Readonly<Partial<Record<JobOperation, Hold>>>;
  /** Concurrent calls of all processes; null while undisturbed. */
  readonly limit: number | null;
  /** Answers since the limit last rose. */
  readonly answered: number;
  /** When the last hold ended. */
  readonly recoveredAt: number;
  /** Slots within the limit, by process. */
  readonly places: Readonly<Record<string, { readonly count: number; readonly until: number }>>;
}

/** The state in normal operation. */
export const UNDISTURBED: HostState = { failing: {}, held: {}, limit: null, answered: 0, recoveredAt: 0, places: {} };

/** Whether each process uses its own limit, with no failure recorded. */
export function isUndisturbed({ limit, failing }: HostState): boolean {
  return limit === null && Object.keys(failing).length === 0;
}

/** A call without an answer. @param most the limit after recovery. */
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
    // A call that was already running when the hold began tells nothing new.
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
  const probeAt = now + FIRST_PROBE_DELAY_MS;
  const next: Hold = { since, reason, probeAt, delayMs: FIRST_PROBE_DELAY_MS, isProbed: false };
  return { ...state, held: { ...state.held, [operation]: next }, limit: state.limit ?? most };
}

/** A call with an answer, even a refusal. @returns the same state when nothing changes. */
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

/** Whether a call may run now. */
export type Admission =
  | { readonly kind: 'go'; readonly state: HostState }
  /** Calls are held. */
  | { readonly kind: 'held'; readonly until: number }
  /** All slots of the limit are taken. */
  | { readonly kind: 'crowded' };

/** Admits a call if it may run. */
export function admit(
  state: HostState,
  call: {
    readonly operation: JobOperation;
    readonly holder: string;
    /** Concurrent calls of the process. */
    readonly inUse: number;
    readonly now: number;
    readonly leaseMs: number;
    /** The longest duration of a call. */
    readonly longestCallMs: number;
  },
): Admission {
  const { operation, holder, inUse, now, leaseMs, longestCallMs } = call;
  if (state.limit === null) return { kind: 'go', state };
  const hold = state.held[operation];
  if (hold && isAhead(hold.probeAt, now, longestCallMs + LONGEST_PROBE_DELAY_MS)) {
    return { kind: 'held', until: Math.min(hold.probeAt, now + hold.delayMs) };
  }
  const others = placesOfOthers(state, call);
  if (freeSlots(state, call) <= 0) return { kind: 'crowded' };
  const probed = hold && { ...hold, isProbed: true, probeAt: now + longestCallMs };
  const mine = state.places[holder];
  // An existing grant that lasts long enough needs no write.
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

/** A process that counts its concurrent calls. */
interface Counting {
  readonly holder: string;
  readonly inUse: number;
  readonly now: number;
  readonly leaseMs: number;
}

/** The calls that the process may add to those under way. */
export function freeSlots(state: HostState, call: Counting): number {
  const { limit } = state;
  if (limit === null) return Number.POSITIVE_INFINITY;
  return limit - placesOfOthers(state, call).reduce((sum, [, { count }]) => sum + count, call.inUse);
}

/** A probe that made no call gives way to another one at once. @param probe.lostAt when it would count as lost. */
export function afterUnusedProbe(
  state: HostState,
  probe: { readonly operation: JobOperation; readonly lostAt: number; readonly now: number },
): HostState {
  const { operation, lostAt, now } = probe;
  const hold = state.held[operation];
  if (hold?.probeAt !== lostAt) return state;
  return { ...state, held: { ...state.held, [operation]: { ...hold, isProbed: false, probeAt: now } } };
}

/** A process reports its calls when it has no more work or its calls last long. */
export function afterCount(state: HostState, call: Counting): HostState {
  const { holder, inUse, now, leaseMs } = call;
  const mine = state.places[holder];
  const isRight = mine ? mine.count === inUse && mine.until - now > leaseMs / 2 : inUse === 0;
  if (state.limit === null || isRight) return state;
  const { [holder]: _, ...others } = state.places;
  const places = inUse === 0 ? others : { ...others, [holder]: { count: inUse, until: now + leaseMs } };
  return { ...state, places };
}

/** A process had less work than slots. @param settleMs how long deferred calls may still return. */
export function afterDrain(
  state: HostState,
  { now, settleMs }: { readonly now: number; readonly settleMs: number },
): HostState {
  const isOver = Object.keys(state.held).length === 0 && Math.abs(now - state.recoveredAt) >= settleMs;
  const isBusy = Object.values(state.places).some(({ count, until }) => count > 0 && until > now);
  return state.limit !== null && isOver && !isBusy ? { ...UNDISTURBED, failing: state.failing } : state;
}

/** The longest time between two probe calls during a hold. */
export const LONGEST_PROBE_DELAY_MS = 120_000;

// --- internal ---

/** Whether calls of any kind failed for many documents in a row, for long enough that a success could have ended it. */
function isForEverybody(failing: HostState['failing'], now: number): boolean {
  const rows = Object.values(failing);
  const accessKeys = new Set(rows.flatMap((row) => row.accessKeys));
  return accessKeys.size >= ROW && rows.some(({ since }) => now - since >= SHORTEST_ROW_MS);
}

function placesOfOthers({ places }: HostState, { holder, now, leaseMs }: Counting) {
  return Object.entries(places).filter(([name, { until }]) => name !== holder && isAhead(until, now, 2 * leaseMs));
}

/** A time beyond every regular delay was written by a clock that ran ahead. */
function isAhead(moment: number, now: number, longestMs: number): boolean {
  return moment > now && moment - now <= longestMs;
}

/** Documents whose calls failed one after another. */
interface Row {
  readonly since: number;
  readonly accessKeys: readonly string[];
}

/** From this number of different documents in a row, the fault is not a document's. */
const ROW = 5;
const SHORTEST_ROW_MS = 2_000;
const FIRST_PROBE_DELAY_MS = 15_000;
