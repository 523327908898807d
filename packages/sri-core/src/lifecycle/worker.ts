import type { ClaimedJob, StoredDocument } from '../storage.js';
import { inRounds, MANY_UNDER_WAY } from './answer-rounds.js';
import { afterAttempt, longestWaitMs } from './attempts.js';
import { attemptAuthorization, receivedAt } from './authorize.js';
import { changeClaimed } from './change.js';
import type { JobSlot, LifecycleContext } from './context.js';
import { errorEvent } from './history.js';
import { attemptSend } from './send.js';
import type { Leave } from './sri-slots.js';

/** Runs the jobs of a storage with bounded concurrency. Many workers may share one storage. */
export class Worker {
  readonly #context: LifecycleContext;
  readonly #running = new Set<Promise<void>>();
  /** Jobs that callers run. */
  readonly #onDemand = new Set<Promise<unknown>>();
  /** The loops that were started, one after the other. */
  #loop: Promise<void> = Promise.resolve();
  /** Ends the last loop. */
  #stopping: AbortController | null = null;
  /** Cancels each running call. */
  readonly #calls = new Set<AbortController>();
  /** Ends each wait for a job that is not due. */
  readonly #waits = new Set<() => void>();
  #wake = Promise.withResolvers<void>();
  /** Resolves when the next job ends. A race of the jobs themselves would add a reaction to each of them every time. */
  #ended = Promise.withResolvers<void>();
  #lastClaimAt = Number.NEGATIVE_INFINITY;
  #claiming: Promise<unknown> | null = null;
  #stops = 0;
  /** Whether due jobs may wait for a claim. */
  #isBehind = true;

  constructor(context: LifecycleContext) {
    this.#context = { ...context, sri: inRounds(context.sri, context.clock, () => this.#running.size) };
  }

  get #isWorking(): boolean {
    return this.#stopping?.signal.aborted === false;
  }

  /** How often the worker was stopped. Work that began before a stop takes no further job. */
  get stops(): number {
    return this.#stops;
  }

  /** Waits until a job is due, or for the next stop. */
  async waitForJob(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waits.add(resolve);
    // Without a signal: a clock may tell a wait from a deadline by it.
    await Promise.race([this.#context.clock.sleep(ms), promise]);
    this.#waits.delete(resolve);
  }

  /** Signals that a slot for queued work is free. */
  placeFree(): void {
    this.#ended.resolve();
    this.#ended = Promise.withResolvers();
  }

  /** Wakes a sleeping loop for a job that is due. */
  wake(): void {
    this.#isBehind = true;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  /**
   * Takes a slot for a job that its caller queues now. The job is claimed in the commit that queues it, which saves the
   * commit of a claim.
   *
   * @param isOnDemand whether the caller waits for the job, so that it runs without a loop too.
   * @returns null when queued jobs come first.
   */
  takeSlot(isOnDemand = false): JobSlot | null {
    const { slots, turns, hosts, storage } = this.#context;
    if (hosts.isCrowded() || (this.#isWorking ? this.#isBehind : !isOnDemand)) return null;
    const leave = slots.takeFree();
    if (!leave) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    const ended = this.#hold(promise, leave);
    const stops = this.#stops;
    return {
      run: (claimed) => {
        turns?.served([claimed.document.issuerId]);
        // Without the release, the lease expires.
        resolve(this.#stops !== stops ? storage.releaseJob(claimed).catch(() => {}) : this.#run(claimed));
      },
      // A promise resolves once: a job that runs keeps its slot.
      close: () => resolve(),
      ended,
    };
  }

  /** Runs every due job, including jobs that become due during the run. @returns the number of attempts. */
  async tick(): Promise<number> {
    const stops = this.#stops;
    let attempts = 0;
    for (;;) {
      const ended = this.#ended.promise;
      const claimed = await this.#claim(stops);
      attempts += claimed ?? 0;
      if (claimed === 0 && this.#running.size === 0) return attempts;
      if (!claimed || this.#context.slots.isFull()) await ended;
    }
  }

  /**
   * Claims the due job of a document and runs it to its end, for a caller that may give up waiting; `stop` waits for it.
   *
   * @param stops as they were when the caller's work began.
   * @returns false when nothing ran: the job is held or not due, or the worker stops.
   */
  runJobOf(document: StoredDocument, stops: number): Promise<boolean> {
    const running: Promise<boolean> = this.#runJobOf(document, stops).finally(() => this.#onDemand.delete(running));
    this.#onDemand.add(running);
    return running;
  }

  async #runJobOf(document: StoredDocument, stops: number): Promise<boolean> {
    const { storage, clock, schedule } = this.#context;
    const now = clock.now();
    const claimed = await storage.claimJobOf(document, { now, leaseMs: schedule.leaseMs });
    if (!claimed) return false;
    // Another worker may have run it since the caller read the document.
    const { dueAt } = claimed.job;
    const mayRun = this.#stops === stops && dueAt !== null && dueAt <= now;
    await (mayRun ? this.#run(claimed) : storage.releaseJob(claimed));
    return mayRun;
  }

  /** Runs one job to its end and renews its lease during calls. Never throws. */
  async #run(claimed: ClaimedJob): Promise<void> {
    const done = new AbortController();
    const lost = new AbortController();
    const renewal = this.#renew(claimed, done.signal, lost);
    this.#calls.add(lost);
    try {
      await this.#attempt(claimed, lost.signal);
    } catch (error) {
      if (lost.signal.reason === STOPPED) await this.#giveBack(claimed);
      else await this.#park(claimed, error);
    } finally {
      this.#calls.delete(lost);
      done.abort(OVER);
      await renewal;
    }
  }

  async #attempt(claimed: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { document, job } = claimed;
    const pass = await this.#context.hosts.admit(document.environment, job);
    if (pass.kind === 'wait') {
      const { storage } = this.#context;
      return storage.releaseJob({ ...claimed, job: { ...job, dueAt: pass.until } });
    }
    try {
      if (job.operation === 'SEND') await attemptSend(this.#context, claimed, signal);
      else await attemptAuthorization(this.#context, claimed, signal);
    } finally {
      await pass.leave();
    }
  }

  /** Starts the loop; a loop that stops ends first. */
  start(): void {
    if (this.#isWorking) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#loop = this.#loop.then(() => this.#work(stopping.signal));
  }

  /**
   * Takes no new job and waits for the running ones.
   *
   * @param patience when it aborts, running calls to the SRI are cancelled and their jobs released.
   */
  async stop(patience?: AbortSignal): Promise<void> {
    const cut = () => {
      for (const call of this.#calls) call.abort(STOPPED);
    };
    this.#stops += 1;
    for (const end of this.#waits) end();
    this.#stopping?.abort();
    patience?.addEventListener('abort', cut);
    await this.#loop;
    while (this.#claiming) await this.#claiming;
    // Includes the jobs of the last claim.
    if (patience?.aborted) cut();
    await Promise.allSettled([...this.#running, ...this.#onDemand]);
    patience?.removeEventListener('abort', cut);
  }

  async #work(stopping: AbortSignal): Promise<void> {
    const { clock, logger } = this.#context;
    while (!stopping.aborted) {
      const woken = this.#wake.promise;
      const ended = this.#ended.promise;
      let restMs = this.#restMs();
      try {
        if (restMs === 0 && (await this.#claim())) continue;
      } catch (error) {
        logger.error({ error: nameOf(error) }, 'jobs could not be claimed');
        // A storage that only reads would name a job that is due now, again and again.
        restMs = this.#context.schedule.pollMs;
      }
      const rest = new AbortController();
      const pauseMs = restMs > 0 ? restMs : await this.#pauseMs();
      const pause = clock.sleep(pauseMs, AbortSignal.any([stopping, rest.signal])).catch(() => {});
      await Promise.race(restMs > 0 ? [pause, ended] : [pause, ended, woken]);
      rest.abort(OVER);
    }
  }

  /**
   * With many jobs running, or few free slots, the worker waits and claims due jobs together: a claim is one commit,
   * whatever its size.
   */
  #restMs(): number {
    const { clock, schedule, hosts } = this.#context;
    // Other calls hold the slots: a job claimed here would only be deferred.
    if (hosts.room() === 0) return schedule.pollMs;
    const free = schedule.concurrency - this.#running.size;
    if (this.#running.size < MANY_UNDER_WAY && free >= schedule.concurrency * WORTHWHILE_SHARE) return 0;
    const sinceMs = clock.now().getTime() - this.#lastClaimAt;
    return sinceMs >= 0 && sinceMs < CLAIM_INTERVAL_MS ? CLAIM_INTERVAL_MS - sinceMs : 0;
  }

  async #pauseMs(): Promise<number> {
    const { storage, clock, schedule, logger, slots } = this.#context;
    if (slots.isFull()) return schedule.pollMs;
    try {
      const dueAt = await storage.nextDueAt();
      if (!dueAt) return schedule.pollMs;
      // Another worker holds a due job that was not claimed, so the loop sleeps instead of polling.
      return Math.min(schedule.pollMs, Math.max(SHORTEST_PAUSE_MS, dueAt.getTime() - clock.now().getTime()));
    } catch (error) {
      logger.error({ error: nameOf(error) }, 'the next job could not be looked up');
      return schedule.pollMs;
    }
  }

  /** Claims run in sequence: each may use all free slots. @returns null when no slot is free. */
  async #claim(stops = this.#stops): Promise<number | null> {
    while (this.#claiming) await this.#claiming;
    if (this.#stops !== stops) return 0;
    const claim = this.#claimNow();
    this.#claiming = claim.catch(() => null);
    try {
      return await claim;
    } finally {
      this.#claiming = null;
    }
  }

  async #claimNow(): Promise<number | null> {
    const { storage, clock, schedule, slots, turns, hosts } = this.#context;
    const free = slots.reserve();
    if (free === 0) return null;
    const limit = Math.min(free, Math.max(1, hosts.room()));
    this.#isBehind = false;
    try {
      const claimed = await storage.claimJobs({
        now: clock.now(),
        limit,
        leaseMs: schedule.leaseMs,
        longestMs: longestWaitMs(schedule),
        ...(turns ? { inTurns: turns.order } : {}),
      });
      this.#isBehind ||= claimed.length === limit;
      turns?.served(claimed.map(({ document }) => document.issuerId));
      if (claimed.length > 0) this.#lastClaimAt = clock.now().getTime();
      for (const job of claimed) this.#hold(this.#run(job), slots.take());
      if (claimed.length < limit && !hosts.isCrowded()) await hosts.drained();
      return claimed.length;
    } catch (error) {
      this.#isBehind = true;
      throw error;
    } finally {
      slots.share();
    }
  }

  /** Counts the work as running, in its slot, until it ends. */
  #hold(work: Promise<void>, leave: Leave): Promise<void> {
    const running: Promise<void> = work.finally(() => {
      this.#running.delete(running);
      leave();
      this.placeFree();
    });
    this.#running.add(running);
    return running;
  }

  async #renew(claimed: ClaimedJob, done: AbortSignal, lost: AbortController): Promise<void> {
    const { storage, clock, schedule, hosts } = this.#context;
    while (!done.aborted) {
      await clock.sleep(schedule.leaseMs / 3, done).catch(() => {});
      if (done.aborted) return;
      try {
        const until = new Date(clock.now().getTime() + schedule.leaseMs);
        await hosts.keep();
        if (await storage.renewLease(claimed.lease, until)) continue;
        lost.abort(new Error('Another worker took the job over.'));
        return;
      } catch {
        // The renewal failed; the next round tries again while the lease lasts.
      }
    }
  }

  /**
   * Releases a job whose call was cancelled, for another process to take at once. It uses up no attempt. The SRI may have
   * received the document, so it is queried before a resend.
   */
  async #giveBack(claimed: ClaimedJob): Promise<void> {
    const { document, job } = claimed;
    const unconfirmed = job.unconfirmed || job.operation === 'SEND';
    try {
      // Another process looks for what became due since its last look.
      const dueAt = this.#context.clock.now();
      await this.#context.storage.releaseJob({ ...claimed, job: { ...job, unconfirmed, dueAt } });
      this.#context.logger.info({ documentId: document.id, operation: job.operation }, 'job given back');
    } catch (error) {
      // The lease expires, and another claim takes the job.
      this.#context.logger.error({ documentId: document.id, error: nameOf(error) }, 'a job was not given back');
    }
  }

  /** An attempt that fails by an internal error counts, so that it cannot repeat without an end and unnoticed. */
  async #park(claimed: ClaimedJob, error: unknown): Promise<void> {
    const context = this.#context;
    const { document, job, lease } = claimed;
    context.logger.error(
      { documentId: document.id, operation: job.operation, error: nameOf(error) },
      'attempt broke off',
    );
    try {
      await changeClaimed(context, document, async (current, now) => {
        if (current.revision !== document.revision) return null;
        const message = 'The attempt broke off inside the service.';
        const at = { now, receivedAt: job.operation === 'SEND' ? null : await receivedAt(context, current) };
        return {
          set: {},
          events: [errorEvent(now, job.operation, message)],
          job: afterAttempt(job, { error: message, unconfirmed: job.operation === 'SEND' }, at, context.schedule),
          lease,
        };
      });
    } catch (cause) {
      // The storage is unavailable too: the lease expires, and the job is claimed again.
      context.logger.error({ documentId: document.id, error: nameOf(cause) }, 'the broken attempt was not recorded');
    }
  }
}

// --- internal ---

const SHORTEST_PAUSE_MS = 20;

/** The abort reason of calls that are cancelled at the end of the patience. */
const STOPPED = new Error('The worker stops.');

/** The abort reason of a wait. It is created once: the platform's default reason would capture a stack every time. */
const OVER = 'over';

/** A claim of this share of the slots runs at once; smaller claims wait this long after the one before. */
const WORTHWHILE_SHARE = 0.125;
const CLAIM_INTERVAL_MS = 50;

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
