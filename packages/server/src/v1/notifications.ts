import { invalid, Refusal, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { QueryReader } from '../http/parse-query.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { toUuid } from '../http/uuid.js';
import { toNotificationBody } from '../notifications/notification.js';
import { completePreferences, parsePreferences } from '../notifications/preferences.js';
import {
  countUnread,
  listNotifications,
  listPreferences,
  markRead,
  type NotificationFilter,
  savePreferences,
} from '../store/notifications.js';

/** `GET /v1/notifications` */
export const getNotifications = defineHandler({
  parse: readFilter,
  answer: async ({ exchange, context }: TenantCall, wanted) => {
    const { database, clock } = exchange.services;
    const shown = await database.read(async (tables) => {
      const set = await listPreferences(tables, context.tenant.id);
      const hiddenTypes = set.flatMap(({ type, channel, enabled }) => (channel === 'IN_APP' && !enabled ? type : []));
      const filter: NotificationFilter = { ...wanted, hiddenTypes, now: clock.now() };
      const notifications = await listNotifications(tables, context, filter);
      return { notifications, unreadCount: await countUnread(tables, context, filter) };
    });
    return json(200, { ...shown, notifications: shown.notifications.map(toNotificationBody) });
  },
});

/** `POST /v1/notifications/:id/read` */
export const readNotification = defineHandler({
  parse: (exchange) => {
    const id = toUuid(exchange.params['id'] ?? '');
    if (!id) throw invalid([ruleFailure('path:id', 'uuid')]);
    return id;
  },
  answer: async ({ exchange, context }: TenantCall, id) => {
    const { database, clock } = exchange.services;
    const read = await database.transaction((tables) => markRead(tables, context, { id, now: clock.now() }));
    if (!read) throw new Refusal('NOT_FOUND');
    return json(200, { ok: true, notification: toNotificationBody(read) });
  },
});

/** `GET /v1/notifications/preferences` */
export const getPreferences = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const set = await exchange.services.database.read((tables) => listPreferences(tables, context.tenant.id));
    return json(200, { preferences: completePreferences(set) });
  },
});

/** `PATCH /v1/notifications/preferences` */
export const patchPreferences = defineHandler({
  parse: async (exchange) => parsePreferences(await exchange.jsonValue()),
  answer: async ({ exchange, context }: TenantCall, changed) => {
    const set = await exchange.services.database.transaction(async (tables) => {
      await savePreferences(tables, context.tenant.id, changed);
      return listPreferences(tables, context.tenant.id);
    });
    return json(200, { preferences: completePreferences(set) });
  },
});

// --- internal ---

/** @throws Refusal ISSUER_ID_INVALID for either id; VALIDATION_FAILED when `sinceId` comes twice. */
function readFilter(exchange: Exchange): Pick<NotificationFilter, 'issuerId' | 'sinceId'> {
  const query = new QueryReader(exchange.search);
  const sinceId = query.text('sinceId');
  query.done();
  return { issuerId: toId(exchange.header('x-issuer-id')), sinceId: toId(sinceId) };
}

function toId(text: string | null): string | null {
  if (text === null) return null;
  const id = toUuid(text.trim());
  if (!id) throw new Refusal('ISSUER_ID_INVALID');
  return id;
}
