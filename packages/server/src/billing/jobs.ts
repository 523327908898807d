import type { Clock, Logger } from 'sri-core';
import type { Task } from '../platform/jobs/loop.js';
import { advanceDueAccounts } from './advance-due-accounts.js';
import { type AnnouncingParts, announcePrices } from './announce-prices.js';
import type { BillingParts } from './change-billing.js';

/** Brings about what time does to subscriptions. Every process may do it: each step is done once. */
export function billingTask(parts: BillingParts, logger: Logger): Task {
  return { name: 'billing', intervalMs: 3_600_000, run: (signal) => advanceDueAccounts(parts, logger, signal) };
}

/** Tells accounts of prices that will change: those that were published, and accounts that have become active since. */
export function priceTask(parts: AnnouncingParts, clock: Clock): Task {
  return { name: 'prices', intervalMs: 60_000, run: (signal) => announcePrices(parts, clock.now(), signal) };
}
