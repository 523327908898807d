import type { Environment } from 'sri-core';
import { changeStatusBeforeSuspension, changeTenantStatus, type Tier } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { IllegalTransitionError } from '../platform/transitions.js';
import type { BillingAccount, SubscriptionStatus } from './account.js';
import { type ActiveSubscription, isActive } from './active-subscription.js';
import { toPayment, toPaymentRow, toSubscription, toSubscriptionRow } from './billing-row.js';

/** An account with all its subscriptions and payments, or null. */
export async function readBilling(tables: Tables, tenantId: string): Promise<BillingAccount | null> {
  const tenant = await tables
    .selectFrom('tenants')
    .select(['subscription_tier', 'status', 'status_before_suspension', 'environment'])
    .where('id', '=', tenantId)
    .executeTakeFirst();
  if (!tenant) return null;
  const subscriptions = await tables
    .selectFrom('subscriptions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const payments = await selectPayments(tables)
    .where('payments.tenant_id', '=', tenantId)
    .orderBy('payments.created_at')
    .orderBy('payments.id')
    .execute();
  const isSuspended = tenant.status === 'SUSPENDED';
  return {
    tenantId,
    tier: tenant.subscription_tier as Tier,
    status: (isSuspended ? tenant.status_before_suspension : tenant.status) as BillingAccount['status'],
    isSuspended,
    environment: tenant.environment as Environment,
    subscriptions: subscriptions.map(toSubscription),
    payments: payments.map(toPayment),
  };
}

/** Payments, each with the document that is its invoice. */
export function selectPayments(tables: Tables) {
  return tables
    .selectFrom('payments')
    .leftJoin('invoice_links', 'invoice_links.payment_id', 'payments.id')
    .leftJoin('sri_access_keys', 'sri_access_keys.access_key', 'invoice_links.access_key')
    .selectAll('payments')
    .select('sri_access_keys.document_id as invoice_document_id');
}

/** The active subscription of an account, or null. */
export async function findActiveSubscription(tables: Tables, tenantId: string): Promise<ActiveSubscription | null> {
  const row = await tables
    .selectFrom('subscriptions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst();
  const subscription = row && toSubscription(row);
  return subscription && isActive(subscription) ? subscription : null;
}

/** The status of the subscription that changed last; null without any. */
export async function lastSubscriptionStatus(tables: Tables, tenantId: string): Promise<SubscriptionStatus | null> {
  const row = await tables
    .selectFrom('subscriptions')
    .select('status')
    .where('tenant_id', '=', tenantId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? (row.status as SubscriptionStatus) : null;
}

/** Two states of an account, and the next time-driven change of each subscription. */
export interface BillingChange {
  readonly before: BillingAccount;
  readonly after: BillingAccount;
  readonly nextStepAt: (subscriptionId: string) => Date | null;
  readonly now: Date;
}

/** Stores the differences between two states of an account, in the transaction that locked it. */
export async function saveBilling(tables: Tables, { before, after, nextStepAt, now }: BillingChange): Promise<void> {
  const { tenantId } = after;
  if (before.tier !== after.tier) {
    await tables
      .updateTable('tenants')
      .set({ subscription_tier: after.tier, updated_at: now.getTime() })
      .where('id', '=', tenantId)
      .execute();
  }
  if (before.status !== after.status) {
    const step = { from: before.status, to: after.status, now };
    await (after.isSuspended ? changeStatusBeforeSuspension : changeTenantStatus)(tables, tenantId, step);
  }
  const known = new Map(before.subscriptions.map((each) => [each.id, each]));
  for (const subscription of after.subscriptions) {
    // Payments also affect the next change of an active subscription.
    if (known.get(subscription.id) === subscription && subscription.status !== 'ACTIVE') continue;
    const row = toSubscriptionRow(tenantId, subscription, nextStepAt(subscription.id));
    const stored = known.get(subscription.id);
    if (stored) {
      // For a statement that sets an id, SQLite reads all payments for references to the former id.
      const { id, ...changed } = row;
      const { numUpdatedRows } = await tables
        .updateTable('subscriptions')
        .set(changed)
        .where('id', '=', id)
        .where('tenant_id', '=', tenantId)
        .where('status', '=', stored.status)
        .executeTakeFirst();
      requireStill(numUpdatedRows, stored.status);
    } else await tables.insertInto('subscriptions').values(row).execute();
  }
  const paid = new Map(before.payments.map((each) => [each.id, each]));
  for (const payment of after.payments) {
    if (paid.get(payment.id) === payment) continue;
    const row = toPaymentRow(tenantId, payment);
    const stored = paid.get(payment.id);
    if (stored) {
      const { numUpdatedRows } = await tables
        .updateTable('payments')
        .set(row)
        .where('id', '=', row.id)
        .where('tenant_id', '=', tenantId)
        .where('status', '=', stored.status)
        .executeTakeFirst();
      requireStill(numUpdatedRows, stored.status);
    } else await tables.insertInto('payments').values(row).execute();
  }
}

/** Accounts with a due time-driven change, longest waiting first, each once. */
export async function listDueAccounts(
  tables: Tables,
  { now, limit, except }: { readonly now: Date; readonly limit: number; readonly except: readonly string[] },
): Promise<readonly string[]> {
  let query = tables
    .selectFrom('subscriptions')
    .select('tenant_id')
    .where('next_step_at', '<=', now.getTime())
    .orderBy('next_step_at')
    .orderBy('id')
    .limit(limit);
  if (except.length > 0) query = query.where('tenant_id', 'not in', [...except]);
  const rows = await query.execute();
  return [...new Set(rows.map((row) => row.tenant_id))];
}

// --- internal ---

/** The account's lock protects its rows, so a failure here means that the caller did not lock it. */
function requireStill(updated: bigint, status: string): void {
  if (updated !== 1n) throw new IllegalTransitionError(`A row of billing does not stand at ${status} any more.`);
}
