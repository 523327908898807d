import type { Tenant } from './tenant.js';
import type { CurrentUsage } from './usage.js';

export {
  type InternalRoute,
  internal,
  type KeyLimit,
  type KeyRoute,
  type KeyRouteOptions,
  type TenantCall,
  type TenantRoute,
  tenant,
  usualRules,
} from './account-route.js';
export { insertTenantEvent, listTenantEvents, type TenantEvent } from './event-rows.js';
export {
  type OfferedTier,
  PLAN_LIMITS,
  PLAN_NAMES,
  type PlanLimits,
  type Plans,
  quotaApplies,
  TIERS,
  type Tier,
} from './plans.js';
export { readPlansFile } from './plans-file.js';
export {
  emailKey,
  findTaken,
  findTenant,
  findTenantByEmail,
  hasAccounts,
  IS_RELEASED,
  insertTenant,
  isReleased,
  lockTenant,
  moveTenantToProduction,
  noteAgreementAcceptance,
  setVerificationRedirect,
  TENANT_COLUMNS,
  toTenant,
} from './rows.js';
export {
  eventSchema,
  recoveredTenantSchema,
  registeredTenantSchema,
  tenantSchema,
  toEventBody,
  toRecoveredTenantBody,
  toRegisteredTenantBody,
} from './schemas.js';
export { isScope, SCOPES, type Scope } from './scopes.js';
export { showTenant } from './shown-tenant.js';
export { changeStatusBeforeSuspension, changeTenantStatus } from './status-rows.js';
export { suspendTenant, unsuspendTenant } from './suspend-account.js';
export {
  awaitsVerification,
  SUSPENSION_REASONS,
  type SuspensionReason,
  TENANT_STATUSES,
  TENANT_TRANSITIONS,
  type Tenant,
  type TenantContext,
  type TenantStatus,
} from './tenant.js';
export type { CurrentUsage, QuotaPeriod } from './usage.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** The current usage of an account against its plan. */
    readonly readUsage: (tenant: Tenant) => Promise<CurrentUsage>;
  }
}
