import { type LocalizedText, type Logger, translate } from 'sri-core';
import { FIRST_ID } from 'sri-storage-adapters';
import { type PublishingDeps, publish, writeNotification } from '../notifications/index.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import { formatAmount, formatDay } from '../platform/formats.js';
import { createAccountAttempts } from '../platform/jobs/account-attempts.js';
import type { PublishedPrice } from './price-list.js';
import {
  listPublishedPrices,
  listUnnotifiedOfWithdrawal,
  listUnnotifiedTenants,
  noteAnnouncement,
  noteWithdrawalNotified,
} from './price-rows.js';
import { queueBillingMail } from './queue-billing-mail.js';

/** Dependencies of announcing prices. */
export interface AnnouncingDeps {
  readonly database: ServerDatabase;
  readonly publishing: PublishingDeps;
}

/**
 * Notifies every active account once of each price change: accounts active when a price is published, and accounts that
 * become active before it takes effect. Until then, notifies the same accounts once of its withdrawal. Several processes
 * may do so at once. A failure for one account is logged and retried in the next round.
 *
 * @returns how many notifications were made.
 */
export async function announcePrices(
  parts: AnnouncingDeps,
  logger: Logger,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  const published = await parts.database.read(listPublishedPrices);
  const accounts = createAccountAttempts(logger, 'an account was not notified of a price', signal);
  let announced = 0;
  for (const price of published.filter(({ effectiveAt }) => effectiveAt > now)) {
    const listUnnotified = price.withdrawnAt === null ? listUnnotifiedTenants : listUnnotifiedOfWithdrawal;
    let after: string = FIRST_ID;
    for (;;) {
      const unnotified = await parts.database.read((tables) =>
        listUnnotified(tables, price.id, { after, limit: ACCOUNTS_AT_ONCE }),
      );
      for (const tenantId of unnotified) {
        if (signal?.aborted) return announced;
        await accounts.attempt(tenantId, async () => {
          if (await announce(parts, price, tenantId, now)) announced += 1;
        });
      }
      const last = unnotified.at(-1);
      if (last === undefined) break;
      after = last;
    }
  }
  return announced;
}

// --- internal ---

const ACCOUNTS_AT_ONCE = 100;

const PERIODS: Readonly<Record<PublishedPrice['billingInterval'], LocalizedText>> = {
  MONTHLY: { es: 'mensual', en: 'monthly' },
  YEARLY: { es: 'anual', en: 'yearly' },
};

function announce(
  { database, publishing }: AnnouncingDeps,
  price: PublishedPrice,
  tenantId: string,
  now: Date,
): Promise<boolean> {
  const { id: tierPriceId, tier, billingInterval, effectiveAt } = price;
  const isWithdrawn = price.withdrawnAt !== null;
  // A withdrawal is a change back: from the announced price to that of before.
  const { previousPriceUsd, newPriceUsd } = isWithdrawn
    ? { previousPriceUsd: price.newPriceUsd, newPriceUsd: price.previousPriceUsd }
    : price;
  return database.transaction(async (tables) => {
    const note = isWithdrawn ? noteWithdrawalNotified : noteAnnouncement;
    const tenant = await note(tables, { priceId: tierPriceId, tenantId, now });
    if (!tenant) return false;
    const period = translate(PERIODS[billingInterval], tenant.language);
    const params = {
      tier,
      period,
      previousPriceUsd: formatAmount(previousPriceUsd),
      newPriceUsd: formatAmount(newPriceUsd),
      effectiveAt: formatDay(effectiveAt, tenant.language),
    };
    const metadata = {
      tierPriceId,
      tier,
      billingInterval,
      previousPriceUsd: Number(previousPriceUsd),
      newPriceUsd: Number(newPriceUsd),
      effectiveAt: effectiveAt.toISOString(),
    };
    const text = writeNotification(
      isWithdrawn ? 'PRICE_CHANGE_WITHDRAWN' : 'PRICE_CHANGE_ANNOUNCED',
      tenant.language,
      params,
    );
    await publish(tables, { tenantId, now }, publishing, async () => ({
      tenantId,
      issuerId: null,
      environment: null,
      type: 'PRICE_CHANGE_ANNOUNCED',
      severity: 'INFO',
      ...text,
      metadata,
    }));
    const kind = isWithdrawn ? 'PRICE_WITHDRAWN' : 'PRICE_CHANGE';
    await queueBillingMail(tables, { tenant, kind, data: params, id: publishing.newId(now), now });
    return true;
  });
}
