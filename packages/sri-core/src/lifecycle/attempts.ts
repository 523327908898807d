import type { Job, JobOperation } from '../storage.js';
import type { Schedule } from './schedule.js';

/** The longest delay of a job of either status. The margin covers clock differences between machines. */
export function longestWaitMs(schedule: Schedule): Readonly<Record<Job['status'], number>> {
  const { retryIntervalMs, firstAuthorizationDelayMs, putOffMs, leaseMs, lateCheckIntervalMs } = schedule;
  const pendingMs = Math.max(retryIntervalMs, firstAuthorizationDelayMs, putOffMs, leaseMs) + LONGEST_SKEW_MS;
  return { PENDING: pendingMs, FAILED: Math.max(pendingMs, lateCheckIntervalMs + LONGEST_SKEW_MS) };
}

/** A fresh job: first attempt at that moment, with all automatic attempts left. */
export function newJob(operation: JobOperation, dueAt: Date): Job {
  return { operation, status: 'PENDING', dueAt, attemptCount: 0, lastError: null, unconfirmed: false };
}

/**
 * The job after an attempt that did not settle the document. It retries after the interval, or fails when the automatic
 * attempts are used up. A failed authorization is still queried at long intervals, because the SRI may take a day.
 *
 * @param outcome its `error` is null when the SRI answered that it is still processing, which is no failure.
 * @param receivedAt when the SRI received the document; null before that.
 */
export function afterAttempt(
  job: Job,
  outcome: { readonly error: string | null; readonly unconfirmed: boolean },
  at: { readonly now: Date; readonly receivedAt: Date | null },
  schedule: Schedule,
): Job {
  const attemptCount = Math.min(job.attemptCount + 1, schedule.maxAttempts);
  const lastError = outcome.error ?? job.lastError;
  const next = { ...job, attemptCount, lastError, unconfirmed: outcome.unconfirmed };
  if (job.status === 'PENDING' && attemptCount < schedule.maxAttempts) {
    return { ...next, dueAt: later(at.now, schedule.retryIntervalMs) };
  }
  return { ...next, lastError: lastError ?? STILL_AT_WORK, status: 'FAILED', dueAt: lateCheck(at, schedule) };
}

/**
 * The job after an attempt that did not settle the document. An outage of the SRI is no fault of the document: the job then
 * waits until `heldUntil` and uses up no attempt.
 */
export function afterFailure(
  job: Job,
  failure: { readonly error: string; readonly unconfirmed: boolean; readonly heldUntil: Date | null },
  at: { readonly now: Date; readonly receivedAt: Date | null },
  schedule: Schedule,
): Job {
  const { error, unconfirmed, heldUntil } = failure;
  if (heldUntil) return { ...job, dueAt: heldUntil, lastError: error, unconfirmed };
  return afterAttempt(job, { error, unconfirmed }, at, schedule);
}

// --- internal ---

const LONGEST_SKEW_MS = 10 * 60_000;

/** The error of a job whose attempts are used up while the SRI still answers "processing". */
const STILL_AT_WORK = 'The SRI had not decided about the document by the last automatic attempt.';

function lateCheck(at: { readonly now: Date; readonly receivedAt: Date | null }, schedule: Schedule): Date | null {
  if (!at.receivedAt) return null;
  const dueAt = later(at.now, schedule.lateCheckIntervalMs);
  return dueAt.getTime() - at.receivedAt.getTime() <= schedule.lateCheckWindowMs ? dueAt : null;
}

function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
