import { type Language, type LocalizedText, translate } from 'sri-core';
import type { Tenant } from '../accounts/index.js';
import type { BillingMailKind } from '../mail/index.js';
import { type Draft, type PublishingDeps, publish, writeNotification } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import { formatAmount, formatDay } from '../platform/formats.js';
import type { BillingAccount, Payment, RejectionReason } from './account.js';
import type { BankTransfer } from './bank-transfer.js';
import type { BillingNotice } from './outcome.js';
import { queueBillingMail } from './queue-billing-mail.js';

/** Dependencies of notifying accounts of their billing. */
export interface NotifyingDeps {
  readonly newId: (now: Date) => string;
  /** Null if not configured. */
  readonly bankTransfer: BankTransfer | null;
  readonly publishing: PublishingDeps;
}

/** Notifies an account of billing results: a notification each, and a mail unless switched off. */
export async function notifyOfBilling(
  tables: Tables,
  { newId, bankTransfer, publishing }: NotifyingDeps,
  {
    tenant,
    account,
    notices,
    now,
  }: {
    readonly tenant: Tenant;
    readonly account: BillingAccount;
    readonly notices: readonly BillingNotice[];
    readonly now: Date;
  },
): Promise<void> {
  const { id: tenantId, language } = tenant;
  for (const notice of notices) {
    const { kind, severity, mail, metadata, params } = describe(notice, language);
    const text = writeNotification(kind, language, params);
    const draft: Draft = { tenantId, issuerId: null, environment: null, type: kind, severity, ...text, metadata };
    await publish(tables, { tenantId, now }, publishing, async () => draft);
    const isRejected = notice.kind === 'PAYMENT_REJECTED';
    // A payment whose purpose is over ends with its rejection: the mail asks for no other transfer.
    const isOver = isRejected && account.payments.find(({ id }) => id === notice.payment.id)?.status === 'CANCELLED';
    const unpaid = notice.kind === 'SUBSCRIPTION_PAST_DUE_WARNING' ? unpaidRenewal(account) : undefined;
    const isToBePaid = notice.kind === 'SUBSCRIPTION_RENEWAL_DUE' || unpaid || (isRejected && !isOver);
    const due = unpaid && { paymentCode: unpaid.paymentCode, totalAmount: formatAmount(unpaid.totalAmount) };
    const data = { ...params, ...due, ...(isToBePaid && bankTransfer), ...(isOver && { paymentCode: '' }) };
    await queueBillingMail(tables, { tenant, kind: mail, data, id: newId(now), now });
  }
}

// --- internal ---

/** The renewal that waits for a transfer; undefined while a reported one waits for the operator. */
function unpaidRenewal({ payments }: BillingAccount): Payment | undefined {
  return payments.find(
    ({ purpose, status }) => purpose === 'RENEWAL' && (status === 'PENDING' || status === 'REJECTED'),
  );
}

interface Described extends Pick<Draft, 'severity' | 'metadata'> {
  readonly kind: BillingNotice['kind'];
  readonly mail: BillingMailKind;
  /** The values of the texts. */
  readonly params: Readonly<Record<string, string>>;
}

function describe(notice: BillingNotice, language: Language): Described {
  if (!('subscription' in notice)) return describePayment(notice, language);
  const { id: subscriptionId, tier, currentPeriodEnd } = notice.subscription;
  const until = currentPeriodEnd && { currentPeriodEnd: currentPeriodEnd.toISOString() };
  const end = currentPeriodEnd ? formatDay(currentPeriodEnd, language) : '';
  if (notice.kind === 'SUBSCRIPTION_RENEWAL_DUE') {
    const { kind, payBefore } = notice;
    const { id: paymentId, targetTier, amount, ivaAmount, totalAmount, paymentCode } = notice.payment;
    return {
      kind,
      mail: 'RENEWAL_DUE',
      severity: 'WARNING',
      metadata: { subscriptionId, paymentId, tier: targetTier, amount, ivaAmount, totalAmount, ...until },
      params: {
        tier,
        renewalTier: targetTier,
        currentPeriodEnd: end,
        payBefore: formatDay(payBefore, language),
        amount: formatAmount(amount),
        ivaAmount: formatAmount(ivaAmount),
        totalAmount: formatAmount(totalAmount),
        paymentCode,
      },
    };
  }
  if (notice.kind === 'SUBSCRIPTION_PAST_DUE_WARNING') {
    const { kind, suspendsAt } = notice;
    return {
      kind,
      mail: 'PAST_DUE_WARNING',
      severity: 'WARNING',
      metadata: { subscriptionId, tier, ...until, suspendsAt: suspendsAt.toISOString() },
      params: { tier, currentPeriodEnd: end, suspendsAt: formatDay(suspendsAt, language) },
    };
  }
  return {
    kind: notice.kind,
    mail: 'EXPIRED',
    severity: 'ERROR',
    metadata: { subscriptionId, previousTier: tier },
    params: { previousTier: tier },
  };
}

function describePayment(
  notice: Extract<BillingNotice, { readonly kind: `PAYMENT_${string}` }>,
  language: Language,
): Described {
  const { kind, payment } = notice;
  const restored = notice.kind === 'PAYMENT_REFUNDED' && { restoredTier: notice.restoredTier };
  const { id: paymentId, subscriptionId, purpose, totalAmount: amount, rejectionReason, paymentCode } = payment;
  const { targetTier: tier, targetBillingInterval: billingInterval } = payment;
  const shown = formatAmount(amount);
  const reason = rejectionReason ? translate(REASON_TEXTS[rejectionReason], language) : '';
  return {
    kind,
    mail: kind,
    severity: kind === 'PAYMENT_REJECTED' ? 'WARNING' : 'INFO',
    metadata: {
      paymentId,
      subscriptionId,
      tier,
      billingInterval,
      purpose,
      amount,
      rejectionReasonCode: rejectionReason,
      ...restored,
    },
    params: { tier, amount: shown, totalAmount: shown, paymentCode, reason, ...restored },
  };
}

const REASON_TEXTS: Readonly<Record<RejectionReason, LocalizedText>> = {
  AMOUNT_MISMATCH: {
    es: 'el valor transferido no es el del pago',
    en: 'the amount transferred is not that of the payment',
  },
  TRANSFER_NOT_FOUND: {
    es: 'no encontramos la transferencia en nuestra cuenta',
    en: 'the transfer was not found in our account',
  },
  WRONG_ACCOUNT: { es: 'la transferencia fue a otra cuenta', en: 'the transfer went to another account' },
  ILLEGIBLE_PROOF: { es: 'el comprobante no se puede leer', en: 'the proof cannot be read' },
  DUPLICATE_SUBMISSION: { es: 'el comprobante ya se usó en otro pago', en: 'the proof was used for another payment' },
  OTHER: { es: 'escríbanos para conocer el motivo', en: 'write to us to learn why' },
};
