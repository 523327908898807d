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

/** New documents of an issuer, with its owner as read before. */
export interface AddedDocuments extends Pick<UsagePeriod, 'environment' | 'period'> {
  readonly issuerId: string;
  readonly owner: IssuerOwner;
  readonly count: number;
}

/** The count of an account, with the documents that were added. */
export interface NewCount extends Pick<UsagePeriod, 'tenantId' | 'environment'> {
  readonly total: number;
}

/**
 * Adds new documents of active issuers whose owners are unchanged since they were read, in the transaction that stores
 * them. So owners need not be read first. Concurrent creates of the accounts wait until this transaction ends.
 *
 * @returns the new counts, one for issuers of one account; null, with nothing added, when any of that has changed.
 */
export async function addDocuments(
  tables: Tables,
  added: readonly AddedDocuments[],
): Promise<readonly NewCount[] | null> {
  // An object of objects, because both databases read it by one function.
  const given = Object.fromEntries(
    added.map(({ issuerId, owner, environment, period, count }, index) => [
      index,
      { issuer: issuerId, ...owner, environment, period, count },
    ]),
  );
  const { rows } = await sql<NewCount>`
    with given as (select value from json_each(${JSON.stringify(given)})),
      unchanged as materialized (
        select tenants.id as tenant_id, value ->> 'environment' as environment, value ->> 'period' as period,
          cast(value ->> 'count' as bigint) as added
        from given join issuers on issuers.id = value ->> 'issuer' ${WITH_OWNER}
        where issuers.active = 1 and issuers.can_issue = 1 and cast(tenants.id as text) = value ->> 'id'
          and tenants.subscription_tier = value ->> 'subscription_tier' and tenants.language = value ->> 'language'
          and subscriptions.anchor is not distinct from cast(value ->> 'anchor' as bigint)
          and subscriptions.current_period_start is not distinct from cast(value ->> 'current_period_start' as bigint)
          and subscriptions.current_period_end is not distinct from cast(value ->> 'current_period_end' as bigint)
          and subscriptions.billing_interval is not distinct from value ->> 'billing_interval')
    insert into document_usage (tenant_id, environment, period, document_count)
    select tenant_id, environment, period, cast(sum(added) as bigint) from unchanged
    where (select count(1) from unchanged) = ${added.length}
    group by tenant_id, environment, period order by tenant_id, environment, period
    on conflict (tenant_id, environment, period)
    do update set document_count = document_usage.document_count + excluded.document_count
    returning tenant_id as "tenantId", environment, document_count as total`.execute(tables);
  return rows.length > 0 ? rows : null;
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
  readonly current_period_end: number | null;
  readonly billing_interval: string | null;
}

/** The accounts of issuers, by issuer, with the state that new documents depend on. */
export async function findIssuerOwners(
  tables: Tables,
  issuerIds: readonly string[],
): Promise<ReadonlyMap<string, IssuerOwner>> {
  const { rows } = await sql<IssuerOwner & { readonly issuer_id: string }>`select issuers.id as issuer_id,
      tenants.id, tenants.subscription_tier, tenants.language, issuers.active, issuers.can_issue,
      subscriptions.anchor, subscriptions.current_period_start, subscriptions.current_period_end,
      subscriptions.billing_interval
    from issuers ${WITH_OWNER}
    where ${expressionBuilder<{ issuers: { id: string } }, 'issuers'>()('issuers.id', 'in', issuerIds)}`.execute(
    tables,
  );
  return new Map(rows.map(({ issuer_id, ...owner }) => [issuer_id, owner]));
}

// --- internal ---

const WITH_OWNER = sql`join tenants on tenants.id = issuers.tenant_id
  left join subscriptions on subscriptions.tenant_id = tenants.id and subscriptions.status = 'ACTIVE'`;
