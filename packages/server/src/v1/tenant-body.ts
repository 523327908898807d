import { documentQuota } from '../tenancy/document-quota.js';
import type { Tenant } from '../tenancy/tenant.js';

/** The account as `GET /v1/tenants/me` shows it. */
export function toTenantBody(tenant: Tenant, documentCount: number) {
  return {
    id: tenant.id,
    email: tenant.email,
    subscriptionTier: tenant.subscriptionTier,
    status: tenant.status,
    suspensionReasonCode: tenant.suspensionReason,
    documentCount,
    documentQuota: documentQuota(tenant),
    // Seats come with subscriptions; an account without one has bought none.
    extraSeats: 0,
    pendingExtraSeats: null,
    sandbox: tenant.environment === 'sandbox',
    agreementAcceptedAt: tenant.agreementAcceptedAt?.toISOString() ?? null,
    agreementVersion: tenant.agreementVersion,
  };
}

/** The account as registration shows it: these fields and no others. */
export function toRegisteredTenantBody(tenant: Tenant) {
  return {
    id: tenant.id,
    email: tenant.email,
    subscriptionTier: tenant.subscriptionTier,
    status: tenant.status,
    documentQuota: documentQuota(tenant),
    documentCount: 0,
    createdAt: tenant.createdAt.toISOString(),
    agreementAcceptedAt: tenant.agreementAcceptedAt?.toISOString() ?? null,
    agreementVersion: tenant.agreementVersion,
  };
}
