import type { Environment } from 'sri-core';
import type { Tables } from './schema.js';

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
  const row = await tables
    .insertInto('document_usage')
    .values({ tenant_id: of.tenantId, environment: of.environment, period: of.period, document_count: count })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'environment', 'period'])
        .doUpdateSet((set) => ({ document_count: set('document_usage.document_count', '+', count) })),
    )
    .returning('document_count')
    .executeTakeFirstOrThrow();
  return row.document_count;
}
