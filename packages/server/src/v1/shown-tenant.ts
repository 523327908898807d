import type { Services } from '../services.js';
import { currentUsage } from '../tenancy/document-quota.js';
import type { Tenant } from '../tenancy/tenant.js';
import { toTenantBody } from './tenant-body.js';

/** The account as `GET /v1/tenants/me` shows it, with its figures of this moment. */
export async function showTenant(services: Services, tenant: Tenant) {
  const { database, clock, config } = services;
  const usage = await database.read((tables) => currentUsage(tables, config.plans, tenant, clock.now()));
  return toTenantBody(tenant, usage);
}
