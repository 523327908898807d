import { type TenantRoute, tenant } from './account-route.js';
import { getOwnTenant, getTenantEvents, patchLanguage } from './handlers.js';

/** Routes about the account itself. */
export const ACCOUNTS_ROUTES: readonly TenantRoute[] = [
  tenant('GET', '/v1/tenants/me', null, getOwnTenant, { limit: 'tenantsMe' }),
  tenant('GET', '/v1/tenants/events', null, getTenantEvents, { limit: 'tenantsEvents' }),
  tenant('PATCH', '/v1/tenants/language', 'tenant:manage', patchLanguage),
];
