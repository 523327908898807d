import { deflateSync, inflateSync } from 'node:zlib';
import { type SqlBool, sql } from 'kysely';
import type { TenantContext } from '../accounts/index.js';
import { inParts } from '../platform/database/in-parts.js';
import type { Tables } from '../platform/database/tables.js';
import {
  changeJobs,
  isPending,
  type JobRow,
  NO_LEASE,
  ONE_ATTEMPT,
  restartJobs,
  settleJobs,
  toJobRow,
  toLease,
} from '../platform/jobs/job-rows.js';
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
  const rows = messages.map(({ id, tenantId, notificationId, data, now }) => {
    const event_at = Math.floor(now.getTime() / 1000);
    return { id, tenant_id: tenantId, notification_id: notificationId, event_at, data: deflateSync(data) };
  });
  for (const part of inParts(rows)) await tables.insertInto('webhook_messages').values(part).execute();
  const deliveries = messages.flatMap(({ id: message_id, deliveries, event: subject, tenantId, now }) =>
    deliveries.map(({ id, endpointId: lane }) => ({
      ...toJobRow({ id, kind: 'WEBHOOK', subject, lane, tenantId, now }),
      message_id,
    })),
  );
  for (const part of inParts(deliveries)) await tables.insertInto('jobs').values(part).execute();
}

/** The deliveries of claimed jobs, with their messages. */
export async function readClaimed(tables: Tables, rows: readonly JobRow[]): Promise<readonly ClaimedDelivery[]> {
  const ids = [...new Set(rows.flatMap(({ message_id }) => message_id ?? []))];
  if (ids.length === 0) return [];
  const messages = await tables.selectFrom('webhook_messages').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(messages.map((message) => [message.id, message]));
  return rows.flatMap((row) => {
    const message = byId.get(row.message_id ?? '');
    if (!message) return [];
    return {
      lease: toLease(row),
      id: row.id,
      tenantId: message.tenant_id,
      attemptCount: row.attempt_count,
      event: row.subject,
      eventAt: message.event_at,
      data: inflateSync(message.data).toString(),
    };
  });
}

/** The result of an attempt. */
export interface AttemptOutcome {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly status: DeliveryStatus;
  /** Milliseconds until the next attempt; null for none. */
  readonly delayMs: number | null;
}

/** Stores the same result for some deliveries. @returns the ids of deliveries that no other worker has taken since. */
export async function recordAttempts(
  tables: Tables,
  deliveries: readonly Pick<ClaimedDelivery, 'lease'>[],
  { statusCode, error, status, delayMs }: AttemptOutcome,
  now: Date,
): Promise<ReadonlySet<string>> {
  requireTransition(DELIVERY_TRANSITIONS, 'PENDING', status);
  const leases = deliveries.map(({ lease }) => lease);
  return settleJobs(tables, leases, {
    status,
    ...ONE_ATTEMPT,
    last_status: statusCode,
    last_error: error,
    ...(delayMs === null ? {} : { due_at: now.getTime() + delayMs }),
    ...(status === 'DELIVERED' ? { done_at: now.getTime() } : {}),
  });
}

/** Abandons the pending deliveries of an endpoint, also if a worker holds them. */
export async function abandonDeliveries(tables: Tables, endpointId: string, error: string): Promise<void> {
  const which = sql<SqlBool>`${isPending('WEBHOOK')} and lane = ${endpointId}`;
  await changeJobs(tables, which, { status: 'FAILED', last_error: error, ...NO_LEASE });
}

/** Makes a delivery due at once and restarts its attempts. @returns null when the endpoint has no such delivery. */
export async function requeueDelivery(
  tables: Tables,
  { endpointId, id, now }: { readonly endpointId: string; readonly id: string; readonly now: Date },
): Promise<WebhookDelivery | null> {
  const before = statusesBefore(DELIVERY_TRANSITIONS, 'PENDING');
  const which = sql<SqlBool>`id = ${id} and kind = 'WEBHOOK' and lane = ${endpointId}
    and status in (${sql.join(before)})`;
  const [restarted] = await restartJobs(tables, which, now, { attempt_count: 0, done_at: null });
  if (!restarted) return null;
  const row = await selectDeliveries(tables).where('jobs.id', '=', restarted).executeTakeFirst();
  return row ? toDelivery(row) : null;
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
  const ofEndpoint = sql<SqlBool>`jobs.kind = 'WEBHOOK' and jobs.lane =
    (select cast(id as text) from webhook_endpoints where id = ${endpointId} and tenant_id = ${context.tenant.id})`;
  const which = status ? sql<SqlBool>`${ofEndpoint} and jobs.status = ${status}` : ofEndpoint;
  // Both are read from the index alone: an endpoint keeps all its deliveries.
  const { total } = await tables
    .selectFrom('jobs')
    .select((expression) => expression.fn.countAll<number | string>().as('total'))
    .where(which)
    .executeTakeFirstOrThrow();
  const ids = tables
    .selectFrom('jobs')
    .select('jobs.id')
    .where(which)
    .orderBy('jobs.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit);
  const rows = await selectDeliveries(tables)
    .where('jobs.id', 'in', (expression) => expression.selectFrom(ids.as('listed')).select('listed.id'))
    .orderBy('jobs.id', 'desc')
    .execute();
  return { deliveries: rows.map(toDelivery), total: Number(total) };
}

// --- internal ---

function selectDeliveries(tables: Tables) {
  return tables
    .selectFrom('jobs')
    .innerJoin('webhook_messages', 'webhook_messages.id', 'jobs.message_id')
    .selectAll('jobs')
    .select('webhook_messages.notification_id');
}

function toDelivery(row: JobRow & { readonly notification_id: string | null }): WebhookDelivery {
  const status = row.status as DeliveryStatus;
  return {
    id: row.id,
    event: row.subject,
    notificationId: row.notification_id,
    status,
    attemptCount: row.attempt_count,
    nextAttemptAt: status === 'PENDING' ? new Date(row.due_at) : null,
    lastStatusCode: row.last_status,
    lastError: row.last_error,
    createdAt: new Date(row.created_at),
    deliveredAt: row.done_at === null ? null : new Date(row.done_at),
  };
}
