import { expressionBuilder, sql } from 'kysely';
import type { Environment } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';

/** The key of a count: an account, one of its two environments, a period. */
export interface UsagePeriod {
  readonly tenantId: string;
  readonly environment: Environment;
  /** Its first day, `YYYY-MM-DD`; for a subscription its start, to the millisecond. */
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

/**
 * Adds new documents of several accounts, in the transaction that stores them.
 *
 * @param added each count once.
 * @returns the new counts, in the same order.
 */
export async function addAllDocuments(
  tables: Tables,
  added: readonly (UsagePeriod & { readonly count: number })[],
): Promise<readonly number[]> {
  const rows = added.map(({ tenantId, environment, period, count }) => ({
    tenant_id: tenantId,
    environment,
    period,
    document_count: count,
  }));
  const counts = await tables
    .insertInto('document_usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'environment', 'period']).doUpdateSet(({ ref }) => ({
        document_count: sql`${ref('document_usage.document_count')} + ${ref('excluded.document_count')}`,
      })),
    )
    .returning(['tenant_id', 'environment', 'period', 'document_count'])
    .execute();
  const byName = new Map(counts.map((row) => [`${row.tenant_id} ${row.environment} ${row.period}`, row]));
  return rows.map((row) => {
    const stored = byName.get(`${row.tenant_id} ${row.environment} ${row.period}`);
    if (!stored) throw new Error('A count was not stored.');
    return stored.document_count;
  });
}

/**
 * Adds new documents of an active issuer whose owner is unchanged since it was read. So the owner need not be read
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

/** The accounts of issuers, by issuer, with the state that new documents depend on. */
export async function findIssuerOwners(
  tables: Tables,
  issuerIds: readonly string[],
): Promise<ReadonlyMap<string, IssuerOwner>> {
  const { rows } = await sql<IssuerOwner & { readonly issuer_id: string }>`select issuers.id as issuer_id,
      tenants.id, tenants.subscription_tier, tenants.language, issuers.active, issuers.can_issue,
      subscriptions.anchor, subscriptions.current_period_start, subscriptions.billing_interval
    from ${ISSUER_WITH_OWNER}
    where ${expressionBuilder<{ issuers: { id: string } }, 'issuers'>()('issuers.id', 'in', issuerIds)}`.execute(
    tables,
  );
  return new Map(rows.map(({ issuer_id, ...owner }) => [issuer_id, owner]));
}

// --- internal ---

const ISSUER_WITH_OWNER = sql`issuers
  join tenants on tenants.id = issuers.tenant_id
  left join subscriptions on subscriptions.tenant_id = tenants.id and subscriptions.status = 'ACTIVE'`;

const ADDING_DOCUMENTS = sql`on conflict (tenant_id, environment, period)
  do update set document_count = document_usage.document_count + excluded.document_count
  returning document_count`;
