import type { JobWorker } from '../platform/jobs/job-worker.js';
import type { Task } from '../platform/jobs/loop.js';

/** Starts the due mails of the outbox; the end of an attempt must wake it. */
export function mailTask(worker: JobWorker): Task {
  return { name: 'mail', intervalMs: 5_000, run: (signal) => worker.start(signal) };
}
