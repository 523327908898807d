import { sql } from 'kysely';
import type { TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { requireTransition, statusesBefore } from '../platform/transitions.js';
import { type ClaimedDelivery, DELIVERY_TRANSITIONS, type DeliveryStatus, type WebhookDelivery } from './delivery.js';

/** A message for some of an account's endpoints. */
export interface NewMessage {
  readonly id: string;
  readonly tenantId: string;
  /** Null for a test. */
  readonly notificationId: string | null;
  readonly event: string;
  /** JSON text, exactly as it will be sent. */
  readonly data: string;
  /** Where it goes, each with the id of its delivery. */
  readonly deliveries: readonly { readonly id: string; readonly endpointId: string }[];
  readonly now: Date;
}

/** Puts messages on their way, in the transaction of what they tell. Their first attempts are due at once. */
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
 * Endpoints for which something is due. Goes from one endpoint with something waiting to the next, so that the crowd
 * before one of them costs nothing.
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

/** How many deliveries to an endpoint are wanted. */
export interface DeliveryWish {
  readonly endpointId: string;
  readonly limit: number;
}

/** Takes the deliveries to some endpoints that have been due longest. Two workers never hold the same. */
export async function claimDeliveries(
  tables: Tables,
  wishes: readonly DeliveryWish[],
  { now, leaseMs }: { readonly now: Date; readonly leaseMs: number },
): Promise<readonly ClaimedDelivery[]> {
  if (wishes.length === 0) return [];
  const at = now.getTime();
  // The status is written out: SQLite uses an index of some rows only where the statement itself names them.
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
    // Whoever was faster has moved the lease meanwhile.
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

/** What came of an attempt, and when the next one is due; null for none. */
export interface AttemptRecord {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly status: DeliveryStatus;
  readonly dueAt: Date | null;
  readonly now: Date;
}

/** Notes the same outcome for some deliveries. @returns the ids of those that no other worker has taken since. */
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

/**
 * Gives a delivery back as it was before it was taken, due and with no attempt used; unless another worker has taken it
 * since.
 */
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

/** Gives up what is on its way to an endpoint. */
export async function abandonDeliveries(tables: Tables, endpointId: string, error: string): Promise<void> {
  requireTransition(DELIVERY_TRANSITIONS, 'PENDING', 'FAILED');
  await tables
    .updateTable('webhook_deliveries')
    .set({ status: 'FAILED', last_error: error, lease_until: 0 })
    .where('endpoint_id', '=', endpointId)
    // Written out, so that SQLite finds them by the index of what is waiting.
    .where(sql<boolean>`status = 'PENDING'`)
    .execute();
}

/** Makes a delivery due at once, with its attempts before it. @returns null when the endpoint has none of that id. */
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
      // A worker that still holds it writes its record in vain.
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

/** One page of an endpoint's deliveries, newest first, and how many there are in all. */
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

/** Rows of one statement: what every database binds at once, many times over. */
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
