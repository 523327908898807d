import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Environment } from 'sri-core';
import { FIRST_ID } from 'sri-storage-adapters';
import type { TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { packMetadata, unpackMetadata } from './metadata.js';
import type { Notification, Severity } from './notification.js';
import type { NotificationType } from './notification-types.js';
import type { Preference } from './preferences.js';
import type { NotificationsTable } from './tables.js';

/**
 * Locks an account's notifications until the transaction ends, so that their ids become visible in order.
 *
 * @returns the last id; `FIRST_ID` without one.
 */
export async function lockNotifications(tables: Tables, tenantId: string): Promise<string> {
  const row = await tables
    .insertInto('notification_cursors')
    .values({ tenant_id: tenantId, last_id: FIRST_ID })
    .onConflict((conflict) =>
      // An update without changes locks the row and reads the value of the last holder.
      conflict.column('tenant_id').doUpdateSet((set) => ({ last_id: set.ref('notification_cursors.last_id') })),
    )
    .returning('last_id')
    .executeTakeFirstOrThrow();
  return row.last_id;
}

/** A notification with its internal fields. */
export interface StoredNotification extends Notification {
  readonly tenantId: string;
  /** Of its documents; null without documents. */
  readonly environment: Environment | null;
}

/** Adds a notification. The caller holds the lock of the account's notifications. */
export async function insertNotification(tables: Tables, notification: StoredNotification): Promise<void> {
  const { id, tenantId: tenant_id, issuerId: issuer_id, environment, type, createdAt, ...rest } = notification;
  await tables
    .insertInto('notifications')
    .values({ id, tenant_id, issuer_id, environment, type, created_at: createdAt.getTime(), ...changing(rest) })
    .execute();
  await tables.updateTable('notification_cursors').set({ last_id: id }).where('tenant_id', '=', tenant_id).execute();
}

/** Replaces the content of a notification. The caller holds the lock of the account's notifications. */
export async function updateNotification(tables: Tables, notification: StoredNotification): Promise<void> {
  await tables
    .updateTable('notifications')
    .set({ type: notification.type, ...changing(notification) })
    .where('id', '=', notification.id)
    .where('tenant_id', '=', notification.tenantId)
    .execute();
}

/**
 * The newest notification of an issuer of one of the types, read or not; or null. Authorizations are only searched back
 * to `since`: they are too many for the index.
 */
export async function findNewest(
  tables: Tables,
  tenantId: string,
  wanted: {
    readonly issuerId: string;
    readonly types: readonly NotificationType[];
    readonly environment?: Environment;
    readonly unread?: boolean;
    readonly since?: Date;
  },
): Promise<StoredNotification | null> {
  let query = tables
    .selectFrom('notifications')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('issuer_id', '=', wanted.issuerId)
    .where('type', 'in', [...wanted.types]);
  if (wanted.environment) query = query.where('environment', '=', wanted.environment);
  if (wanted.since) query = query.where('id', '>=', lowestId(wanted.since));
  if (!wanted.types.includes('DOCUMENT_AUTHORIZED')) query = query.where(isInIndex());
  if (wanted.unread) query = query.where('read_at', 'is', null);
  const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row ? toStored(row) : null;
}

/** The number of notifications of an issuer of those types since `since`; counting ends at `atMost`. */
export async function countSince(
  tables: Tables,
  tenantId: string,
  wanted: {
    readonly issuerId: string;
    readonly types: readonly Exclude<NotificationType, 'DOCUMENT_AUTHORIZED'>[];
    readonly since: Date;
    readonly atMost: number;
  },
): Promise<number> {
  const rows = await tables
    .selectFrom('notifications')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('issuer_id', '=', wanted.issuerId)
    .where('type', 'in', [...wanted.types])
    .where('id', '>=', lowestId(wanted.since))
    .where(isInIndex())
    .limit(wanted.atMost)
    .execute();
  return rows.length;
}

/** The filter of a list of notifications. */
export interface NotificationFilter {
  /** Only those of that issuer and account-wide ones; null for all. */
  readonly issuerId: string | null;
  /** Only later ones; null for all. */
  readonly sinceId: string | null;
  /** The hidden types. */
  readonly hiddenTypes: readonly NotificationType[];
  readonly now: Date;
}

/**
 * A page of an account's notifications that have not expired, newest first.
 *
 * @param part.before only older ones; null for the newest.
 * @param part.limit the most of a page.
 */
export async function listNotifications(
  tables: Tables,
  context: TenantContext,
  filter: NotificationFilter,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly Notification[]> {
  let query = visible(tables, context, filter);
  if (filter.sinceId !== null) query = query.where('id', '>', filter.sinceId);
  if (before !== null) query = query.where('id', '<', before);
  const rows = await query.selectAll().orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toStored);
}

/**
 * Deletes expired notifications, oldest first, at most `limit`.
 *
 * @returns how many were dropped.
 */
export async function dropExpiredNotifications(
  tables: Tables,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> {
  const expired = tables
    .selectFrom('notifications')
    .select(['tenant_id', 'id'])
    .where('expires_at', '<=', now.getTime())
    .orderBy('expires_at')
    .limit(limit);
  const rows = await expired.execute();
  if (rows.length === 0) return 0;
  // Adding a document to a notification does not prolong it.
  const { numDeletedRows } = await tables
    .deleteFrom('notifications')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('tenant_id', 'in', [...new Set(rows.map(({ tenant_id }) => tenant_id))])
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The number of unread ones under the same filter, whatever the last id. */
export async function countUnread(tables: Tables, context: TenantContext, filter: NotificationFilter): Promise<number> {
  const { unread } = await visible(tables, context, filter)
    .where('read_at', 'is', null)
    .select((expression) => expression.fn.countAll<number | string>().as('unread'))
    .executeTakeFirstOrThrow();
  return Number(unread);
}

/**
 * Marks a notification as read. A concurrent update does not make it unread again.
 *
 * @returns null when no unread notification has that id.
 */
export async function markRead(
  tables: Tables,
  context: TenantContext,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<Notification | null> {
  await lockNotifications(tables, context.tenant.id);
  const row = await tables
    .updateTable('notifications')
    .set({ read_at: now.getTime() })
    .where('id', '=', id)
    .where('tenant_id', '=', context.tenant.id)
    .where('read_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ? toStored(row) : null;
}

/** Hides an issuer's visible notifications of those types. */
export async function dismissNotifications(
  tables: Tables,
  tenantId: string,
  {
    issuerId,
    types,
    now,
  }: { readonly issuerId: string; readonly types: readonly NotificationType[]; readonly now: Date },
): Promise<void> {
  await tables
    .updateTable('notifications')
    .set({ expires_at: now.getTime() })
    .where('tenant_id', '=', tenantId)
    .where('issuer_id', '=', issuerId)
    .where('type', 'in', [...types])
    .$if(!types.includes('DOCUMENT_AUTHORIZED'), (query) => query.where(isInIndex()))
    .where((expression) =>
      expression.or([expression('expires_at', 'is', null), expression('expires_at', '>', now.getTime())]),
    )
    .execute();
}

/** The pairs that an account has set. */
export async function listPreferences(tables: Tables, tenantId: string): Promise<readonly Preference[]> {
  const rows = await tables
    .selectFrom('notification_preferences')
    .select(['type', 'channel', 'enabled'])
    .where('tenant_id', '=', tenantId)
    .execute();
  return rows.map((row) => ({
    type: row.type as Preference['type'],
    channel: row.channel as Preference['channel'],
    enabled: row.enabled === 1,
  }));
}

/** Sets pairs of an account; other pairs stay. */
export async function savePreferences(
  tables: Tables,
  tenantId: string,
  preferences: readonly Preference[],
): Promise<void> {
  if (preferences.length === 0) return;
  await tables
    .insertInto('notification_preferences')
    .values(
      preferences.map(({ type, channel, enabled }) => ({
        tenant_id: tenantId,
        type,
        channel,
        enabled: enabled ? 1 : 0,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'type', 'channel'])
        .doUpdateSet((set) => ({ enabled: set.ref('excluded.enabled') })),
    )
    .execute();
}

// --- internal ---

/** The exact text of the index condition, since no planner would infer it. */
function isInIndex() {
  return sql<SqlBool>`type <> 'DOCUMENT_AUTHORIZED'`;
}

/** Every later id is greater than this one. */
function lowestId(at: Date): string {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

function visible(tables: Tables, context: TenantContext, { issuerId, hiddenTypes, now }: NotificationFilter) {
  let query = tables
    .selectFrom('notifications')
    .where('tenant_id', '=', context.tenant.id)
    .where((expression) =>
      expression.or([expression('expires_at', 'is', null), expression('expires_at', '>', now.getTime())]),
    );
  if (issuerId !== null) {
    query = query.where((expression) =>
      expression.or([expression('issuer_id', 'is', null), expression('issuer_id', '=', issuerId)]),
    );
  }
  return hiddenTypes.length > 0 ? query.where('type', 'not in', [...hiddenTypes]) : query;
}

type Changing = Pick<Notification, 'severity' | 'title' | 'message' | 'metadata' | 'readAt' | 'expiresAt'>;

function changing({ severity, title, message, metadata, readAt, expiresAt }: Changing) {
  return {
    severity,
    title,
    message,
    metadata: metadata === null ? null : JSON.stringify(packMetadata(metadata)),
    read_at: readAt?.getTime() ?? null,
    expires_at: expiresAt?.getTime() ?? null,
  };
}

function toStored(row: Selectable<NotificationsTable>): StoredNotification {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    issuerId: row.issuer_id,
    environment: row.environment as Environment | null,
    type: row.type as NotificationType,
    severity: row.severity as Severity,
    title: row.title,
    message: row.message,
    metadata: row.metadata === null ? null : unpackMetadata(JSON.parse(row.metadata)),
    readAt: row.read_at === null ? null : new Date(row.read_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    createdAt: new Date(row.created_at),
  };
}
