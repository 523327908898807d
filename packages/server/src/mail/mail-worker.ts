import { createJobWorker, type JobWorker, runDueJobs } from '../platform/jobs/job-worker.js';
import { releaseDueHolds } from './mail-admission.js';
import { admitted, attemptMail, type OutboxWorkerDeps } from './outbox-worker.js';
import { skipDueMails } from './skipped-mails.js';

/** The most attempts at one time in one process. An account leaves at least one slot to the others. */
export const MAIL_SLOTS = 4;

/** Creates the worker of mails. Before each start it releases held mails whose day has come. */
export function createMailWorker(deps: OutboxWorkerDeps, wake?: () => void): JobWorker {
  const worker = createJobWorker(
    {
      ...deps,
      kind: 'MAIL',
      limits: { concurrency: MAIL_SLOTS, concurrencyWithSlow: MAIL_SLOTS, concurrencyPerLane: MAIL_SLOTS - 1 },
      load: (tables, rows) => admitted(deps, tables, rows),
      attempt: (claimed) => attemptMail(deps, claimed),
    },
    wake,
  );
  let lookedForHoldsAt = Number.NEGATIVE_INFINITY;

  /** Held mails wait for the start of a day, so one look per minute is enough. */
  async function releaseHolds(signal?: AbortSignal): Promise<void> {
    const at = deps.clock.now().getTime();
    if (Math.abs(at - lookedForHoldsAt) < HOLDS_MS) return;
    lookedForHoldsAt = at;
    await releaseDueHolds(deps, signal);
  }

  return {
    ...worker,
    async start(signal) {
      await releaseHolds(signal);
      const skipped = deps.rules.mailToBuyers ? 0 : await skipDueMails(deps, { from: worker.looksFrom() }, signal);
      return skipped + (await worker.start(signal));
    },
  };
}

/** Sends every due mail until none is left, or `signal` stops it. @returns how many attempts were made. */
export function sendDueMails(deps: OutboxWorkerDeps, signal?: AbortSignal): Promise<number> {
  return runDueJobs(createMailWorker(deps), signal);
}

// --- internal ---

const HOLDS_MS = 60_000;
