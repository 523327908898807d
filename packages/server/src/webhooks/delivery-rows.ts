import { sql } from 'kysely';
import type { TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { requireTransition, statusesBefore } from '../platform/transitions.js';
import { type ClaimedDelivery, DELIVERY_TRANSITIONS, type DeliveryStatus, type WebhookDelivery } from './delivery.js';

/** A message for some endpoints of an account. */
export interface NewMessage {
  readonly id: string;
  readonly tenantId: string;
  /** Null for a test. */
  readonly notificationId: string | null;
  readonly event: string;
  /** JSON text, exactly as sent. */
  readonly data: string;
  /** The target endpoints, each with its delivery id. */
  readonly deliveries: readonly { readonly id: string; readonly endpointId: string }[];
  readonly now: Date;
}

/** Queues messages, in the transaction of their cause. Their first attempts are due at once. */
export async function insertMessages(tables: Tables, messages: readonly NewMessage[]): Promise<void> {
  const rows = messages.map(({ id, tenantId, notificationId, event, data, now }) => {
    const event_at = Math.floor(now.getTime() / 1000);
    return { id, tenant_id: tenantId, notification_id: notificationId, event, event_at, data };
  });
  for (const part of inParts(rows)) await tables.insertInto('webhook_messages').values(part).execute();
  const deliveries = messages.flatMap((message) =>
    message.deliveries.map(({ id, endpointId }) => {
      const at = message.now.getTime();
      return {
        id,
        tenant_id: message.tenantId,
        endpoint_id: endpointId,
        message_id: message.id,
        status: 'PENDING',
        attempt_count: 0,
        due_at: at,
        lease_until: 0,
        lease_token: 0,
        created_at: at,
      };
    }),
  );
  for (const part of inParts(deliveries)) await tables.insertInto('webhook_deliveries').values(part).execute();
}

/**
 * Endpoints with due deliveries. Skips from one endpoint with pending deliveries to the next, so that a long queue
 * costs nothing.
 */
export async function listDueEndpoints(tables: Tables, now: Date): Promise<readonly string[]> {
  const at = now.getTime();
  const { rows } = await sql<{ id: string }>`
    with recursive waiting (id) as (
      select * from
        (select endpoint_id from webhook_deliveries where status = 'PENDING' order by endpoint_id limit 1) as first_one
      union all
      select (select endpoint_id from webhook_deliveries
        where status = 'PENDING' and endpoint_id > waiting.id order by endpoint_id limit 1)
      from waiting where waiting.id is not null
    )
    select id from waiting where id is not null and exists (
      select 1 from webhook_deliveries
      where status = 'PENDING' and endpoint_id = waiting.id and due_at <= ${at} and lease_until <= ${at}
    )`.execute(tables);
  return rows.map(({ id }) => id);
}

/** The number of deliveries to claim for an endpoint. */
export interface DeliveryWish {
  readonly endpointId: string;
  readonly limit: number;
}

/** Claims the longest due deliveries of some endpoints. Two workers never hold the same delivery. */
export async function claimDeliveries(
  tables: Tables,
  wishes: readonly DeliveryWish[],
  { now, leaseMs }: { readonly now: Date; readonly leaseMs: number },
): Promise<readonly ClaimedDelivery[]> {
  if (wishes.length === 0) return [];
  const at = now.getTime();
  // The status is a literal: SQLite uses a partial index only if the statement contains its condition.
  const picked = wishes.map(
    ({ endpointId, limit }) => sql`select id from (
      select id from webhook_deliveries
      where endpoint_id = ${endpointId} and status = 'PENDING' and due_at <= ${at} and lease_until <= ${at}
      order by due_at, id limit ${limit}
    ) as longest_due`,
  );
  const claimed = await tables
    .updateTable('webhook_deliveries')
    .set((set) => ({ lease_until: at + leaseMs, lease_token: set('lease_token', '+', 1) }))
    .where('id', 'in', sql<string>`(${sql.join(picked, sql` union all `)})`)
    // A faster worker has moved the lease.
    .where('status', '=', 'PENDING')
    .where('lease_until', '<=', at)
    .returning(['id', 'endpoint_id', 'lease_token', 'attempt_count', 'message_id'])
    .execute();
  if (claimed.length === 0) return [];
  const messages = await tables
    .selectFrom('webhook_messages')
    .selectAll()
    .where('id', 'in', [...new Set(claimed.map(({ message_id }) => message_id))])
    .execute();
  const byId = new Map(messages.map((message) => [message.id, message]));
  return claimed.flatMap((row) => {
    const message = byId.get(row.message_id);
    if (!message) return [];
    return {
      id: row.id,
      tenantId: message.tenant_id,
      endpointId: row.endpoint_id,
      leaseToken: row.lease_token,
      attemptCount: row.attempt_count,
      event: message.event,
      eventAt: message.event_at,
      data: message.data,
    };
  });
}

/** The result of an attempt, and the time of the next one; null for none. */
export interface AttemptRecord {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly status: DeliveryStatus;
  readonly dueAt: Date | null;
  readonly now: Date;
}

/** Stores the same result for some deliveries. @returns the ids of those that no other worker has taken since. */
export async function recordAttempts(
  tables: Tables,
  deliveries: readonly Pick<ClaimedDelivery, 'id' | 'leaseToken'>[],
  { statusCode, error, status, dueAt, now }: AttemptRecord,
): Promise<ReadonlySet<string>> {
  requireTransition(DELIVERY_TRANSITIONS, 'PENDING', status);
  const rows = await tables
    .updateTable('webhook_deliveries')
    .set((set) => ({
      status,
      attempt_count: set('attempt_count', '+', 1),
      lease_until: 0,
      last_status: statusCode,
      last_error: error,
      ...(dueAt ? { due_at: dueAt.getTime() } : {}),
      ...(status === 'DELIVERED' ? { delivered_at: now.getTime() } : {}),
    }))
    .where((expression) =>
      expression.or(
        deliveries.map(({ id, leaseToken }) =>
          expression.and([expression('id', '=', id), expression('lease_token', '=', leaseToken)]),
        ),
      ),
    )
    .where('status', '=', 'PENDING')
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Releases a delivery, due and with no attempt used; unless another worker has taken it since. */
export async function releaseDelivery(
  tables: Tables,
  { id, leaseToken }: Pick<ClaimedDelivery, 'id' | 'leaseToken'>,
): Promise<void> {
  await tables
    .updateTable('webhook_deliveries')
    .set({ lease_until: 0 })
    .where('id', '=', id)
    .where('lease_token', '=', leaseToken)
    .execute();
}

/** Abandons the pending deliveries of an endpoint. */
export async function abandonDeliveries(tables: Tables, endpointId: string, error: string): Promise<void> {
  requireTransition(DELIVERY_TRANSITIONS, 'PENDING', 'FAILED');
  await tables
    .updateTable('webhook_deliveries')
    .set({ status: 'FAILED', last_error: error, lease_until: 0 })
    .where('endpoint_id', '=', endpointId)
    // A literal, so that SQLite uses the index of pending deliveries.
    .where(sql<boolean>`status = 'PENDING'`)
    .execute();
}

/** Makes a delivery due at once and restarts its attempts. @returns null when the endpoint has no such delivery. */
export async function requeueDelivery(
  tables: Tables,
  { endpointId, id, now }: { readonly endpointId: string; readonly id: string; readonly now: Date },
): Promise<WebhookDelivery | null> {
  const result = await tables
    .updateTable('webhook_deliveries')
    .set((set) => ({
      status: 'PENDING',
      attempt_count: 0,
      due_at: now.getTime(),
      lease_until: 0,
      // Invalidates the result of a worker that still holds it.
      lease_token: set('lease_token', '+', 1),
      delivered_at: null,
    }))
    .where('id', '=', id)
    .where('endpoint_id', '=', endpointId)
    .where('status', 'in', statusesBefore(DELIVERY_TRANSITIONS, 'PENDING'))
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return null;
  const [delivery] = await selectDeliveries(tables).where('webhook_deliveries.id', '=', id).execute();
  return delivery ? toDelivery(delivery) : null;
}

/** One page of an endpoint's deliveries, newest first, and the total. */
export async function listDeliveries(
  tables: Tables,
  context: TenantContext,
  wanted: {
    readonly endpointId: string;
    readonly status: DeliveryStatus | null;
    readonly page: number;
    readonly limit: number;
  },
): Promise<{ readonly deliveries: readonly WebhookDelivery[]; readonly total: number }> {
  const { endpointId, status, page, limit } = wanted;
  let query = selectDeliveries(tables)
    .where('webhook_deliveries.endpoint_id', '=', endpointId)
    .where('webhook_deliveries.tenant_id', '=', context.tenant.id);
  let counted = tables
    .selectFrom('webhook_deliveries')
    .select((expression) => expression.fn.countAll<number | string>().as('total'))
    .where('endpoint_id', '=', endpointId)
    .where('tenant_id', '=', context.tenant.id);
  if (status) {
    query = query.where('webhook_deliveries.status', '=', status);
    counted = counted.where('status', '=', status);
  }
  const { total } = await counted.executeTakeFirstOrThrow();
  const rows = await query
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { deliveries: rows.map(toDelivery), total: Number(total) };
}

// --- internal ---

/** Rows per statement, far below the parameter limit of every database. */
const MOST_ROWS = 500;

function inParts<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / MOST_ROWS) }, (_, part) =>
    rows.slice(part * MOST_ROWS, (part + 1) * MOST_ROWS),
  );
}

function selectDeliveries(tables: Tables) {
  return tables
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_messages', 'webhook_messages.id', 'webhook_deliveries.message_id')
    .select([
      'webhook_deliveries.id',
      'webhook_messages.event',
      'webhook_messages.notification_id',
      'webhook_deliveries.status',
      'webhook_deliveries.attempt_count',
      'webhook_deliveries.due_at',
      'webhook_deliveries.last_status',
      'webhook_deliveries.last_error',
      'webhook_deliveries.created_at',
      'webhook_deliveries.delivered_at',
    ]);
}

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number];

function toDelivery(row: DeliveryRow): WebhookDelivery {
  const status = row.status as DeliveryStatus;
  return {
    id: row.id,
    event: row.event,
    notificationId: row.notification_id,
    status,
    attemptCount: row.attempt_count,
    nextAttemptAt: status === 'PENDING' ? new Date(row.due_at) : null,
    lastStatusCode: row.last_status,
    lastError: row.last_error,
    createdAt: new Date(row.created_at),
    deliveredAt: row.delivered_at === null ? null : new Date(row.delivered_at),
  };
}
