import type { Tables } from '../platform/database/tables.js';
import { IllegalTransitionError, requireTransition } from '../platform/transitions.js';
import { type SuspensionReason, TENANT_TRANSITIONS, type TenantStatus } from './tenant.js';

/** A step of an account. */
export interface TenantStep {
  /** Where it stands, as the transaction that locked it knows. */
  readonly from: TenantStatus;
  readonly to: TenantStatus;
  /** Why it is suspended; null for every other step. */
  readonly reason?: SuspensionReason | null;
  /** When a recovery began to wait for its verification; null when none waits any more. Left out, it stays. */
  readonly recoveredAt?: Date | null;
  readonly now: Date;
}

/**
 * Takes an account from one status to another: every change of it, at registration apart, is made here. One that is
 * suspended remembers where it stood.
 *
 * @throws IllegalTransitionError when the table does not lead there, or the account does not stand at `from`.
 */
export async function changeTenantStatus(
  tables: Tables,
  tenantId: string,
  { from, to, reason = null, recoveredAt, now }: TenantStep,
): Promise<void> {
  requireTransition(TENANT_TRANSITIONS, from, to);
  const { numUpdatedRows } = await tables
    .updateTable('tenants')
    .set({
      status: to,
      status_before_suspension: to === 'SUSPENDED' ? from : null,
      suspension_reason: reason,
      ...(recoveredAt === undefined ? {} : { recovered_at: recoveredAt?.getTime() ?? null }),
      updated_at: now.getTime(),
    })
    .where('id', '=', tenantId)
    .where('status', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new IllegalTransitionError(`The account does not stand at ${from}.`);
}

/** What happens to a suspended account meanwhile: where it goes back to changes. @throws IllegalTransitionError */
export async function changeStatusBeforeSuspension(
  tables: Tables,
  tenantId: string,
  { from, to, now }: Pick<TenantStep, 'from' | 'to' | 'now'>,
): Promise<void> {
  requireTransition(TENANT_TRANSITIONS, from, to);
  const { numUpdatedRows } = await tables
    .updateTable('tenants')
    .set({ status_before_suspension: to, updated_at: now.getTime() })
    .where('id', '=', tenantId)
    .where('status', '=', 'SUSPENDED')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new IllegalTransitionError('The account is not suspended.');
}

/** Where a suspended account goes back to. One of before its place was remembered goes back to being active. */
export async function statusBeforeSuspension(tables: Tables, tenantId: string): Promise<TenantStatus> {
  const row = await tables
    .selectFrom('tenants')
    .select('status_before_suspension')
    .where('id', '=', tenantId)
    .executeTakeFirst();
  return (row?.status_before_suspension ?? 'ACTIVE') as TenantStatus;
}
