import type { ClaimedJob } from '../storage.js';
import { afterAttempt } from './attempts.js';
import { attemptAuthorization } from './authorize.js';
import { changeDocument } from './change.js';
import type { LifecycleContext } from './context.js';
import { errorEvent } from './history.js';
import { attemptSend } from './send.js';

/** Works off the jobs of a storage, a bounded number at a time. Many workers may share one storage. */
export class Worker {
  readonly #context: LifecycleContext;
  readonly #running = new Set<Promise<void>>();
  #loop: Promise<void> | null = null;
  #stopping: AbortController | null = null;
  #wake = Promise.withResolvers<void>();

  constructor(context: LifecycleContext) {
    this.#context = context;
  }

  /** Makes a sleeping loop look for work now. */
  wake(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  /** Works off everything that is due, and what falls due meanwhile. @returns attempts made. */
  async tick(): Promise<number> {
    let attempts = 0;
    for (;;) {
      const claimed = await this.#claim();
      attempts += claimed;
      if (claimed === 0 && this.#running.size === 0) return attempts;
      if (claimed === 0 || this.#running.size >= this.#context.schedule.concurrency) await Promise.race(this.#running);
    }
  }

  /** Runs one job to its end, renewing its lease while the SRI takes its time. Never throws. */
  async run(claimed: ClaimedJob): Promise<void> {
    const done = new AbortController();
    const lost = new AbortController();
    const renewal = this.#renew(claimed, done.signal, lost);
    try {
      if (claimed.job.operation === 'SEND') await attemptSend(this.#context, claimed, lost.signal);
      else await attemptAuthorization(this.#context, claimed, lost.signal);
    } catch (error) {
      await this.#park(claimed, error);
    } finally {
      done.abort();
      await renewal;
    }
  }

  start(): void {
    if (this.#loop) return;
    this.#stopping = new AbortController();
    this.#loop = this.#work(this.#stopping.signal);
  }

  /** Takes no new job and waits for the running ones. */
  async stop(): Promise<void> {
    this.#stopping?.abort();
    await this.#loop;
    this.#loop = null;
    await Promise.allSettled(this.#running);
  }

  async #work(stopping: AbortSignal): Promise<void> {
    const { clock, logger } = this.#context;
    while (!stopping.aborted) {
      const woken = this.#wake.promise;
      try {
        if ((await this.#claim()) > 0) continue;
      } catch (error) {
        logger.error({ error: nameOf(error) }, 'jobs could not be claimed');
      }
      const rest = new AbortController();
      const pause = clock.sleep(await this.#pauseMs(), AbortSignal.any([stopping, rest.signal])).catch(() => {});
      await Promise.race([pause, woken, ...this.#running]);
      rest.abort();
    }
  }

  async #pauseMs(): Promise<number> {
    const { storage, clock, schedule, logger } = this.#context;
    if (this.#running.size >= schedule.concurrency) return schedule.pollMs;
    try {
      const dueAt = await storage.nextDueAt();
      if (!dueAt) return schedule.pollMs;
      // A due job that was not claimed is held elsewhere for the moment: no busy waiting for it.
      return Math.min(schedule.pollMs, Math.max(SHORTEST_PAUSE_MS, dueAt.getTime() - clock.now().getTime()));
    } catch (error) {
      logger.error({ error: nameOf(error) }, 'the next job could not be looked up');
      return schedule.pollMs;
    }
  }

  async #claim(): Promise<number> {
    const { storage, clock, schedule } = this.#context;
    const limit = schedule.concurrency - this.#running.size;
    if (limit <= 0) return 0;
    const claimed = await storage.claimJobs({
      now: clock.now(),
      limit,
      leaseMs: schedule.leaseMs,
    });
    for (const job of claimed) {
      const running: Promise<void> = this.run(job).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
    return claimed.length;
  }

  async #renew(claimed: ClaimedJob, done: AbortSignal, lost: AbortController): Promise<void> {
    const { storage, clock, schedule } = this.#context;
    while (!done.aborted) {
      await clock.sleep(schedule.leaseMs / 3, done).catch(() => {});
      if (done.aborted) return;
      try {
        const until = new Date(clock.now().getTime() + schedule.leaseMs);
        if (await storage.renewLease(claimed.lease, until)) continue;
        lost.abort(new Error('Another worker took the job over.'));
        return;
      } catch {
        // Not renewed this time; the next round tries again while the lease lasts.
      }
    }
  }

  /** An attempt that broke off for a reason of ours counts as one, so that it cannot go round for ever unseen. */
  async #park(claimed: ClaimedJob, error: unknown): Promise<void> {
    const context = this.#context;
    const { document, job, lease } = claimed;
    context.logger.error(
      {
        documentId: document.id,
        operation: job.operation,
        error: nameOf(error),
      },
      'attempt broke off',
    );
    try {
      await changeDocument(context, document, document.accessKey, (current, now) => {
        if (current.revision !== document.revision) return null;
        const message = 'The attempt broke off inside the service.';
        return {
          set: {},
          events: [errorEvent(context, now, job.operation, message)],
          job: afterAttempt(
            job,
            { error: message, unconfirmed: job.operation === 'SEND' },
            { now, receivedAt: null },
            context.schedule,
          ),
          lease,
        };
      });
    } catch (cause) {
      // The storage is away as well: the lease runs out, and the job is taken again.
      context.logger.error({ documentId: document.id, error: nameOf(cause) }, 'the broken attempt was not recorded');
    }
  }
}

// --- internal ---

const SHORTEST_PAUSE_MS = 20;

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
