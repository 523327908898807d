import { type CurrentUsage, currentUsage } from '../billing/document-quota.js';
import type { Services } from '../services.js';
import { toTenantBody } from './schemas.js';
import type { Tenant } from './tenant.js';

/** The account as `GET /v1/tenants/me` shows it, with its figures of this moment. */
export async function showTenant(services: Services, tenant: Tenant) {
  return toTenantBody(tenant, await readUsage(services, tenant));
}

/** What an account has used of its plan by now. */
export function readUsage({ database, clock, config }: Services, tenant: Tenant): Promise<CurrentUsage> {
  return database.read((tables) => currentUsage(tables, config.plans, tenant, clock.now()));
}
