import { type Clock, systemClock } from 'sri-core';
import { Refusal } from '../errors/refusal.js';

/** How much work is let in. */
export interface TurnLimits {
  /** Pieces that are done at once. */
  readonly places: number;
  /** That wait, of everybody together. */
  readonly waiting: number;
  /** That wait or are done, of one caller. */
  readonly perCaller: number;
  /** How long one waits at most, in milliseconds. */
  readonly longestWaitMs: number;
  /**
   * How long a place rests after a piece of work, as a share of the time that the piece took. Work of the event loop
   * leaves it to others meanwhile. Default 0: the place is free at once.
   */
  readonly rest?: number;
}

/** Costly work for callers who may mean harm: a few pieces at a time, shared out by caller. */
export interface FairTurns {
  /**
   * Does a piece of work when it is the caller's turn.
   *
   * @param caller whom its cost is counted to.
   * @throws Refusal TOO_MANY_REQUESTS when the caller has too much under way; SERVICE_UNAVAILABLE when everybody has, or
   * its turn does not come in time; else what the work throws.
   */
  take<T>(caller: string, work: () => Promise<T>): Promise<T>;
  /**
   * As `take`, for work of the server itself, which bounds how much of it is under way: it is never refused and waits as
   * long as it takes.
   */
  takePatiently<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Makes turns. Next is the caller whose work has taken the least time lately: so many costly pieces of one caller are done
 * after a single one of anybody else, whenever that came. Where no more may wait, the caller with most waiting gives way.
 *
 * @param nowMs the machine's time, which never goes back. Milliseconds.
 * @param pause waits for so much of it.
 */
export function createFairTurns(
  limits: TurnLimits,
  clock: Clock,
  nowMs = () => performance.now(),
  pause: (ms: number) => Promise<void> = (ms) => systemClock.sleep(ms),
): FairTurns {
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

  /** Room for one more, if need be by sending away the last of the caller with more waiting than the newcomer will have. */
  function makeRoom(caller: string): void {
    const refusable = waiting.filter(({ isPatient }) => !isPatient);
    if (refusable.length < limits.waiting) return;
    const waitingOf = (name: string) => refusable.filter((each) => each.caller === name).length;
    const [greediest] = [...new Set(refusable.map((each) => each.caller))].toSorted(
      (a, b) => waitingOf(b) - waitingOf(a),
    );
    const last = refusable.findLast((each) => each.caller === greediest);
    if (!last || waitingOf(last.caller) <= waitingOf(caller) + 1) throw busyRefusal();
    leave(last, busyRefusal());
  }

  function next(): void {
    if (busy >= limits.places) return;
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
    async take(caller, piece) {
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
    async takePatiently(caller, piece) {
      await wait(caller, true);
      return work(caller, piece);
    },
  };
}

// --- internal ---

interface Waiting {
  readonly caller: string;
  readonly isPatient: boolean;
  readonly resolve: () => void;
  readonly reject: (refusal: Refusal) => void;
  /** Ends the watch over how long it waits. */
  readonly done: AbortController;
}

const RETRY_SECONDS = 5;
/** What a caller spent is forgotten this long after its last piece of work. */
const MEMORY_MS = 10 * 60_000;
const MOST_CALLERS = 10_000;

function busyRefusal(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS });
}

/** How much time the work of each caller has taken lately. */
function createSpending(nowMs: () => number) {
  /** The one whose last work is longest ago comes first. */
  const spent = new Map<string, { readonly ms: number; readonly at: number }>();
  return {
    by(caller: string): number {
      return spent.get(caller)?.ms ?? 0;
    },
    add(caller: string, ms: number): void {
      const total = (spent.get(caller)?.ms ?? 0) + ms;
      spent.delete(caller);
      spent.set(caller, { ms: total, at: nowMs() });
      for (const [name, { at }] of spent) {
        if (at > nowMs() - MEMORY_MS && spent.size <= MOST_CALLERS) return;
        spent.delete(name);
      }
    },
  };
}
