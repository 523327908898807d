import { Refusal } from '../platform/errors/refusal.js';
import { type BillingAccount, openPayments, type Subscription, withSubscription } from './account.js';
import { requireActive, requireNoTierPending } from './active-subscription.js';
import type { ChangeOutcome } from './change-tier.js';
import { cancelOpenPayments } from './renewal.js';
import { NOTHING_PENDING } from './start-subscription.js';

/**
 * Ends the subscription with the paid period. There is no refund.
 *
 * @throws Refusal NO_ACTIVE_SUBSCRIPTION, CANCELLATION_ALREADY_PENDING, TIER_CHANGE_ALREADY_PENDING,
 *   SEAT_CHANGE_ALREADY_PENDING
 */
export function cancelSubscription(account: BillingAccount): ChangeOutcome {
  const subscription = requireActive(account);
  requireNoTierPending(subscription);
  if (openPayments(account, subscription.id).some(({ purpose }) => purpose === 'TIER_CHANGE')) {
    throw new Refusal('TIER_CHANGE_ALREADY_PENDING');
  }
  const { pendingAt, currentPeriodEnd: effectiveAt } = subscription;
  // The last period is paid without the seats that end before it.
  if (pendingAt !== null && pendingAt < effectiveAt) throw new Refusal('SEAT_CHANGE_ALREADY_PENDING');
  const ending: Subscription = { ...subscription, ...NOTHING_PENDING, pendingTier: 'FREE', pendingAt: effectiveAt };
  const { id: subscriptionId, tier } = subscription;
  return {
    account: cancelOpenPayments(withSubscription(account, ending), subscriptionId, ['RENEWAL']),
    events: [
      {
        eventType: 'SUBSCRIPTION_CANCELLATION_SCHEDULED',
        detail: { subscriptionId, tier, effectiveAt: effectiveAt.toISOString() },
      },
    ],
    notices: [],
    effectiveAt,
  };
}
