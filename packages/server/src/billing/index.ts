import type { BillingDeps } from './change-billing.js';

export {
  BILLING_INTERVALS,
  type BillingAccount,
  type BillingInterval,
  currentSubscription,
  PAYMENT_STATUSES,
  type Payment,
  type PaymentStatus,
  REJECTION_REASONS,
  type RejectionReason,
} from './account.js';
export { parseBankTransfer } from './bank-transfer.js';
export { toPayment } from './billing-row.js';
export { type BillingDeps, changeBilling, changeBillingWithin } from './change-billing.js';
export { currentUsage, documentQuota } from './document-quota.js';
export { type BillingContext, type BillingOutcome, inTurn, unchanged } from './outcome.js';
export { billingInterval, paidTier } from './params.js';
export { proofFile } from './payment-handlers.js';
export { type PublishedPrice, priceAt, upcomingPrice } from './price-list.js';
export {
  countAnnouncements,
  insertPublishedPrice,
  listPublishedPrices,
  lockPublishedPrices,
  noteWithdrawal,
} from './price-rows.js';
export type { Order } from './pricing.js';
export { PROOF_COLUMNS, type StoredProof, toProof } from './proof-rows.js';
export { findActiveSubscription, lastSubscriptionStatus, selectPayments } from './rows.js';
export { paymentSchema, proofSchema, toPaymentBody, toProofBody } from './schemas.js';
export { refundPayment, rejectPayment, requirePayment, verifyPayment } from './settle-payment.js';
export { startSubscription } from './start-subscription.js';
export { showStart, startFields } from './subscription-handlers.js';
export { closeBilling, restartPeriod, TIMELINE_DAYS } from './timeline.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** Dependencies of subscriptions and payments. */
    readonly billing: BillingDeps;
  }
}
