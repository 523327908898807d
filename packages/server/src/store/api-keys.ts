import type { Environment } from 'sri-core';
import { isScope, type Scope } from '../tenancy/scopes.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { Tables } from './schema.js';
import { toTenant } from './tenants.js';

/** A key as it is stored: everything but its token. */
export interface ApiKey {
  readonly id: string;
  readonly tenantId: string;
  readonly last4: string;
  readonly label: string | null;
  readonly environment: Environment;
  readonly scopes: readonly Scope[];
  /** False for a key of the web application: neither listed nor counted. */
  readonly listed: boolean;
  readonly createdAt: Date;
}

/** Stores a new, active key. */
export async function insertApiKey(tables: Tables, key: ApiKey & { readonly tokenHash: string }): Promise<void> {
  await tables
    .insertInto('api_keys')
    .values({
      id: key.id,
      tenant_id: key.tenantId,
      token_hash: key.tokenHash,
      last4: key.last4,
      label: key.label,
      environment: key.environment,
      scopes: JSON.stringify(key.scopes),
      active: 1,
      listed: key.listed ? 1 : 0,
      request_count: 0,
      last_used_at: null,
      created_at: key.createdAt.getTime(),
      revoked_at: null,
    })
    .execute();
}

/** The active key with that digest, and the account it belongs to; null when there is none. */
export async function findActiveKey(
  tables: Tables,
  tokenHash: string,
): Promise<{
  readonly id: string;
  readonly environment: Environment;
  readonly scopes: readonly Scope[];
  readonly tenant: Tenant;
} | null> {
  const row = await tables
    .selectFrom('api_keys')
    .innerJoin('tenants', 'tenants.id', 'api_keys.tenant_id')
    .selectAll('tenants')
    .select(['api_keys.id as key_id', 'api_keys.environment as key_environment', 'api_keys.scopes as key_scopes'])
    .where('api_keys.token_hash', '=', tokenHash)
    .where('api_keys.active', '=', 1)
    .executeTakeFirst();
  if (!row) return null;
  const scopes: readonly string[] = JSON.parse(row.key_scopes);
  return {
    id: row.key_id,
    environment: row.key_environment as Environment,
    scopes: scopes.filter(isScope),
    tenant: toTenant(row),
  };
}

/** Requests of a key on one day that have not been stored yet. */
export interface KeyUse {
  readonly keyId: string;
  /** `YYYY-MM-DD` in Ecuador. */
  readonly day: string;
  readonly count: number;
  readonly lastUsedAt: Date;
}

/** Adds to what is stored of the keys' use. */
export async function addKeyUse(tables: Tables, uses: readonly KeyUse[]): Promise<void> {
  for (const { keyId, day, count, lastUsedAt } of uses) {
    await tables
      .updateTable('api_keys')
      .set((set) => ({ request_count: set('request_count', '+', count), last_used_at: lastUsedAt.getTime() }))
      .where('id', '=', keyId)
      .execute();
    await tables
      .insertInto('api_key_usage')
      .values({ key_id: keyId, day, request_count: count })
      .onConflict((conflict) =>
        conflict
          .columns(['key_id', 'day'])
          .doUpdateSet((set) => ({ request_count: set('api_key_usage.request_count', '+', count) })),
      )
      .execute();
  }
}
