import type { Occupancy } from 'sri-core';
import { type Clock, systemClock } from 'sri-core';
import { Refusal } from '../errors/refusal.js';

/** The limits on work. */
export interface QueueLimits {
  /** Pieces that run at once. */
  readonly concurrency: number;
  /** Waiting pieces of all callers together. */
  readonly waiting: number;
  /** Waiting and running pieces of one caller. */
  readonly perCaller: number;
  /** The longest wait, in milliseconds. */
  readonly longestWaitMs: number;
  /**
   * How long a slot rests after a piece of work, as a share of its time. Work in the event loop gives others that
   * time. Default 0: the slot is free at once.
   */
  readonly rest?: number;
}

/** Costly work for callers who may be hostile: a few pieces at a time, shared between callers. */
export interface FairQueue {
  /**
   * Runs a piece of work on the caller's turn.
   * @param caller that its cost counts for.
   * @throws Refusal TOO_MANY_REQUESTS if the caller has too much queued; SERVICE_UNAVAILABLE if all callers together
   * have, or its turn does not come in time; otherwise the error of the work.
   */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
  /**
   * As `run`, for work of the server itself, which limits its own queue: it is never rejected and waits as long as
   * needed.
   */
  runPatiently<T>(caller: string, work: () => Promise<T>): Promise<T>;
  /** The waiting pieces of all callers. */
  occupancy(): Occupancy;
  /** The callers whose used time is remembered. */
  callers(): Occupancy;
}

/**
 * Creates a queue. The caller whose recent work has taken the least time goes first. So a single piece of one caller runs
 * before many costly pieces of another, whenever it arrived. When the queue is full, the caller with most waiting
 * pieces loses one.
 * @param nowMs a monotonic clock. Milliseconds.
 * @param pause waits for that many of them.
 */
export function createFairQueue(
  limits: QueueLimits,
  clock: Clock,
  nowMs = () => performance.now(),
  pause: (ms: number) => Promise<void> = (ms) => systemClock.sleep(ms),
): FairQueue {
  const waiting: Waiting[] = [];
  const counts = new Map<string, number>();
  const spent = createSpending(nowMs);
  let busy = 0;

  function count(caller: string, change: 1 | -1): void {
    const left = (counts.get(caller) ?? 0) + change;
    if (left > 0) counts.set(caller, left);
    else counts.delete(caller);
  }

  function leave(entry: Waiting, refusal: Refusal | null): void {
    waiting.splice(waiting.indexOf(entry), 1);
    entry.done.abort();
    if (refusal) entry.reject(refusal);
    else entry.resolve();
  }

  function refusablePieces(): readonly Waiting[] {
    return waiting.filter(({ isPatient }) => !isPatient);
  }

  /**
   * Makes room for one more, if needed by dropping the last piece of a caller with more waiting than the new one would
   * have.
   */
  function makeRoom(caller: string): void {
    const refusable = refusablePieces();
    if (refusable.length < limits.waiting) return;
    const lines = Map.groupBy(refusable, (each) => each.caller);
    const [longest = []] = [...lines.values()].toSorted((a, b) => b.length - a.length);
    const last = longest.at(-1);
    if (!last || longest.length <= (lines.get(caller)?.length ?? 0) + 1) throw busyRefusal();
    leave(last, busyRefusal());
  }

  function next(): void {
    if (busy >= limits.concurrency) return;
    const [first] = waiting.toSorted((a, b) => spent.by(a.caller) - spent.by(b.caller));
    if (!first) return;
    busy += 1;
    leave(first, null);
  }

  function free(): void {
    busy -= 1;
    next();
  }

  async function wait(caller: string, isPatient: boolean): Promise<void> {
    if (!isPatient) makeRoom(caller);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Waiting = { caller, isPatient, resolve, reject, done: new AbortController() };
    waiting.push(entry);
    if (!isPatient) {
      clock.sleep(limits.longestWaitMs, entry.done.signal).then(
        () => leave(entry, busyRefusal()),
        () => {},
      );
    }
    next();
    await promise;
  }

  async function work<T>(caller: string, piece: () => Promise<T>): Promise<T> {
    const began = nowMs();
    try {
      return await piece();
    } finally {
      const tookMs = nowMs() - began;
      spent.add(caller, tookMs);
      const restMs = tookMs * (limits.rest ?? 0);
      if (restMs > 0) void pause(restMs).then(free);
      else free();
    }
  }

  return {
    async run(caller, piece) {
      if ((counts.get(caller) ?? 0) >= limits.perCaller) {
        throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS });
      }
      count(caller, 1);
      try {
        await wait(caller, false);
        return await work(caller, piece);
      } finally {
        count(caller, -1);
      }
    },
    async runPatiently(caller, piece) {
      await wait(caller, true);
      return work(caller, piece);
    },
    occupancy: () => ({ used: refusablePieces().length, limit: limits.waiting }),
    callers: spent.occupancy,
  };
}

// --- internal ---

interface Waiting {
  readonly caller: string;
  readonly isPatient: boolean;
  readonly resolve: () => void;
  readonly reject: (refusal: Refusal) => void;
  /** Stops its wait timer. */
  readonly done: AbortController;
}

const RETRY_SECONDS = 5;
/** A caller's used time counts half after this long, and is forgotten after ten times as long without work. */
const HALF_LIFE_MS = 60_000;
const MEMORY_MS = 10 * HALF_LIFE_MS;
const MOST_CALLERS = 10_000;

function busyRefusal(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS });
}

/** The recently used time of each caller. */
function createSpending(nowMs: () => number) {
  /** The caller with the oldest last work comes first. */
  const spent = new Map<string, { readonly ms: number; readonly at: number }>();

  function by(caller: string): number {
    const { ms, at } = spent.get(caller) ?? { ms: 0, at: 0 };
    return ms * 0.5 ** ((nowMs() - at) / HALF_LIFE_MS);
  }

  return {
    by,
    add(caller: string, ms: number): void {
      const total = by(caller) + ms;
      spent.delete(caller);
      spent.set(caller, { ms: total, at: nowMs() });
      for (const [name, { at }] of spent) {
        if (at > nowMs() - MEMORY_MS && spent.size <= MOST_CALLERS) return;
        spent.delete(name);
      }
    },
    occupancy: () => ({ used: spent.size, limit: MOST_CALLERS }),
  };
}
