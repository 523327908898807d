import { sql } from 'kysely';
import { BILLING_INTERVALS, PAYMENT_STATUSES, SUBSCRIPTION_STATUSES } from '../../billing/account.js';
import { decidedBy, type Invariant, phrase } from './invariant.js';

/** An account has one running subscription, one open payment per purpose, and the tier it has paid for. */
export const BILLING_INVARIANTS: readonly Invariant[] = [
  decidedBy(
    'billing-states-are-known',
    sql`select ${phrase('subscription ', sql`id`)} as object, ${phrase('it is ', sql`status`, ', ', sql`billing_interval`)} as explanation
      from subscriptions where status not in (${sql.join(SUBSCRIPTION_STATUSES)})
        or billing_interval not in (${sql.join(BILLING_INTERVALS)})
      union all
      select ${phrase('payment ', sql`id`)}, ${phrase('it is ', sql`status`)}
      from payments where status not in (${sql.join(PAYMENT_STATUSES)})`,
  ),
  decidedBy(
    'one-subscription-is-under-way',
    sql`select ${phrase('account ', sql`tenant_id`)} as object,
        ${phrase('it has ', sql`count(*)`, ' subscriptions under way')} as explanation
      from subscriptions where status in ('ACTIVE', 'PENDING_PAYMENT') group by tenant_id having count(*) > 1`,
  ),
  decidedBy(
    'one-payment-of-a-purpose-is-open',
    sql`select ${phrase('subscription ', sql`subscription_id`)} as object,
        ${phrase(sql`count(*)`, ' payments are open for ', sql`purpose`)} as explanation
      from payments where status in ('PENDING', 'REPORTED', 'REJECTED')
      group by subscription_id, purpose having count(*) > 1`,
  ),
  decidedBy(
    'tier-is-that-of-the-subscription',
    sql`select ${phrase('account ', sql`tenants.id`)} as object,
        ${phrase('its tier is ', sql`subscription_tier`, ', and it subscribes to ', sql`tier`)} as explanation
      from tenants join subscriptions on tenant_id = tenants.id
      where subscriptions.status = 'ACTIVE' and tier <> subscription_tier`,
  ),
  decidedBy(
    'active-subscription-was-paid',
    sql`select ${phrase('subscription ', sql`id`)} as object, 'it is ACTIVE, and no payment of it was verified' as explanation
      from subscriptions where status = 'ACTIVE' and not exists (
        select 1 from payments where subscription_id = subscriptions.id and status = 'VERIFIED')`,
  ),
  decidedBy(
    'active-subscription-has-its-period',
    sql`select ${phrase('subscription ', sql`id`)} as object, 'it is ACTIVE without a period, or with one that ends before it begins' as explanation
      from subscriptions where status = 'ACTIVE' and (anchor is null or current_period_start is null
        or current_period_end is null or next_step_at is null or current_period_end <= current_period_start)`,
  ),
  decidedBy(
    'applied-payment-remembers-what-was-before',
    sql`select ${phrase('payment ', sql`id`)} as object, ${phrase('it is ', sql`status`, ', and a refund of it could bring nothing back')} as explanation
      from payments where status = 'VERIFIED' and (state_before is null or verified_at is null)`,
  ),
  decidedBy(
    'payment-adds-up',
    sql`select ${phrase('payment ', sql`id`)} as object, 'amount and IVA do not make its total' as explanation
      from payments
      where cast(replace(total_amount, '.', '') as integer) <>
        cast(replace(amount, '.', '') as integer) + cast(replace(iva_amount, '.', '') as integer)`,
  ),
];
