import type { Tables } from '../platform/database/tables.js';
import { IllegalTransitionError, requireTransition } from '../platform/transitions.js';
import { type SuspensionReason, TENANT_TRANSITIONS, type TenantStatus } from './tenant.js';

/** A change of an account's status. */
export interface TenantStep {
  /** The current status, read by the transaction that locked the account. */
  readonly from: TenantStatus;
  readonly to: TenantStatus;
  /** The reason of the suspension; null for every other step. */
  readonly reason?: SuspensionReason | null;
  /** The time of a recovery that waits for its verification; null when none waits. Omitted: unchanged. */
  readonly recoveredAt?: Date | null;
  readonly now: Date;
}

/**
 * Changes the status of an account. Every change is made here, except at registration. A suspended account stores its
 * former status.
 *
 * @throws IllegalTransitionError when the table has no such transition, or the account is not in `from`.
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

/** Changes the status to which a suspended account returns. @throws IllegalTransitionError */
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

/** The status to which a suspended account returns. */
export async function statusBeforeSuspension(tables: Tables, tenantId: string): Promise<TenantStatus> {
  const row = await tables
    .selectFrom('tenants')
    .select('status_before_suspension')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return row.status_before_suspension as TenantStatus;
}
