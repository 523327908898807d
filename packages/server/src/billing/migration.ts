import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from 'sri-storage-adapters';

/** Subscriptions, payments and proofs of payment of accounts. */
export function billingTables({
  columns: { uuid, text, integer, bigint },
  rowTable,
}: DialectTraits): RawBuilder<unknown>[] {
  return [
    sql`create table subscriptions (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      tier ${text} not null,
      billing_interval ${text} not null,
      status ${text} not null,
      anchor ${bigint},
      current_period_start ${bigint},
      current_period_end ${bigint},
      pending_tier ${text},
      pending_billing_interval ${text},
      pending_extra_seats ${integer},
      pending_at ${bigint},
      pending_is_paid ${integer} not null,
      extra_seats ${integer} not null,
      warned_for ${bigint},
      next_step_at ${bigint},
      created_at ${bigint} not null,
      canceled_at ${bigint},
      updated_at ${bigint} not null
    ) ${rowTable}`,
    sql`create index subscriptions_tenant on subscriptions (tenant_id, created_at, id)`,
    sql`create index subscriptions_next_step on subscriptions (next_step_at, id)`,
    // An account never pays for two subscriptions at one time.
    sql`create unique index subscriptions_under_way on subscriptions (tenant_id)
      where status in ('ACTIVE', 'PENDING_PAYMENT')`,
    sql`create table payments (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      subscription_id ${uuid} not null references subscriptions (id),
      purpose ${text} not null,
      status ${text} not null,
      payment_code ${text} not null unique,
      amount ${text} not null,
      iva_rate ${text} not null,
      iva_amount ${text} not null,
      total_amount ${text} not null,
      target_tier ${text} not null,
      target_billing_interval ${text} not null,
      target_extra_seats ${integer} not null,
      rejection_reason ${text},
      due_at ${bigint} not null,
      reported_at ${bigint},
      verified_at ${bigint},
      created_at ${bigint} not null,
      state_before ${text},
      updated_at ${bigint} not null,
      period_start ${bigint},
      period_end ${bigint}
    ) ${rowTable}`,
    sql`create index payments_tenant on payments (tenant_id, created_at, id)`,
    sql`create index payments_status on payments (status, created_at, id)`,
    sql`create table payment_proofs (
      id ${uuid} primary key,
      tenant_id ${uuid} not null references tenants (id),
      payment_id ${uuid} not null references payments (id),
      filename ${text} not null,
      mime_type ${text} not null,
      reference_number ${text} not null,
      size_bytes ${integer} not null,
      sha256 ${text} not null,
      content ${text} not null,
      active ${integer} not null,
      created_at ${bigint} not null
    ) ${rowTable}`,
    sql`create index payment_proofs_payment on payment_proofs (payment_id, created_at, id)`,
  ];
}
