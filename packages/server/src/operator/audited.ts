import type { Clock } from 'sri-core';
import type { ServerDatabase, Tables } from '../platform/database/tables.js';
import { type AuditEntry, insertAuditEntry } from './audit-rows.js';
import type { Operator } from './operator.js';

/** What recording needs. */
export interface AuditParts {
  readonly database: ServerDatabase;
  readonly clock: Clock;
  readonly newId: (now: Date) => string;
}

/** What is being done, to what. */
export interface AuditedAction {
  readonly action: string;
  readonly targetType: 'tenant' | 'payment' | 'subscription' | 'agreement' | 'price' | 'job' | 'server';
  readonly targetId: string | null;
  /** How the target stands, without secrets; asked before and after. */
  readonly describe?: (tables: Tables) => Promise<AuditEntry['before']>;
  /** What else is to be known of it. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * The same database, on which every transaction also records what the operator does: both commit, or neither. What is
 * refused leaves no entry, since nothing was done.
 */
export function auditing(parts: AuditParts, operator: Operator, action: AuditedAction): ServerDatabase {
  const { database } = parts;
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (tables) => {
        const before = (await action.describe?.(tables)) ?? null;
        const result = await work(tables);
        const after = (await action.describe?.(tables)) ?? null;
        await record(parts, tables, operator, { ...action, before, after: withDetail(after, action.detail) });
        return result;
      }),
  };
}

/** Records what the operator does by itself: what follows has transactions of its own. */
export function recordAction(parts: AuditParts, operator: Operator, action: AuditedAction): Promise<void> {
  return auditing(parts, operator, action).transaction(async () => {});
}

// --- internal ---

async function record(
  { clock, newId }: AuditParts,
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
