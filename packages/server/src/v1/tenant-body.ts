import type { CurrentUsage } from '../tenancy/document-quota.js';
import type { Tenant } from '../tenancy/tenant.js';

/** The account as `GET /v1/tenants/me` shows it. */
export function toTenantBody(tenant: Tenant, usage: CurrentUsage) {
  const { documentCount, documentQuota, extraSeats, pendingExtraSeats } = usage;
  return {
    id: tenant.id,
    email: tenant.email,
    subscriptionTier: tenant.subscriptionTier,
    status: tenant.status,
    suspensionReasonCode: tenant.suspensionReason,
    documentCount,
    documentQuota,
    extraSeats,
    pendingExtraSeats,
    sandbox: tenant.environment === 'sandbox',
    agreementAcceptedAt: tenant.agreementAcceptedAt?.toISOString() ?? null,
    agreementVersion: tenant.agreementVersion,
  };
}

/** The account as registration shows it: these fields and no others. */
export function toRegisteredTenantBody(tenant: Tenant, documentQuota: number) {
  return {
    id: tenant.id,
    email: tenant.email,
    subscriptionTier: tenant.subscriptionTier,
    status: tenant.status,
    documentQuota,
    documentCount: 0,
    createdAt: tenant.createdAt.toISOString(),
    agreementAcceptedAt: tenant.agreementAcceptedAt?.toISOString() ?? null,
    agreementVersion: tenant.agreementVersion,
  };
}

/** The account as recovery shows it: these fields and no others. */
export function toRecoveredTenantBody(
  tenant: Tenant,
  { documentCount, documentQuota }: Pick<CurrentUsage, 'documentCount' | 'documentQuota'>,
) {
  const { id, email, subscriptionTier, status } = tenant;
  return { id, email, subscriptionTier, status, documentQuota, documentCount };
}
