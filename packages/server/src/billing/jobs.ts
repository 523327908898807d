import type { Clock, Logger } from 'sri-core';
import type { Task } from '../platform/jobs/loop.js';
import { advanceDueAccounts } from './advance-due-accounts.js';
import { type AnnouncingDeps, announcePrices } from './announce-prices.js';
import type { BillingDeps } from './change-billing.js';

/** Applies due changes to subscriptions. Every process may run it: each step is done once. */
export function billingTask(parts: BillingDeps, logger: Logger): Task {
  return { name: 'billing', intervalMs: 3_600_000, run: (signal) => advanceDueAccounts(parts, logger, signal) };
}

/** Notifies accounts of price changes: after a publication, and when an account becomes active. */
export function priceTask(parts: AnnouncingDeps, clock: Clock, logger: Logger): Task {
  return { name: 'prices', intervalMs: 60_000, run: (signal) => announcePrices(parts, logger, clock.now(), signal) };
}
