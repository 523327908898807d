import { toNotificationBody } from '../notifications/notification.js';
import type { StoredNotification } from '../store/notifications.js';
import type { Tables } from '../store/schema.js';
import { insertMessage } from '../store/webhook-deliveries.js';
import { listSubscribers } from '../store/webhook-endpoints.js';

/** Puts a notification on its way to every active endpoint that wants its type, in the notification's transaction. */
export async function announceNotification(
  tables: Tables,
  notification: StoredNotification,
  { now, newId }: { readonly now: Date; readonly newId: (now: Date) => string },
): Promise<void> {
  const { id, tenantId, type } = notification;
  const endpoints = await listSubscribers(tables, tenantId, type);
  if (endpoints.length === 0) return;
  await insertMessage(tables, {
    id: newId(now),
    tenantId,
    notificationId: id,
    event: type,
    data: JSON.stringify(toNotificationBody(notification)),
    deliveries: endpoints.map((endpointId) => ({ id: newId(now), endpointId })),
    now,
  });
}
