import type { PublishedPrice } from '../billing/price-list.js';
import type { AuditEntry } from '../store/audit.js';
import type { FailedJob } from '../store/failed-jobs.js';
import type { InvoiceLink, OwnedPayment } from '../store/operator-payments.js';
import type { ListedTenant } from '../store/operator-tenants.js';
import type { TenantEvent } from '../store/tenant-events.js';
import type { Tenant } from '../tenancy/tenant.js';
import { toPaymentBody } from '../v1/billing-body.js';

/** An account as the operator sees it. */
export function showTenant(tenant: Tenant | ListedTenant) {
  return {
    id: tenant.id,
    email: tenant.email,
    ruc: tenant.ruc,
    ...('businessName' in tenant ? { businessName: tenant.businessName } : {}),
    subscriptionTier: tenant.subscriptionTier,
    status: tenant.status,
    suspensionReasonCode: tenant.suspensionReason,
    sandbox: tenant.environment === 'sandbox',
    language: tenant.language,
    agreementAcceptedAt: tenant.agreementAcceptedAt?.toISOString() ?? null,
    agreementVersion: tenant.agreementVersion,
    createdAt: tenant.createdAt.toISOString(),
  };
}

/** Something that happened to an account. */
export function showEvent({ id, eventType, detail, createdAt }: TenantEvent) {
  return { id, eventType, detail, createdAt: createdAt.toISOString() };
}

/** A payment with the account it is of. */
export function showPayment(payment: OwnedPayment) {
  const { tenantId, email, ruc } = payment;
  return { ...toPaymentBody(payment), tenant: { id: tenantId, email, ruc } };
}

/** The invoice of a payment. */
export function showInvoiceLink({ linkedAt, ...link }: InvoiceLink) {
  return { ...link, linkedAt: linkedAt.toISOString() };
}

/** A published price; its amounts are numbers, as in the notification of it. */
export function showPrice(price: PublishedPrice) {
  const { id, tier, billingInterval, previousPriceUsd, newPriceUsd, effectiveAt, publishedAt } = price;
  return {
    tierPriceId: id,
    tier,
    billingInterval,
    previousPriceUsd: Number(previousPriceUsd),
    newPriceUsd: Number(newPriceUsd),
    effectiveAt: effectiveAt.toISOString(),
    publishedAt: publishedAt.toISOString(),
  };
}

/** Something that was given up. */
export function showJob(job: FailedJob) {
  const { id, kind, tenantId, subject, accessKey, endpointId, attemptCount, lastError, createdAt } = job;
  return {
    id,
    kind,
    status: 'FAILED',
    tenantId,
    subject,
    accessKey,
    endpointId,
    attemptCount,
    lastError,
    createdAt: createdAt.toISOString(),
  };
}

/** An entry of the record of what the operator did. */
export function showAuditEntry({ createdAt, ...entry }: AuditEntry) {
  return { ...entry, createdAt: createdAt.toISOString() };
}
