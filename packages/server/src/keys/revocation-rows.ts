import type { Environment } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';

/** The keys of an account to revoke; omitted conditions match every key. */
export interface KeysToRevoke {
  readonly tenantId: string;
  readonly id?: string;
  readonly environment?: Environment;
  /** Only listed keys, which excludes the web application's. */
  readonly listed?: true;
}

/** Revokes active keys of an account, for good. @returns the revoked keys. */
export async function revokeActiveKeys(tables: Tables, { tenantId, id, environment, listed }: KeysToRevoke, now: Date) {
  let query = tables
    .updateTable('api_keys')
    .set({ active: 0, revoked_at: now.getTime() })
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1);
  if (id !== undefined) query = query.where('id', '=', id);
  if (environment !== undefined) query = query.where('environment', '=', environment);
  if (listed) query = query.where('listed', '=', 1);
  return query.returning(['id', 'label', 'scopes', 'listed', 'created_at']).execute();
}

/** Sets the active keys of an account's environment aside for a recovery, which can be undone. */
export async function setKeysAside(
  tables: Tables,
  { id, environment }: { readonly id: string; readonly environment: Environment },
  { recoveryId, now }: { readonly recoveryId: string; readonly now: Date },
): Promise<void> {
  await tables
    .updateTable('api_keys')
    .set({ active: 0, revoked_at: now.getTime(), set_aside_by: recoveryId })
    .where('tenant_id', '=', id)
    .where('environment', '=', environment)
    .where('active', '=', 1)
    .execute();
}

/** Restores the keys that a recovery set aside. */
export async function restoreKeys(tables: Tables, tenantId: string, recoveryId: string): Promise<void> {
  await tables
    .updateTable('api_keys')
    .set({ active: 1, revoked_at: null, set_aside_by: null })
    .where('tenant_id', '=', tenantId)
    .where('set_aside_by', '=', recoveryId)
    .execute();
}

/** Revokes for good the keys that recoveries of an account set aside. */
export async function revokeKeysSetAside(tables: Tables, tenantId: string): Promise<void> {
  await tables
    .updateTable('api_keys')
    .set({ set_aside_by: null })
    .where('tenant_id', '=', tenantId)
    .where('set_aside_by', 'is not', null)
    .execute();
}
