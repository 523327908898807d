import { formatDecimal, MONEY_SCALE, parseDecimal } from 'sri-core';
import type { OfferedTier } from '../accounts/index.js';
import {
  type BillingInterval,
  countAnnouncements,
  insertPublishedPrice,
  listPublishedPrices,
  lockPublishedPrices,
  noteWithdrawal,
  type PublishedPrice,
  priceAt,
  TIMELINE_DAYS,
  upcomingPrice,
} from '../billing/index.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { invalid, Refusal, ruleFailure } from '../platform/errors/refusal.js';
import type { Services } from '../platform/http/services.js';
import { auditing } from './audited.js';
import type { Operator } from './operator.js';

/** Dependencies of publishing prices. */
export type PriceDeps = Pick<Services, keyof WriteDeps | 'config'>;

/** A new price. */
export interface PriceDraft {
  readonly tier: OfferedTier;
  readonly billingInterval: BillingInterval;
  /** Before IVA, as exact decimal text. */
  readonly newPriceUsd: string;
  readonly effectiveAt: Date;
}

/** A published price with the number of notified accounts. */
export interface ListedPrice extends PublishedPrice {
  readonly notifiedTenants: number;
}

/**
 * Publishes a price. Until it takes effect the former price applies, also to renewals due until then. Active accounts
 * are notified in the background.
 *
 * @throws Refusal VALIDATION_FAILED: too soon, not offered, or unchanged; CONFLICT while another change of the same
 *   price is pending.
 */
export async function publishPrice(parts: PriceDeps, operator: Operator, draft: PriceDraft): Promise<PublishedPrice> {
  const { clock, newId } = parts;
  const { plans } = parts.config;
  const now = clock.now();
  const id = newId(now);
  const { tier, billingInterval: interval, effectiveAt } = draft;
  if (effectiveAt.getTime() < now.getTime() + PRICE_NOTICE_MS) {
    throw invalid([ruleFailure('effectiveAt', 'notice', { days: PRICE_NOTICE_MS / DAY_MS })]);
  }
  const newPriceUsd = formatDecimal(parseDecimal(draft.newPriceUsd, MONEY_SCALE), MONEY_SCALE);
  const detail = { tier, billingInterval: interval, newPriceUsd, effectiveAt: effectiveAt.toISOString() };
  const action = { action: 'price.publish', targetType: 'price', targetId: id, detail } as const;
  const database = auditing(parts, operator, action);
  return database.transaction(async (tables) => {
    await lockPublishedPrices(tables, database.traits);
    const published = await listPublishedPrices(tables);
    const previousPriceUsd = priceAt(plans, published, { tier, interval, at: now });
    if (previousPriceUsd === null || tier === 'FREE') {
      throw invalid([ruleFailure('billingInterval', 'notOffered', { tier })]);
    }
    if (parseDecimal(previousPriceUsd, MONEY_SCALE) === parseDecimal(newPriceUsd, MONEY_SCALE)) {
      throw invalid([ruleFailure('newPriceUsd', 'samePrice')]);
    }
    if (upcomingPrice(published, { tier, interval, now })) {
      throw new Refusal('CONFLICT', { reason: 'PRICE_CHANGE_PENDING' });
    }
    const sums = { previousPriceUsd, newPriceUsd };
    const moments = { effectiveAt, publishedAt: now, withdrawnAt: null };
    const price: PublishedPrice = { id, tier, billingInterval: interval, ...sums, ...moments };
    await insertPublishedPrice(tables, price);
    return price;
  });
}

/**
 * Withdraws a published price: it never takes effect, and the notified accounts are notified of that in the background.
 *
 * @throws Refusal NOT_FOUND; CONFLICT once it is withdrawn, or once the first renewals at that price may be open.
 */
export function withdrawPrice(parts: PriceDeps, operator: Operator, id: string): Promise<PublishedPrice> {
  const database = auditing(parts, operator, { action: 'price.withdraw', targetType: 'price', targetId: id });
  return database.transaction(async (tables) => {
    await lockPublishedPrices(tables, database.traits);
    const price = (await listPublishedPrices(tables)).find((each) => each.id === id);
    if (!price) throw new Refusal('NOT_FOUND');
    const now = parts.clock.now();
    const opensAt = price.effectiveAt.getTime() + TIMELINE_DAYS.renewalOpens * DAY_MS;
    if (price.withdrawnAt !== null || opensAt <= now.getTime()) {
      throw new Refusal('CONFLICT', {
        reason: 'PRICE_NOT_WITHDRAWABLE',
        params: { days: -TIMELINE_DAYS.renewalOpens },
      });
    }
    await noteWithdrawal(tables, { id, now });
    return { ...price, withdrawnAt: now };
  });
}

/** Every published price, in the order in which they take effect. */
export function listPrices({ database }: PriceDeps): Promise<readonly ListedPrice[]> {
  return database.read(async (tables) => {
    const announcements = await countAnnouncements(tables);
    return (await listPublishedPrices(tables)).map((price) => ({
      ...price,
      notifiedTenants: announcements.get(price.id) ?? 0,
    }));
  });
}

// --- internal ---

const DAY_MS = 86_400_000;

/** The notice before a price takes effect, in milliseconds. */
const PRICE_NOTICE_MS = 30 * DAY_MS;
