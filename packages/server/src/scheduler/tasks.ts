import { type OutboxWorkerParts, sendDueMails } from '../mail/outbox-worker.js';
import type { StoredIssuers } from '../tenancy/issuer-source.js';
import type { KeyUsage } from '../tenancy/key-usage.js';
import type { Limits } from '../tenancy/limits.js';
import type { Task } from './loop.js';

/** Sends the mails of the outbox. */
export function mailTask(parts: OutboxWorkerParts): Task {
  return { name: 'mail', intervalMs: 5_000, run: (signal) => sendDueMails(parts, signal) };
}

/** Stores what was counted of the keys' use, so that other processes see it within a second. */
export function keyUsageTask(usage: KeyUsage): Task {
  return { name: 'key usage', intervalMs: 1_000, run: () => usage.flush() };
}

/** Drops opened keys and limits whose time is over. */
export function cleaningTask(issuers: StoredIssuers, limits: Limits): Task {
  return {
    name: 'cleaning',
    intervalMs: 30_000,
    run: async () => {
      issuers.sweep();
      await limits.sweep();
    },
  };
}
