import type { TenantContext } from '../tenancy/tenant.js';
import type { Tables } from './schema.js';

/** Something that happened to an account. */
export interface TenantEvent {
  /** UUIDv7. */
  readonly id: string;
  readonly eventType: string;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
}

/** Adds to an account's history, in the transaction of what happened. */
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

/** The history of an account, oldest first. */
export async function listTenantEvents(tables: Tables, context: TenantContext): Promise<readonly TenantEvent[]> {
  const rows = await tables
    .selectFrom('tenant_events')
    .selectAll()
    .where('tenant_id', '=', context.tenant.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    eventType: row.event_type,
    detail: row.detail === null ? null : JSON.parse(row.detail),
    createdAt: new Date(row.created_at),
  }));
}
