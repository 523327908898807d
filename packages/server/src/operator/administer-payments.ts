import { insertTenantEvent, lockTenant } from '../accounts/index.js';
import {
  type BillingOutcome,
  changeBilling,
  type RejectionReason,
  refundPayment,
  rejectPayment,
  requirePayment,
  type StoredProof,
  verifyPayment,
} from '../billing/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Services } from '../platform/http/services.js';
import { auditing } from './audited.js';
import type { Operator } from './operator.js';
import {
  findPayment,
  findSubscriptionOwner,
  findUninvoicedPayment,
  type InvoiceLink,
  insertInvoiceLink,
  listKeptProofs,
  type OwnedPayment,
  readKeptProof,
} from './payment-rows.js';

/** Dependencies of administering payments. */
export type PaymentAdministrationDeps = Pick<Services, keyof WriteDeps | 'billing'>;

/** The proofs of a payment, including those taken back. @throws Refusal PAYMENT_NOT_FOUND */
export function findProofs(
  { database }: PaymentAdministrationDeps,
  paymentId: string,
): Promise<readonly StoredProof[]> {
  return database.read(async (tables) => {
    await requireOwned(tables, paymentId);
    return listKeptProofs(tables, paymentId);
  });
}

/** A proof with its file. @throws Refusal PAYMENT_NOT_FOUND, NOT_FOUND */
export function openProof(
  { database }: PaymentAdministrationDeps,
  { paymentId, proofId }: { readonly paymentId: string; readonly proofId: string },
): Promise<StoredProof & { readonly bytes: Uint8Array }> {
  return database.read(async (tables) => {
    await requireOwned(tables, paymentId);
    const proof = await readKeptProof(tables, paymentId, proofId);
    if (!proof) throw new Refusal('NOT_FOUND');
    return proof;
  });
}

/** Verifies a payment and applies it. @throws Refusal PAYMENT_NOT_FOUND, CONFLICT */
export function verify(parts: PaymentAdministrationDeps, operator: Operator, paymentId: string): Promise<OwnedPayment> {
  return change(parts, operator, { paymentId, action: 'payment.verify' }, (account, context) =>
    verifyPayment(account, paymentId, context),
  );
}

/** Rejects a payment. @throws Refusal PAYMENT_NOT_FOUND, CONFLICT */
export function reject(
  parts: PaymentAdministrationDeps,
  operator: Operator,
  { paymentId, reason }: { readonly paymentId: string; readonly reason: RejectionReason },
): Promise<OwnedPayment> {
  return change(parts, operator, { paymentId, action: 'payment.reject' }, (account) =>
    rejectPayment(account, paymentId, reason),
  );
}

/**
 * Records the refund of a payment and reverts its changes. @throws Refusal PAYMENT_NOT_FOUND, PAYMENT_NOT_REFUNDABLE
 */
export function refund(parts: PaymentAdministrationDeps, operator: Operator, paymentId: string): Promise<OwnedPayment> {
  return change(parts, operator, { paymentId, action: 'payment.refund' }, (account, context) =>
    refundPayment(account, paymentId, context),
  );
}

/**
 * Records the operator's invoice for a payment of a subscription, without further effects.
 *
 * @param wanted.paymentId null for the longest waiting verified payment, if the invoice is not linked yet.
 * @throws Refusal NOT_FOUND; CONFLICT when no such payment waits for an invoice.
 */
export async function linkInvoice(
  parts: PaymentAdministrationDeps,
  operator: Operator,
  wanted: { readonly subscriptionId: string; readonly accessKey: string; readonly paymentId: string | null },
): Promise<InvoiceLink> {
  const { subscriptionId, accessKey } = wanted;
  const { clock, newId } = parts;
  const linkedAt = clock.now();
  const database = auditing(parts, operator, {
    action: 'subscription.link-invoice',
    targetType: 'subscription',
    targetId: subscriptionId,
    detail: { accessKey },
  });
  return database.transaction(async (tables) => {
    const tenantId = await findSubscriptionOwner(tables, subscriptionId);
    if (tenantId === null) throw new Refusal('NOT_FOUND');
    await lockTenant(tables, tenantId);
    const paymentId = await findUninvoicedPayment(tables, subscriptionId, wanted);
    if (paymentId === null) throw new Refusal('CONFLICT', { reason: 'NOTHING_TO_INVOICE' });
    const link: InvoiceLink = { paymentId, subscriptionId, tenantId, accessKey, linkedAt };
    await insertInvoiceLink(tables, link);
    await insertTenantEvent(tables, tenantId, {
      id: newId(linkedAt),
      eventType: 'INVOICE_LINKED',
      detail: { subscriptionId, paymentId, accessKey },
      createdAt: linkedAt,
    });
    return link;
  });
}

// --- internal ---

async function requireOwned(tables: Tables, paymentId: string): Promise<OwnedPayment> {
  const payment = await findPayment(tables, paymentId);
  if (!payment) throw new Refusal('PAYMENT_NOT_FOUND');
  return payment;
}

async function change(
  parts: PaymentAdministrationDeps,
  operator: Operator,
  { paymentId, action }: { readonly paymentId: string; readonly action: string },
  decide: Parameters<typeof changeBilling<BillingOutcome>>[2],
): Promise<OwnedPayment> {
  const owner = await parts.database.read((tables) => requireOwned(tables, paymentId));
  const describe = async (tables: Tables) => {
    const tenant = await lockTenant(tables, owner.tenantId);
    const payment = await findPayment(tables, paymentId);
    return (
      payment && {
        status: payment.status,
        rejectionReasonCode: payment.rejectionReason,
        subscriptionTier: tenant?.subscriptionTier,
      }
    );
  };
  const audited = { action, targetType: 'payment', targetId: paymentId, describe } as const;
  const database = auditing(parts, operator, audited);
  const { account } = await changeBilling({ ...parts.billing, database }, owner.tenantId, decide);
  const { tenantId, email, ruc } = owner;
  return { ...requirePayment(account, paymentId), tenantId, email, ruc };
}
