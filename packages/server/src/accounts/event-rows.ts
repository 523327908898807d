import type { Tables } from '../platform/database/tables.js';
import type { TenantContext } from './tenant.js';

/** An event in the history of an account. */
export interface TenantEvent {
  /** UUIDv7. */
  readonly id: string;
  readonly eventType: string;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
}

/** Adds an event to the history of an account, in the transaction of the change. */
export async function insertTenantEvent(tables: Tables, tenantId: string, event: TenantEvent): Promise<void> {
  await tables
    .insertInto('tenant_events')
    .values({
      id: event.id,
      tenant_id: tenantId,
      event_type: event.eventType,
      detail: event.detail === null ? null : JSON.stringify(event.detail),
      created_at: event.createdAt.getTime(),
    })
    .execute();
}

/**
 * A page of the history of an account, oldest first.
 *
 * @param part.after returns only events after this one; null for the first page.
 */
export async function listTenantEvents(
  tables: Tables,
  context: TenantContext,
  { after, limit }: { readonly after: TenantEvent | null; readonly limit: number },
): Promise<readonly TenantEvent[]> {
  let query = tables.selectFrom('tenant_events').selectAll().where('tenant_id', '=', context.tenant.id);
  if (after) {
    const at = after.createdAt.getTime();
    query = query
      .where('created_at', '>=', at)
      .where(({ eb, or }) => or([eb('created_at', '>', at), eb('id', '>', after.id)]));
  }
  const rows = await query.orderBy('created_at').orderBy('id').limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    eventType: row.event_type,
    detail: row.detail === null ? null : JSON.parse(row.detail),
    createdAt: new Date(row.created_at),
  }));
}
