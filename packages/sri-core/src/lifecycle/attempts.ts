import type { Job, JobOperation } from '../storage.js';
import type { Schedule } from './schedule.js';

/** A fresh job: its first attempt at that moment, all its automatic attempts ahead. */
export function newJob(operation: JobOperation, dueAt: Date): Job {
  return {
    operation,
    status: 'PENDING',
    dueAt,
    attemptCount: 0,
    lastError: null,
    unconfirmed: false,
  };
}

/**
 * The job after an attempt that did not settle the document: again after the interval, or, with the automatic attempts
 * used up, failed. A failed authorization is still asked for at long intervals, because the SRI may take a day.
 *
 * @param outcome `error` null when the SRI answered that it is still working, which is no failure.
 * @param receivedAt when the SRI took the document; null for a document it does not have.
 */
export function afterAttempt(
  job: Job,
  outcome: { readonly error: string | null; readonly unconfirmed: boolean },
  at: { readonly now: Date; readonly receivedAt: Date | null },
  schedule: Schedule,
): Job {
  const attemptCount = Math.min(job.attemptCount + 1, schedule.maxAttempts);
  const lastError = outcome.error ?? job.lastError;
  const next = {
    ...job,
    attemptCount,
    lastError,
    unconfirmed: outcome.unconfirmed,
  };
  if (job.status === 'PENDING' && attemptCount < schedule.maxAttempts) {
    return { ...next, dueAt: later(at.now, schedule.retryIntervalMs) };
  }
  return { ...next, status: 'FAILED', dueAt: lateCheck(at, schedule) };
}

// --- internal ---

function lateCheck(at: { readonly now: Date; readonly receivedAt: Date | null }, schedule: Schedule): Date | null {
  if (!at.receivedAt) return null;
  const dueAt = later(at.now, schedule.lateCheckIntervalMs);
  return dueAt.getTime() - at.receivedAt.getTime() <= schedule.lateCheckWindowMs ? dueAt : null;
}

function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
