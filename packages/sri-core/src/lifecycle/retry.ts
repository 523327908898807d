import { NothingToRetryError } from '../errors.js';
import type { JobOperation, Scope, Storage, StoredDocument } from '../storage.js';
import { longestWaitMs, newJob } from './attempts.js';
import { changeDocument } from './change.js';
import type { LifecycleContext } from './context.js';
import { notedEvent } from './history.js';

/** The result of a retry of all failed documents. */
export interface RetriedDocuments {
  /** Documents whose attempts restart, each with its due job. */
  readonly documents: readonly StoredDocument[];
  /** Failed documents left for another call. */
  readonly remaining: number;
}

/**
 * Restarts the attempts of every failed document of a scope, oldest first, one commit per document. Documents that another
 * process restarted first are skipped.
 */
export async function retryAllFailed(
  context: LifecycleContext,
  scope: Scope,
  query: { readonly operation?: JobOperation; readonly limit: number },
): Promise<RetriedDocuments> {
  const failed = await context.storage.failedDocuments(scope, query);
  const documents: StoredDocument[] = [];
  for (const { accessKey } of failed.documents) {
    try {
      documents.push(await restart(context, scope, accessKey));
    } catch (error) {
      if (!(error instanceof NothingToRetryError)) throw error;
    }
  }
  if (documents.length > 0) context.wake();
  return { documents, remaining: failed.total - failed.documents.length };
}

/**
 * Restarts the automatic attempts of a failed operation, due at once. The mark of an unanswered submission stays, so that
 * the SRI is queried before anything is sent again.
 *
 * @throws DocumentNotFoundError, NothingToRetryError
 */
export async function retryFailed(
  context: LifecycleContext,
  scope: Scope,
  accessKey: string,
  commit?: Storage['changeDocument'],
): Promise<StoredDocument> {
  const document = await restart(context, scope, accessKey, commit);
  context.wake();
  return document;
}

// --- internal ---

/** Whether a clock that ran ahead, and was corrected since, set the time of a job. */
function isStray({ schedule }: LifecycleContext, job: StoredDocument['job'], now: Date): boolean {
  const waitMs = (job?.dueAt?.getTime() ?? 0) - now.getTime();
  return waitMs > longestWaitMs(schedule).PENDING;
}

function restart(
  context: LifecycleContext,
  scope: Scope,
  accessKey: string,
  commit?: Storage['changeDocument'],
): Promise<StoredDocument> {
  return changeDocument(context, scope, accessKey, (current, now) => {
    const { job } = current;
    const isWaiting = job?.status !== 'FAILED' && !isStray(context, job, now);
    if (!job || isWaiting || job.running) throw new NothingToRetryError('No failed attempt to repeat.');
    return {
      set: {},
      events: [notedEvent(now, 'RETRY_REQUESTED', { operation: job.operation })],
      job: { ...newJob(job.operation, now), unconfirmed: job.unconfirmed },
      commit,
    };
  });
}
