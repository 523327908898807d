import type { ServerDatabase, Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { type AuditEntry, insertAuditEntry } from './audit-rows.js';
import type { Operator } from './operator.js';

/** An action and its target. */
export interface AuditedAction {
  readonly action: string;
  readonly targetType: 'tenant' | 'payment' | 'subscription' | 'agreement' | 'price' | 'job' | 'server';
  readonly targetId: string | null;
  /** Describes the target without secrets, before and after. Locks the rows that could change in between. */
  readonly describe?: (tables: Tables) => Promise<AuditEntry['before']>;
  /** Further details. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * A database whose transactions also record the operator's action: both commit, or neither. A refused action leaves no
 * entry.
 */
export function auditing(deps: WriteDeps, operator: Operator, action: AuditedAction): ServerDatabase {
  const { database } = deps;
  async function audited<T>(tables: Tables, work: (tables: Tables) => Promise<T>): Promise<T> {
    const before = (await action.describe?.(tables)) ?? null;
    const result = await work(tables);
    const after = (await action.describe?.(tables)) ?? null;
    await record(deps, tables, operator, { ...action, before, after: withDetail(after, action.detail) });
    return result;
  }
  return {
    ...database,
    transaction: (work) => database.transaction((tables) => audited(tables, work)),
    changeDocument: (change, also) => database.changeDocument(change, (tables) => audited(tables, also)),
  };
}

/** Records an action separately, when the action has its own transactions. */
export function recordAction(deps: WriteDeps, operator: Operator, action: AuditedAction): Promise<void> {
  return auditing(deps, operator, action).transaction(async () => {});
}

// --- internal ---

async function record(
  { clock, newId }: WriteDeps,
  tables: Tables,
  { actor, channel }: Operator,
  what: Pick<AuditEntry, 'action' | 'targetType' | 'targetId' | 'before' | 'after'>,
): Promise<void> {
  const now = clock.now();
  const { action, targetType, targetId, before, after } = what;
  const entry = { actor, channel, action, targetType, targetId, before, after };
  await insertAuditEntry(tables, { id: newId(now), createdAt: now, ...entry });
}

function withDetail(after: AuditEntry['after'], detail: AuditedAction['detail']): AuditEntry['after'] {
  return after === null && !detail ? null : { ...after, ...detail };
}
