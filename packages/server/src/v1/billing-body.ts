import type { Payment, Subscription } from '../billing/account.js';
import type { StoredProof } from '../store/payment-proofs.js';

/** A subscription as it is shown, each field under both spellings of its name. */
export function toSubscriptionBody(tenantId: string, subscription: Subscription) {
  const { currentPeriodStart, currentPeriodEnd, createdAt, canceledAt } = subscription;
  return inBothSpellings({
    id: subscription.id,
    tenantId,
    tier: subscription.tier,
    billingInterval: subscription.billingInterval,
    status: subscription.status,
    currentPeriodStart: currentPeriodStart?.toISOString() ?? null,
    currentPeriodEnd: currentPeriodEnd?.toISOString() ?? null,
    pendingTier: subscription.pendingTier,
    pendingBillingInterval: subscription.pendingBillingInterval,
    extraSeats: subscription.extraSeats,
    pendingExtraSeats: subscription.pendingExtraSeats,
    createdAt: createdAt.toISOString(),
    canceledAt: canceledAt?.toISOString() ?? null,
  });
}

/** A payment as it is shown, each field under both spellings of its name. Amounts are exact decimal text. */
export function toPaymentBody(payment: Payment) {
  return inBothSpellings({
    id: payment.id,
    subscriptionId: payment.subscriptionId,
    purpose: payment.purpose,
    status: payment.status,
    method: 'SPI_TRANSFER',
    paymentCode: payment.paymentCode,
    amount: payment.amount,
    ivaRate: payment.ivaRate,
    ivaAmount: payment.ivaAmount,
    totalAmount: payment.totalAmount,
    targetTier: payment.targetTier,
    targetBillingInterval: payment.targetBillingInterval,
    targetExtraSeats: payment.targetExtraSeats,
    rejectionReasonCode: payment.rejectionReason,
    dueAt: payment.dueAt.toISOString(),
    reportedAt: payment.reportedAt?.toISOString() ?? null,
    verifiedAt: payment.verifiedAt?.toISOString() ?? null,
    createdAt: payment.createdAt.toISOString(),
  });
}

/** A proof as it is shown, without its content. */
export function toProofBody(proof: StoredProof) {
  const { id, filename, mimeType, referenceNumber, active, createdAt, sizeBytes, sha256 } = proof;
  return { id, filename, mimeType, referenceNumber, active, createdAt: createdAt.toISOString(), sizeBytes, sha256 };
}

// --- internal ---

/** `billingInterval` and `billing_interval`: programs of both habits read these records. */
function inBothSpellings(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const snake = Object.entries(record).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return { ...record, ...Object.fromEntries(snake) };
}
