import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Tables of the operator: the record, prices, and invoices for payments. */
export function operatorTables({
  columns: { uuid, text, bigint },
  rowTable,
  keyedTable,
  appendOnly,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table admin_audit (
      id ${uuid} primary key,
      actor ${text} not null,
      channel ${text} not null,
      action ${text} not null,
      target_type ${text} not null,
      target_id ${text},
      state_before ${text},
      state_after ${text},
      created_at ${bigint} not null
    ) ${rowTable}`,
    sql`create index admin_audit_target on admin_audit (target_id, id)`,
    ...appendOnly('admin_audit'),
    sql`create table published_prices (
      id ${uuid} primary key,
      tier ${text} not null,
      billing_interval ${text} not null,
      previous_price_usd ${text} not null,
      new_price_usd ${text} not null,
      effective_at ${bigint} not null,
      published_at ${bigint} not null,
      withdrawn_at ${bigint}
    ) ${rowTable}`,
    sql`create index published_prices_effect on published_prices (effective_at)`,
    // A row is an account that was notified of a price, so that each is notified once.
    sql`create table price_announcements (
      price_id ${uuid} not null references published_prices (id),
      tenant_id ${uuid} not null references tenants (id),
      announced_at ${bigint} not null,
      withdrawal_notified_at ${bigint},
      primary key (price_id, tenant_id)
    ) ${keyedTable}`,
    sql`create table invoice_links (
      payment_id ${uuid} primary key,
      subscription_id ${uuid} not null,
      tenant_id ${uuid} not null references tenants (id),
      access_key ${text} not null,
      linked_at ${bigint} not null
    ) ${keyedTable}`,
  ];
}
