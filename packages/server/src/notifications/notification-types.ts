/** The channels of a notification: the list of the interface, or a mail. Webhooks get every notification. */
export const CHANNELS = ['IN_APP', 'EMAIL'] as const;

/** A channel that can be switched off. */
export type Channel = (typeof CHANNELS)[number];

/** The rules of a notification type. */
interface TypeRules {
  /** The channels that can be switched off; empty for a mandatory type. */
  readonly channels: readonly Channel[];
  /** Whether its preferences are always shown; others are shown once they are set. */
  readonly listed: boolean;
  /** Whether webhooks can select it by name. */
  readonly forWebhooks: boolean;
}

/** Every type, in the order in which preferences are shown. */
export const NOTIFICATION_TYPES = {
  DOCUMENT_AUTHORIZED: { channels: ['IN_APP'], listed: true, forWebhooks: true },
  CERT_EXPIRING: { channels: ['IN_APP'], listed: true, forWebhooks: true },
  CERT_EXPIRED: { channels: ['IN_APP'], listed: true, forWebhooks: true },
  PAYMENT_VERIFIED: { channels: ['IN_APP', 'EMAIL'], listed: true, forWebhooks: false },
  PAYMENT_REJECTED: { channels: ['IN_APP', 'EMAIL'], listed: true, forWebhooks: false },
  SUBSCRIPTION_RENEWAL_DUE: { channels: ['IN_APP', 'EMAIL'], listed: true, forWebhooks: false },
  SUBSCRIPTION_PAST_DUE_WARNING: { channels: ['IN_APP', 'EMAIL'], listed: true, forWebhooks: false },
  SUBSCRIPTION_EXPIRED: { channels: ['IN_APP', 'EMAIL'], listed: true, forWebhooks: false },
  PRICE_CHANGE_ANNOUNCED: { channels: [], listed: true, forWebhooks: false },
  PAYMENT_REFUNDED: { channels: ['IN_APP', 'EMAIL'], listed: false, forWebhooks: false },
  DOCUMENT_RETURNED: { channels: ['IN_APP', 'EMAIL'], listed: false, forWebhooks: true },
  DOCUMENT_NOT_AUTHORIZED: { channels: ['IN_APP', 'EMAIL'], listed: false, forWebhooks: true },
  SRI_SUBMISSION_FAILED: { channels: ['IN_APP'], listed: false, forWebhooks: true },
  EMAIL_DELIVERY_FAILED: { channels: ['IN_APP'], listed: false, forWebhooks: true },
  QUOTA_WARNING: { channels: ['IN_APP'], listed: false, forWebhooks: true },
} as const satisfies Readonly<Record<string, TypeRules>>;

/** A type of notification. */
export type NotificationType = keyof typeof NOTIFICATION_TYPES;

/** The types that webhooks can select by name. */
export const WEBHOOK_EVENT_TYPES = (Object.keys(NOTIFICATION_TYPES) as NotificationType[]).filter(
  (type) => NOTIFICATION_TYPES[type].forWebhooks,
);

/** Whether the text names a type. */
export function isNotificationType(text: unknown): text is NotificationType {
  return typeof text === 'string' && Object.hasOwn(NOTIFICATION_TYPES, text);
}

/** The channels of a type that can be switched off. */
export function channelsOf(type: NotificationType): readonly Channel[] {
  return NOTIFICATION_TYPES[type].channels;
}
