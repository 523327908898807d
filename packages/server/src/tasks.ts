import { type Clock, ecuadorDate, type Logger } from 'sri-core';
import { generateDueAgreements } from './agreements/generate-agreements.js';
import type { AgreementParts } from './agreements/publish-agreements.js';
import { advanceDueAccounts } from './billing/advance-due-accounts.js';
import { type AnnouncingParts, announcePrices } from './billing/announce-prices.js';
import type { BillingParts } from './billing/change-billing.js';
import type { StoredIssuers } from './issuers/issuer-source.js';
import { noticeCertificates } from './issuers/notify-of-certificates.js';
import type { KeyUsage } from './keys/key-usage.js';
import { forgetMailDays } from './mail/held-mail-rows.js';
import type { MailRounds } from './mail/mail-rounds.js';
import type { PublishingParts } from './notifications/publish.js';
import { dropExpiredNotifications } from './notifications/rows.js';
import { endStrayTimes } from './ops/stray-times.js';
import type { ServerDatabase } from './platform/database/tables.js';
import type { Task } from './platform/jobs/loop.js';
import { SHARE_MS } from './platform/limits/frequent-limits.js';
import type { Limits } from './platform/limits/limits.js';
import { forgetUnusedLimits } from './platform/limits/rows.js';
import type { DeliveryWorker } from './webhooks/delivery-worker.js';

/** Starts the mails of the outbox; the end of an attempt is to wake it. */
export function mailTask(rounds: MailRounds): Task {
  return { name: 'mail', intervalMs: 5_000, run: (signal) => rounds.round(signal) };
}

/** Starts the deliveries of webhooks that are due. */
export function deliveryTask(worker: DeliveryWorker): Task {
  return { name: 'webhooks', intervalMs: 1_000, run: () => worker.start() };
}

/** Tells accounts of certificates that end soon. Telling twice tells nothing new, so every process may do it. */
export function certificateTask(database: ServerDatabase, parts: PublishingParts, clock: Clock): Task {
  return {
    name: 'certificates',
    intervalMs: 3_600_000,
    run: (signal) => noticeCertificates(database, parts, clock.now(), signal),
  };
}

/**
 * Stores what was counted of the keys' use: other processes see it within a second, and a crash loses no more than that.
 * Each process stores what it has counted itself.
 */
export function keyUsageTask(usage: KeyUsage): Task {
  return { name: 'key usage', intervalMs: 500, run: () => usage.flush() };
}

/** Drops opened keys and limits whose time is over, of what this process remembers. */
export function cleaningTask(issuers: StoredIssuers, limits: Limits): Task {
  return {
    name: 'cleaning',
    intervalMs: 30_000,
    run: async () => {
      issuers.sweep();
      limits.sweep();
    },
  };
}

/** Tells other processes of uses that count against limits they share. */
export function limitsTask(limits: Limits): Task {
  return { name: 'limits', intervalMs: SHARE_MS, run: () => limits.tell() };
}

/** Drops limits whose time is over from the database. */
export function storedLimitsTask(database: ServerDatabase, clock: Clock): Task {
  return {
    name: 'stored limits',
    intervalMs: 30_000,
    run: () =>
      database.transaction(async (tables) => {
        const now = clock.now();
        await forgetUnusedLimits(tables, now);
        await forgetMailDays(tables, ecuadorDate(now));
      }),
  };
}

/** Drops notifications that have expired, some at a time, so that others write meanwhile. */
export function notificationsTask(database: ServerDatabase, clock: Clock): Task {
  return {
    name: 'notifications',
    intervalMs: 600_000,
    async run(signal) {
      let dropped = DROPPED_AT_ONCE;
      while (dropped === DROPPED_AT_ONCE && !signal.aborted) {
        dropped = await database.transaction((tables) =>
          dropExpiredNotifications(tables, { now: clock.now(), limit: DROPPED_AT_ONCE }),
        );
      }
    },
  };
}

/**
 * Ends times that a clock gave which was ahead: when the clock has gone back since the round before, at the start, and
 * every hour for what another process left.
 */
export function strayTimesTask(
  database: ServerDatabase,
  clock: Clock,
  longest: Parameters<typeof endStrayTimes>[2],
): Task {
  let last = Number.POSITIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'stray times',
    intervalMs: 10_000,
    async run() {
      const now = clock.now();
      const wentBack = now.getTime() < last;
      last = now.getTime();
      if (!wentBack && last - lookedAt < STRAYS_EVERY_MS) return;
      lookedAt = last;
      await database.transaction((tables) => endStrayTimes(tables, now, longest));
    },
  };
}

/** Gives new accounts their copies of the agreements, and all accounts those of a version that was published. */
export function agreementsTask(parts: AgreementParts): Task {
  return { name: 'agreements', intervalMs: 15_000, run: (signal) => generateDueAgreements(parts, signal) };
}

/** Brings about what time does to subscriptions. Every process may do it: each step is done once. */
export function billingTask(parts: BillingParts, logger: Logger): Task {
  return { name: 'billing', intervalMs: 3_600_000, run: (signal) => advanceDueAccounts(parts, logger, signal) };
}

/** Tells accounts of prices that will change: those that were published, and accounts that have become active since. */
export function priceTask(parts: AnnouncingParts, clock: Clock): Task {
  return { name: 'prices', intervalMs: 60_000, run: (signal) => announcePrices(parts, clock.now(), signal) };
}

// --- internal ---

const DROPPED_AT_ONCE = 100;
const STRAYS_EVERY_MS = 3_600_000;
