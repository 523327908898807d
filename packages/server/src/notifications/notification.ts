import type { NotificationType } from './notification-types.js';

/** How urgent a notification is. */
export type Severity = 'INFO' | 'WARNING' | 'ERROR';

/** Something an account is told. Its texts are in the language the account had when it happened. */
export interface Notification {
  /** UUIDv7. Within one account, ids become visible in their order, so that whoever knows the last one misses none. */
  readonly id: string;
  readonly type: NotificationType;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Null for what concerns the whole account. */
  readonly issuerId: string | null;
  readonly readAt: Date | null;
  /** From then on it is hidden; null for never. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** A notification as it is shown, and as webhooks deliver it. */
export function toNotificationBody(notification: Notification) {
  const { id, type, severity, title, message, metadata, issuerId, readAt, expiresAt, createdAt } = notification;
  return {
    id,
    type,
    severity,
    title,
    message,
    metadata,
    issuerId,
    readAt: readAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
