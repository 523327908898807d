import type { Clock, Logger } from 'sri-core';
import { createDueMark, type LaneDemand, type ReadyJobs, readReadyJobs } from 'sri-storage-adapters';
import type { ServerDatabase, Tables } from '../database/tables.js';
import { claimJobs, type JobKind, type JobLease, type JobRow, queueOf } from './job-rows.js';
import { createSlots, type SlotLimits } from './slots.js';

/** A claimed job, with the data of its attempt. */
export interface ClaimedJob {
  readonly lease: JobLease;
}

/** How the jobs of a kind are run. */
export interface JobWorkerDeps<Claimed extends ClaimedJob> {
  readonly kind: JobKind;
  readonly database: ServerDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The lease of a job; longer than an attempt can take. Milliseconds. */
  readonly leaseMs: number;
  readonly limits: SlotLimits;
  /** Reads the data of attempts, in the transaction of the claim. An omitted job waits for its lease. */
  readonly load: (tables: Tables, rows: readonly JobRow[]) => Promise<readonly Claimed[]>;
  /** Makes one attempt and stores its result. */
  readonly attempt: (claimed: Claimed) => Promise<unknown>;
}

/** Runs the due jobs of a kind in one process. Many workers may share one database. */
export interface JobWorker {
  /**
   * Claims and starts due jobs up to the free slots, without waiting for their attempts.
   *
   * @returns how many attempts it started.
   */
  start(signal?: AbortSignal): Promise<number>;
  /** From when on the next look reads the queue; null for all of it. */
  looksFrom(): number | null;
  /**
   * Looks for jobs at once, because this process has queued some.
   *
   * @param dueAt their time; absent for a moment ago.
   */
  queued(dueAt?: Date): void;
  /** The number of running attempts. */
  running(): number;
  /** Resolves when an attempt ends; at once without a running attempt. */
  next(): Promise<void>;
  /** Resolves when no attempt is running. */
  idle(): Promise<void>;
}

/**
 * Creates the worker. A hanging job delays only its own lane: each lane has a few slots, and lanes take turns.
 *
 * @param wake called after each attempt, when a slot is free.
 */
export function createJobWorker<Claimed extends ClaimedJob>(
  deps: JobWorkerDeps<Claimed>,
  wake: () => void = () => {},
): JobWorker {
  const { kind, database, clock, logger, leaseMs } = deps;
  const slots = createSlots(deps.limits);
  const running = new Set<Promise<void>>();
  /** The lane served last; the next claim starts after it. */
  let lastServed = '';
  const due = createDueMark();

  function begin(claimed: Claimed): void {
    const { id: jobId, lane } = claimed.lease;
    const leave = slots.take(lane);
    const attempt = deps
      .attempt(claimed)
      .catch((error: unknown) => {
        // The job is run again after its lease.
        const reason = error instanceof Error ? error.message : 'unknown';
        logger.error({ kind, jobId, error: reason }, 'the result of a job was not stored');
      })
      .then(() => {
        running.delete(attempt);
        leave();
        wake();
      });
    running.add(attempt);
  }

  /** Deals the free slots to the lanes, one to each in turn. */
  function deal(lanes: readonly string[]): readonly LaneDemand[] {
    const dealt = new Map<string, number>();
    let room = slots.free();
    for (let round = 1, given = true; given; round += 1) {
      given = false;
      for (const lane of lanes) {
        if (room <= 0 || slots.freeIn(lane) < round) continue;
        dealt.set(lane, round);
        lastServed = lane;
        room -= 1;
        given = true;
      }
    }
    return Array.from(dealt, ([lane, limit]) => ({ lane, limit }));
  }

  function take(ready: ReadyJobs, demands: readonly LaneDemand[]): Promise<readonly Claimed[]> {
    return database.transaction(async (tables) => {
      const ids = (await ready.of(tables, demands)).map(({ id }) => id);
      const rows = await claimJobs(tables, database.traits, kind, ids, { now: clock.now(), leaseMs });
      const loaded = new Map((await deps.load(tables, rows)).map((job) => [job.lease.id, job]));
      return rows.flatMap(({ id }) => loaded.get(id) ?? []);
    });
  }

  async function claim(): Promise<{ readonly started: number; readonly mayFollow: boolean }> {
    const nothing = { started: 0, mayFollow: false };
    const room = slots.free();
    if (room <= 0) return nothing;
    const now = clock.now();
    const { claimed, demanded } = await due.look(now, async (from) => {
      // The lanes of running attempts may be full.
      const look = { from, after: lastServed, limit: room + running.size };
      const ready = await database.read((tables) => readReadyJobs(tables, queueOf(kind), now, look));
      const demands = deal(ready.lanes);
      const claimed = demands.length === 0 ? [] : await take(ready, demands);
      const result = { claimed, demanded: demands.reduce((sum, { limit }) => sum + limit, 0) };
      return { result, oldestLeft: ready.oldestBeside(claimed.map(({ lease }) => lease.id)) };
    });
    for (const job of claimed) begin(job);
    // A lane had fewer jobs than slots: another one may have more.
    return { started: claimed.length, mayFollow: demanded === room && claimed.length > 0 && claimed.length < demanded };
  }

  return {
    async start(signal) {
      let started = 0;
      for (let mayFollow = true; mayFollow && !signal?.aborted; ) {
        const found = await claim();
        started += found.started;
        mayFollow = found.mayFollow;
      }
      return started;
    },
    looksFrom: due.from,
    queued(dueAt = new Date(clock.now().getTime() - A_MOMENT_MS)) {
      due.stored(dueAt);
      wake();
    },
    running: () => running.size,
    async next() {
      if (running.size > 0) await Promise.race(running);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Runs every due job until no job is left, or `signal` stops it. @returns the number of attempts. */
export async function runDueJobs(worker: JobWorker, signal?: AbortSignal): Promise<number> {
  let attempts = 0;
  for (;;) {
    // A lane at its limit can continue when one of its attempts has ended.
    const wasIdle = worker.running() === 0;
    const started = await worker.start(signal);
    if (wasIdle && started === 0) return attempts;
    attempts += started;
    await worker.next();
  }
}

// --- internal ---

/** Longer than a commit takes. */
const A_MOMENT_MS = 3_000;
