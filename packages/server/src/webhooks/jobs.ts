import type { Task } from '../platform/jobs/loop.js';
import type { DeliveryWorker } from './delivery-worker.js';

/** Starts the deliveries of webhooks that are due. */
export function deliveryTask(worker: DeliveryWorker): Task {
  return { name: 'webhooks', intervalMs: 1_000, run: () => worker.start() };
}
