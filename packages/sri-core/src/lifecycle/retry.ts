import { NothingToRetryError } from '../errors.js';
import type { JobOperation, Scope, StoredDocument } from '../storage.js';
import { longestWaitMs, newJob } from './attempts.js';
import { changeDocument } from './change.js';
import type { LifecycleContext } from './context.js';
import { notedEvent } from './history.js';

/** What a retry of everything that failed came to. */
export interface RetriedDocuments {
  /** Documents whose attempts begin anew, with the job that is due now. */
  readonly documents: readonly StoredDocument[];
  /** Failed documents left for another call. */
  readonly remaining: number;
}

/**
 * Starts the attempts of every failed document of a scope anew, oldest first, each in a commit of its own. Documents that
 * somebody else set going meanwhile are left out.
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
 * Starts the automatic attempts of a failed operation anew, due at once. What is known of an unanswered submission is
 * kept, so that the SRI is asked before anything is sent again.
 *
 * @throws DocumentNotFoundError, NothingToRetryError
 */
export async function retryFailed(context: LifecycleContext, scope: Scope, accessKey: string): Promise<StoredDocument> {
  const document = await restart(context, scope, accessKey);
  context.wake();
  return document;
}

// --- internal ---

/** Whether the time of a job was given by a clock that was ahead and has been put right. */
function isStray({ schedule }: LifecycleContext, job: StoredDocument['job'], now: Date): boolean {
  const waitMs = (job?.dueAt?.getTime() ?? 0) - now.getTime();
  return waitMs > longestWaitMs(schedule).PENDING;
}

function restart(context: LifecycleContext, scope: Scope, accessKey: string): Promise<StoredDocument> {
  return changeDocument(context, scope, accessKey, (current, now) => {
    const { job } = current;
    const isWaiting = job?.status !== 'FAILED' && !isStray(context, job, now);
    if (!job || isWaiting || job.running) throw new NothingToRetryError('No failed attempt to repeat.');
    return {
      set: {},
      events: [
        notedEvent(context, now, 'RETRY_REQUESTED', {
          operation: job.operation,
        }),
      ],
      job: { ...newJob(job.operation, now), unconfirmed: job.unconfirmed },
    };
  });
}
