import {
  insertNotification,
  lockNotifications,
  type StoredNotification,
  updateNotification,
} from '../store/notifications.js';
import type { Tables } from '../store/schema.js';

/** What publishing needs besides the transaction. */
export interface PublishingParts {
  readonly newId: (now: Date) => string;
  /** How long a notification is shown; null for ever. */
  readonly notificationTtlMs: number | null;
  /** Makes the deliveries to the account's webhooks, in the same transaction. */
  readonly announce: (tables: Tables, notification: StoredNotification, now: Date) => Promise<void>;
}

/** A notification that is to be made. */
export type Draft = Omit<StoredNotification, 'id' | 'readAt' | 'expiresAt' | 'createdAt'>;

/**
 * Makes or renews a notification in the transaction of what caused it. Accounts are told one after the other, so that
 * whoever asks for all that came after an id misses none.
 *
 * @param decide told under the lock: the draft of a new notification, a stored one with its new content, or null when
 * there is nothing to tell.
 */
export async function publish(
  tables: Tables,
  { tenantId, now }: { readonly tenantId: string; readonly now: Date },
  parts: PublishingParts,
  decide: () => Promise<Draft | StoredNotification | null>,
): Promise<void> {
  const last = await lockNotifications(tables, tenantId);
  const decided = await decide();
  if (!decided) return;
  let notification: StoredNotification;
  if ('id' in decided) {
    notification = decided;
    await updateNotification(tables, notification);
  } else {
    const { notificationTtlMs } = parts;
    notification = {
      ...decided,
      id: idAfter(last, now, parts.newId),
      readAt: null,
      expiresAt: notificationTtlMs === null ? null : new Date(now.getTime() + notificationTtlMs),
      createdAt: now,
    };
    await insertNotification(tables, notification);
  }
  await parts.announce(tables, notification, now);
}

// --- internal ---

/** An id above the last one, even where another process's clock is ahead of ours. */
function idAfter(last: string, now: Date, newId: (now: Date) => string): string {
  const id = newId(now);
  if (id > last) return id;
  const lastTime = Number.parseInt(last.replaceAll('-', '').slice(0, 12), 16);
  return newId(new Date(lastTime + 1));
}
