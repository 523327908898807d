import type { JobWorker } from '../platform/jobs/job-worker.js';
import type { Task } from '../platform/jobs/loop.js';

/** Starts the deliveries of webhooks that are due. */
export function deliveryTask(worker: JobWorker): Task {
  return { name: 'webhooks', intervalMs: 1_000, run: (signal) => worker.start(signal) };
}
