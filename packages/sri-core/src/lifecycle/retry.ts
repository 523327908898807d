import { NothingToRetryError } from '../errors.js';
import type { Scope, StoredDocument } from '../storage.js';
import { newJob } from './attempts.js';
import { changeDocument } from './change.js';
import type { LifecycleContext } from './context.js';
import { notedEvent } from './history.js';

/**
 * Starts the automatic attempts of a failed operation anew, due at once. What is known of an unanswered submission is
 * kept, so that the SRI is asked before anything is sent again.
 *
 * @throws DocumentNotFoundError, NothingToRetryError
 */
export async function retryFailed(context: LifecycleContext, scope: Scope, accessKey: string): Promise<StoredDocument> {
  const { document } = await changeDocument(context, scope, accessKey, (current, now) => {
    const { job } = current;
    if (job?.status !== 'FAILED' || job.running) throw new NothingToRetryError('No failed attempt to repeat.');
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
  context.wake();
  return document;
}
