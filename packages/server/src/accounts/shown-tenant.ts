import type { Services } from '../platform/http/services.js';
import { toTenantBody } from './schemas.js';
import type { Tenant } from './tenant.js';

/** The account in the answer of `GET /v1/tenants/me`, with its current figures. */
export async function showTenant({ readUsage }: Services, tenant: Tenant) {
  return toTenantBody(tenant, await readUsage(tenant));
}
