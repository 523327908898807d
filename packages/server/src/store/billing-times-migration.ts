import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** When subscriptions and payments last changed, and which period a payment paid; of earlier payments that is unknown. */
export const billingTimes: Migration = {
  name: '025-billing-times',
  async up(transaction, { columns: { bigint } }: DialectTraits) {
    const statements = [
      sql`alter table subscriptions add column updated_at ${bigint} not null default 0`,
      sql`update subscriptions set updated_at = coalesce(canceled_at, current_period_start, created_at)`,
      sql`alter table payments add column updated_at ${bigint} not null default 0`,
      sql`alter table payments add column period_start ${bigint}`,
      sql`alter table payments add column period_end ${bigint}`,
      sql`update payments set updated_at = coalesce(verified_at, reported_at, created_at)`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
