import { sql } from 'kysely';
import type { Environment } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';

/** The key of a count: an account, one of its two environments, a period. */
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

/** Adds new documents, in the transaction that stores them. @returns the new count. */
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
 * Like `addDocuments`, for an active issuer whose owner is unchanged since it was read. So the owner need not be read
 * first. Concurrent creates of the issuer wait until this transaction ends.
 *
 * @returns null, with nothing added, when any of that has changed.
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

/** The account that counts an issuer's documents, and whether the issuer may have new ones. */
export interface IssuerOwner {
  readonly id: string;
  readonly subscription_tier: string;
  readonly language: string;
  /** Of the issuer: 0 if removed. */
  readonly active: number;
  readonly can_issue: number;
  /** The period of the active subscription, or null. */
  readonly anchor: number | null;
  readonly current_period_start: number | null;
  readonly billing_interval: string | null;
}

/** The account of an issuer with the state that new documents depend on, or null. */
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
