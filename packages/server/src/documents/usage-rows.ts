import { sql } from 'kysely';
import type { Environment } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';

/** Which count: an account, one of its two worlds, a period. */
export interface UsagePeriod {
  readonly tenantId: string;
  readonly environment: Environment;
  /** First day, `YYYY-MM-DD`. */
  readonly period: string;
}

/** Documents created so far. */
export async function countDocuments(tables: Tables, of: UsagePeriod): Promise<number> {
  const row = await tables
    .selectFrom('document_usage')
    .select('document_count')
    .where('tenant_id', '=', of.tenantId)
    .where('environment', '=', of.environment)
    .where('period', '=', of.period)
    .executeTakeFirst();
  return row?.document_count ?? 0;
}

/** Adds new documents, in the transaction that stores them. @returns the count with them. */
export async function addDocuments(tables: Tables, of: UsagePeriod, count: number): Promise<number> {
  const { rows } = await sql<{ readonly document_count: number }>`insert into document_usage
      (tenant_id, environment, period, document_count)
    values (${of.tenantId}, ${of.environment}, ${of.period}, ${count})
    ${ADDING_DOCUMENTS}`.execute(tables);
  const [row] = rows;
  if (!row) throw new Error('A count was not stored.');
  return row.document_count;
}

/**
 * As `addDocuments`, for an issuer that may have new documents and whose owner is as it was when it was last read, so
 * that it need not be read before: everybody who creates under the issuer waits until this transaction is over.
 *
 * @returns null, with nothing added, when anything of that is different now.
 */
export async function addDocumentsOf(
  tables: Tables,
  issuerId: string,
  owner: IssuerOwner,
  { environment, period, count }: Pick<UsagePeriod, 'environment' | 'period'> & { readonly count: number },
): Promise<number | null> {
  const { rows } = await sql<{ readonly document_count: number }>`insert into document_usage
      (tenant_id, environment, period, document_count)
    select tenants.id, ${environment}, ${period}, cast(${count} as bigint)
    from ${ISSUER_WITH_OWNER}
    where issuers.id = ${issuerId} and issuers.active = 1 and issuers.can_issue = 1 and tenants.id = ${owner.id}
      and tenants.subscription_tier = ${owner.subscription_tier} and tenants.language = ${owner.language}
      and subscriptions.anchor is not distinct from ${owner.anchor}
      and subscriptions.current_period_start is not distinct from ${owner.current_period_start}
      and subscriptions.billing_interval is not distinct from ${owner.billing_interval}
    ${ADDING_DOCUMENTS}`.execute(tables);
  return rows[0]?.document_count ?? null;
}

/** Who counts new documents of an issuer, and whether it may have any. */
export interface IssuerOwner {
  readonly id: string;
  readonly subscription_tier: string;
  readonly language: string;
  /** Of the issuer: 0 when it was removed. */
  readonly active: number;
  readonly can_issue: number;
  /** The period of the active subscription; null where there is none. */
  readonly anchor: number | null;
  readonly current_period_start: number | null;
  readonly billing_interval: string | null;
}

/** The account of an issuer, with what new documents depend on; null when there is no such issuer. */
export async function findIssuerOwner(tables: Tables, issuerId: string): Promise<IssuerOwner | null> {
  const { rows } = await sql<IssuerOwner>`select tenants.id, tenants.subscription_tier, tenants.language,
      issuers.active, issuers.can_issue,
      subscriptions.anchor, subscriptions.current_period_start, subscriptions.billing_interval
    from ${ISSUER_WITH_OWNER}
    where issuers.id = ${issuerId}`.execute(tables);
  return rows[0] ?? null;
}

// --- internal ---

const ISSUER_WITH_OWNER = sql`issuers
  join tenants on tenants.id = issuers.tenant_id
  left join subscriptions on subscriptions.tenant_id = tenants.id and subscriptions.status = 'ACTIVE'`;

const ADDING_DOCUMENTS = sql`on conflict (tenant_id, environment, period)
  do update set document_count = document_usage.document_count + excluded.document_count
  returning document_count`;
