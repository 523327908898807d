import { type PublishedNotification, toNotificationBody } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import { insertMessages } from './delivery-rows.js';
import { listSubscribers } from './endpoint-rows.js';

/**
 * Queues notifications of one account for every active endpoint that selects their type, in the notifications'
 * transaction: one message each, in order.
 */
export async function announceNotifications(
  tables: Tables,
  notifications: readonly PublishedNotification[],
  newId: (now: Date) => string,
): Promise<void> {
  const subscribers = new Map<string, readonly string[]>();
  for (const { notification } of notifications) {
    const { tenantId, type } = notification;
    if (!subscribers.has(type)) subscribers.set(type, await listSubscribers(tables, tenantId, type));
  }
  const messages = notifications.flatMap(({ notification, now }) => {
    const { id, tenantId, type } = notification;
    const endpoints = subscribers.get(type) ?? [];
    if (endpoints.length === 0) return [];
    return {
      id: newId(now),
      tenantId,
      notificationId: id,
      event: type,
      data: JSON.stringify(toNotificationBody(notification)),
      deliveries: endpoints.map((endpointId) => ({ id: newId(now), endpointId })),
      now,
    };
  });
  await insertMessages(tables, messages);
}
