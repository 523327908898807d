import type { Tenant } from '../accounts/index.js';
import { type BillingMailKind, insertMail } from '../mail/index.js';
import { listPreferences, type NotificationType } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';

/** A mail about an account's billing. */
export interface BillingMail {
  readonly tenant: Pick<Tenant, 'id' | 'email' | 'language'>;
  readonly kind: BillingMailKind;
  /** The values of its text, as shown. */
  readonly data: Readonly<Record<string, string>>;
  readonly id: string;
  readonly now: Date;
}

/** Queues a mail in the transaction of its cause, unless the account has switched off mails of its type. */
export async function queueBillingMail(tables: Tables, { tenant, kind, data, id, now }: BillingMail): Promise<void> {
  const preferences = await listPreferences(tables, tenant.id);
  const isOff = preferences.some(
    ({ type, channel, enabled }) => type === NOTIFICATION_OF[kind] && channel === 'EMAIL' && !enabled,
  );
  if (isOff) return;
  const { id: tenantId, email: recipient, language } = tenant;
  await insertMail(tables, { id, tenantId, kind, recipient, language, data, token: null, createdAt: now });
}

// --- internal ---

/** The notification of each kind of mail, whose preference it follows. */
const NOTIFICATION_OF: Readonly<Record<BillingMailKind, NotificationType>> = {
  PAYMENT_VERIFIED: 'PAYMENT_VERIFIED',
  PAYMENT_REJECTED: 'PAYMENT_REJECTED',
  PAYMENT_REFUNDED: 'PAYMENT_REFUNDED',
  RENEWAL_DUE: 'SUBSCRIPTION_RENEWAL_DUE',
  PAST_DUE_WARNING: 'SUBSCRIPTION_PAST_DUE_WARNING',
  EXPIRED: 'SUBSCRIPTION_EXPIRED',
  PRICE_CHANGE: 'PRICE_CHANGE_ANNOUNCED',
  PRICE_WITHDRAWN: 'PRICE_CHANGE_ANNOUNCED',
};
