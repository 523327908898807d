import type { TenantStatus } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';

/** A recovery that waits for the verification of its account's address. */
export interface OpenRecovery {
  readonly id: string;
  readonly tenantId: string;
  /** The status of the account before. */
  readonly previousStatus: TenantStatus;
}

/** Stores a recovery with the digest of the token that undoes it. */
export async function insertRecovery(
  tables: Tables,
  recovery: OpenRecovery & { readonly tokenHash: string; readonly createdAt: Date; readonly expiresAt: Date },
): Promise<void> {
  await tables
    .insertInto('account_recoveries')
    .values({
      token_hash: recovery.tokenHash,
      id: recovery.id,
      tenant_id: recovery.tenantId,
      previous_status: recovery.previousStatus,
      created_at: recovery.createdAt.getTime(),
      expires_at: recovery.expiresAt.getTime(),
    })
    .execute();
}

/** The account whose recovery an unexpired token undoes; null for any other token. */
export async function findRecoveredTenant(tables: Tables, tokenHash: string, now: Date): Promise<string | null> {
  const row = await tables
    .selectFrom('account_recoveries')
    .select('tenant_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now.getTime())
    .executeTakeFirst();
  return row?.tenant_id ?? null;
}

/** The first recovery of an account since its address was verified, or null. */
export async function findFirstRecovery(tables: Tables, tenantId: string): Promise<OpenRecovery | null> {
  const row = await tables
    .selectFrom('account_recoveries')
    .select(['id', 'previous_status'])
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row ? { id: row.id, tenantId, previousStatus: row.previous_status as TenantStatus } : null;
}

/** Deletes the recoveries of an account after a verification or an undo. Their tokens end. */
export async function forgetRecoveries(tables: Tables, tenantId: string): Promise<void> {
  await tables.deleteFrom('account_recoveries').where('tenant_id', '=', tenantId).execute();
}
