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
  let lookedForSkipsAt = Number.NEGATIVE_INFINITY;

  /** Held mails wait for the start of a day, so one look per minute is enough. */
  async function releaseHolds(signal?: AbortSignal): Promise<void> {
    const at = deps.clock.now().getTime();
    if (Math.abs(at - lookedForHoldsAt) < HOLDS_MS) return;
    lookedForHoldsAt = at;
    await releaseDueHolds(deps, signal);
  }

  /** Skips mails that became due lately, and once a minute all, so that a look does not read the whole backlog. */
  async function skipMails(signal?: AbortSignal): Promise<number> {
    if (deps.rules.mailToBuyers) return 0;
    const at = deps.clock.now().getTime();
    const isOfAll = Math.abs(at - lookedForSkipsAt) >= SKIPS_MS;
    if (isOfAll) lookedForSkipsAt = at;
    return skipDueMails(deps, { from: isOfAll ? worker.looksFrom() : at - LATELY_MS }, signal);
  }

  return {
    ...worker,
    async start(signal) {
      await releaseHolds(signal);
      return (await skipMails(signal)) + (await worker.start(signal));
    },
  };
}

/** Sends every due mail until no mail is left, or `signal` stops it. @returns the number of attempts. */
export function sendDueMails(deps: OutboxWorkerDeps, signal?: AbortSignal): Promise<number> {
  return runDueJobs(createMailWorker(deps), signal);
}

// --- internal ---

const HOLDS_MS = 60_000;
const SKIPS_MS = 60_000;
/** Two intervals of the loop. A mail that became due before is skipped by its attempt. */
const LATELY_MS = 10_000;
