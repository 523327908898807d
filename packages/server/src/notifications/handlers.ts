import { Type } from '@sinclair/typebox';
import type { TenantCall } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { json, jsonPieces } from '../platform/http/answer.js';
import { jsonBodyOf } from '../platform/http/body-input.js';
import { pathId, plainText, queryCount } from '../platform/http/fields.js';
import { writeList } from '../platform/http/json-list.js';
import { routeHandler } from '../platform/http/route.js';
import { toUuid } from '../platform/http/uuid.js';
import { listOf, okBody, uuid, whole } from '../platform/schema-words.js';
import { type Notification, notificationSchema, toNotificationBody } from './notification.js';
import { completePreferences, parsePreferences, preferenceSchema } from './preferences.js';
import {
  countUnread,
  listNotifications,
  listPreferences,
  markRead,
  type NotificationFilter,
  savePreferences,
} from './rows.js';

const preferences = Type.Object({ preferences: listOf(preferenceSchema, 'Every pair that can be set.') });

/** The largest `limit`. */
const MOST_ASKED_FOR = 1_000;

/** `GET /v1/notifications` */
export const getNotifications = routeHandler({
  operation: {
    id: 'listNotifications',
    summary: 'Lists notifications, newest first; or only those after one that is known.',
    answers: {
      200: Type.Object({
        notifications: listOf(notificationSchema, 'The notifications, all of them unless `limit` is sent.'),
        unreadCount: whole('How many are unread.', 1, { minimum: 0 }),
      }),
    },
    refuses: ['ISSUER_ID_INVALID'],
  },
  query: {
    sinceId: plainText(uuid('The last one that is known: only those after it.')),
    limit: queryCount(MOST_ASKED_FOR, 'Only so many of them, the newest.'),
  },
  headers: { 'X-Issuer-Id': plainText(uuid('Only what concerns this issuer.')) },
  /** @throws Refusal ISSUER_ID_INVALID for either id. */
  parse: (_exchange, { query, headers }) => ({
    issuerId: toId(headers['X-Issuer-Id']),
    sinceId: toId(query.sinceId),
    limit: query.limit,
  }),
  answer: async ({ exchange, context }: TenantCall, { limit, ...wanted }) => {
    const { database, clock } = exchange.services;
    const found = await database.read(async (tables) => {
      const set = await listPreferences(tables, context.tenant.id);
      const hiddenTypes = set.flatMap(({ type, channel, enabled }) => (channel === 'IN_APP' && !enabled ? type : []));
      const filter: NotificationFilter = { ...wanted, hiddenTypes, now: clock.now() };
      return { filter, unreadCount: await countUnread(tables, context, filter) };
    });
    const { filter, unreadCount } = found;
    const pieces = writeList(exchange, {
      around: ['{"notifications":', `,"unreadCount":${unreadCount}}`],
      most: limit,
      read: (last: Notification | null, most) =>
        database.read((tables) =>
          listNotifications(tables, context, filter, { before: last?.id ?? null, limit: most }),
        ),
      show: toNotificationBody,
    });
    return jsonPieces(pieces);
  },
});

/** `POST /v1/notifications/:id/read` */
export const readNotification = routeHandler({
  operation: {
    id: 'readNotification',
    summary: 'Marks a notification as read.',
    answers: { 200: okBody({ notification: notificationSchema }) },
    refuses: ['NOT_FOUND'],
  },
  params: { id: pathId('notification') },
  answer: async ({ exchange, context }: TenantCall, { params: { id } }) => {
    const { database, clock } = exchange.services;
    const read = await database.transaction((tables) => markRead(tables, context, { id, now: clock.now() }));
    if (!read) throw new Refusal('NOT_FOUND');
    return json(200, { ok: true, notification: toNotificationBody(read) });
  },
});

/** `GET /v1/notifications/preferences` */
export const getPreferences = routeHandler({
  operation: {
    id: 'getPreferences',
    summary: 'Tells which notifications reach people, and how.',
    answers: { 200: preferences },
  },
  answer: async ({ exchange, context }: TenantCall) => {
    const set = await exchange.services.database.read((tables) => listPreferences(tables, context.tenant.id));
    return json(200, { preferences: completePreferences(set) });
  },
});

/** `PATCH /v1/notifications/preferences` */
export const patchPreferences = routeHandler({
  operation: { id: 'setPreferences', summary: 'Switches notifications on or off.', answers: { 200: preferences } },
  body: jsonBodyOf(listOf(preferenceSchema, 'The pairs to change.'), async (exchange, limit) =>
    parsePreferences(await exchange.jsonValue(limit)),
  ),
  answer: async ({ exchange, context }: TenantCall, { body: changed }) => {
    const set = await exchange.services.database.transaction(async (tables) => {
      await savePreferences(tables, context.tenant.id, changed);
      return listPreferences(tables, context.tenant.id);
    });
    return json(200, { preferences: completePreferences(set) });
  },
});

// --- internal ---

function toId(text: string | null): string | null {
  if (text === null) return null;
  const id = toUuid(text.trim());
  if (!id) throw new Refusal('ISSUER_ID_INVALID');
  return id;
}
