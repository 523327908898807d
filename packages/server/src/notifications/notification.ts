import { anyObject, named, oneOf, orNull, type Shown, show, text, timestamp, uuid } from '../platform/schema-words.js';
import { NOTIFICATION_TYPES, type NotificationType } from './notification-types.js';

/** The severities of notifications. */
const SEVERITIES = ['INFO', 'WARNING', 'ERROR'] as const;

/** The severity of a notification. */
export type Severity = (typeof SEVERITIES)[number];

/** A notification to an account, in the account's language at that time. */
export interface Notification {
  /**
   * UUIDv7. Within one account, ids become visible in order, so that a client that asks from the last one misses none.
   */
  readonly id: string;
  readonly type: NotificationType;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Null for the whole account. */
  readonly issuerId: string | null;
  readonly readAt: Date | null;
  /** Hidden from then on; null for never. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** A notification in answers and webhooks. */
export const notificationSchema = named('Notification', 'A message to the account.', {
  id: uuid('Id, in the order in which notifications are made.'),
  type: oneOf(Object.keys(NOTIFICATION_TYPES) as NotificationType[], 'What it is about.'),
  severity: oneOf(SEVERITIES, 'How urgent it is.'),
  title: text('For people, in the language of the account.', 'Comprobante autorizado'),
  message: text(
    'For people, in the language of the account.',
    'El SRI autorizó el comprobante 000000001 (Factura, María Ñacata).',
  ),
  metadata: orNull(anyObject('What it is about, for programs.')),
  issuerId: orNull(uuid('The issuer it is about; null for the whole account.')),
  readAt: orNull(timestamp('When it was read.')),
  expiresAt: orNull(timestamp('From when on it is hidden; null for never.')),
  createdAt: timestamp('When it was made.'),
});

/** Shapes a notification. */
export function toNotificationBody(notification: Notification): Shown<typeof notificationSchema> {
  return show(notificationSchema, notification);
}
