import type { Services } from '../platform/http/services.js';
import { toTenantBody } from './schemas.js';
import type { Tenant } from './tenant.js';

/** The account as `GET /v1/tenants/me` shows it, with its figures of this moment. */
export async function showTenant({ readUsage }: Services, tenant: Tenant) {
  return toTenantBody(tenant, await readUsage(tenant));
}
