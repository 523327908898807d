import type { OutboxWorkerParts } from './outbox-worker.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** What sends mails. */
    readonly outbox: OutboxWorkerParts;
  }
}
