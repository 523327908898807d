import type { Selectable } from 'kysely';
import { readPage, type WantedPage } from '../platform/database/page.js';
import type { Tables } from '../platform/database/tables.js';
import type { AdminAuditTable } from './tables.js';

/** An action of the operator. It is written once and never changed. */
export interface AuditEntry {
  /** UUIDv7. */
  readonly id: string;
  /** The actor: the label of a token, or an account of the machine. */
  readonly actor: string;
  readonly channel: 'HTTP' | 'CLI';
  /** The action, such as `tenant.suspend`. */
  readonly action: string;
  readonly targetType: string;
  /** Null for the whole server. */
  readonly targetId: string | null;
  /** The state of the target before, without secrets; null for a new target. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
}

/** Adds an entry to the record, in the transaction of the action. */
export async function insertAuditEntry(tables: Tables, entry: AuditEntry): Promise<void> {
  await tables
    .insertInto('admin_audit')
    .values({
      id: entry.id,
      actor: entry.actor,
      channel: entry.channel,
      action: entry.action,
      target_type: entry.targetType,
      target_id: entry.targetId,
      state_before: toText(entry.before),
      state_after: toText(entry.after),
      created_at: entry.createdAt.getTime(),
    })
    .execute();
}

/** The filter of the record; null for any. */
export interface AuditFilter extends WantedPage {
  readonly targetId: string | null;
  readonly action: string | null;
}

/** One page of the record, newest first, and the total. */
export async function listAuditEntries(
  tables: Tables,
  { targetId, action, ...wanted }: AuditFilter,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly total: number }> {
  let query = tables.selectFrom('admin_audit');
  if (targetId !== null) query = query.where('target_id', '=', targetId);
  if (action !== null) query = query.where('action', '=', action);
  const ordered = query.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  const { rows, total } = await readPage(ordered, wanted);
  return { entries: rows.map(toEntry), total };
}

// --- internal ---

function toText(state: AuditEntry['before']): string | null {
  return state === null ? null : JSON.stringify(state);
}

function toEntry(row: Selectable<AdminAuditTable>): AuditEntry {
  return {
    id: row.id,
    actor: row.actor,
    channel: row.channel as AuditEntry['channel'],
    action: row.action,
    targetType: row.target_type,
    targetId: row.target_id,
    before: row.state_before === null ? null : JSON.parse(row.state_before),
    after: row.state_after === null ? null : JSON.parse(row.state_after),
    createdAt: new Date(row.created_at),
  };
}
