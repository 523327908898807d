import { anyObject, named, oneOf, orNull, type Shown, text, timestamp, uuid } from '../platform/schema-words.js';
import { NOTIFICATION_TYPES, type NotificationType } from './notification-types.js';

/** How urgent notifications can be. */
const SEVERITIES = ['INFO', 'WARNING', 'ERROR'] as const;

/** How urgent a notification is. */
export type Severity = (typeof SEVERITIES)[number];

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
export const notificationSchema = named('Notification', 'Something the account is told.', {
  id: uuid('Id, in the order in which notifications are made.'),
  type: oneOf(Object.keys(NOTIFICATION_TYPES) as NotificationType[], 'What it is about.'),
  severity: oneOf(SEVERITIES, 'How urgent it is.'),
  title: text('For people, in the language of the account.', 'Documento autorizado'),
  message: text('For people, in the language of the account.', 'El SRI autorizó 1 documento.'),
  metadata: orNull(anyObject('What it is about, for programs.')),
  issuerId: orNull(uuid('The issuer it is about; null for the whole account.')),
  readAt: orNull(timestamp('When it was read.')),
  expiresAt: orNull(timestamp('From when on it is hidden; null for never.')),
  createdAt: timestamp('When it was made.'),
});

/** Shapes a notification. */
export function toNotificationBody(notification: Notification): Shown<typeof notificationSchema> {
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
