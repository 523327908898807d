import type { Environment } from 'sri-core';
import { API_KEY_TRANSITIONS } from '../tenancy/api-key-status.js';
import { requireTransition } from '../transitions.js';
import type { Tables } from './schema.js';

/** Which keys of an account are revoked; what is left out does not matter. */
export interface KeysToRevoke {
  readonly tenantId: string;
  readonly id?: string;
  readonly environment?: Environment;
  /** Only those of the account's lists, which the web application's are not in. */
  readonly listed?: true;
}

/** Revokes active keys of an account, for good: the one place where a key's status changes. @returns what they were. */
export async function revokeActiveKeys(tables: Tables, { tenantId, id, environment, listed }: KeysToRevoke, now: Date) {
  requireTransition(API_KEY_TRANSITIONS, 'ACTIVE', 'REVOKED');
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
