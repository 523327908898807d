import { sql } from 'kysely';
import { emailKey } from '../accounts/index.js';
import { skipUnsentMails } from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';
import { findFirstRecovery } from './recovery-rows.js';

/** The conditions under which an account is released. */
export interface GivesWay {
  /** Accounts registered after that moment stay. */
  readonly registeredBefore: Date;
}

/** The accounts that hold an address or a RUC, each once, in a fixed order. */
export async function listHolders(
  tables: Tables,
  names: { readonly email: string; readonly ruc: string },
): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom('tenants')
    .select('id')
    .where((where) => where.or([where('email_key', '=', emailKey(names.email)), where('ruc', '=', names.ruc)]))
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Whether an account can be released for another registration: its address was never verified, it is old enough, and
 * the SRI never authorized a document of it.
 */
export async function givesWay(tables: Tables, tenantId: string, { registeredBefore }: GivesWay): Promise<boolean> {
  const row = await tables
    .selectFrom('tenants')
    .select('recovered_at')
    .where('id', '=', tenantId)
    .where('status', '=', 'PENDING_VERIFICATION')
    .where('environment', '=', 'sandbox')
    .where('created_at', '<=', registeredBefore.getTime())
    .executeTakeFirst();
  if (!row) return false;
  // A recovery does not prove an address either: only a recovery after a verification keeps the account.
  const recovery = row.recovered_at === null ? null : await findFirstRecovery(tables, tenantId);
  const wasVerified = row.recovered_at !== null && recovery?.previousStatus !== 'PENDING_VERIFICATION';
  return !wasVerified && !(await hasDocument(tables, tenantId, 'authorized'));
}

/** Whether an account has a document in production, or one of any environment that was authorized. */
export async function hasDocument(
  tables: Tables,
  tenantId: string,
  which: 'production' | 'authorized',
): Promise<boolean> {
  const query = tables
    .selectFrom('sri_documents')
    .innerJoin('issuers', 'issuers.id', 'sri_documents.issuer_id')
    .select('sri_documents.id')
    .where('issuers.tenant_id', '=', tenantId)
    .limit(1);
  const found =
    which === 'production'
      ? query.where('sri_documents.environment', '=', 'production')
      : query.where('sri_documents.status', 'in', ['AUTHORIZED', 'VOIDED']);
  return (await found.executeTakeFirst()) !== undefined;
}

/**
 * Frees the address and the RUC of an account: the compared forms get the account's id appended. Its queued mails are
 * not sent.
 */
export async function freeNames(tables: Tables, tenantId: string, now: Date): Promise<void> {
  const updated = { updated_at: now.getTime() };
  await tables
    .updateTable('tenants')
    .set({ email_key: sql`email_key || ' ' || id`, ruc: sql`ruc || ' ' || id`, ...updated })
    .where('id', '=', tenantId)
    .execute();
  await tables
    .updateTable('issuers')
    .set({ ruc: sql`ruc || ' ' || tenant_id`, ...updated })
    .where('tenant_id', '=', tenantId)
    .execute();
  await skipUnsentMails(tables, tenantId);
}
