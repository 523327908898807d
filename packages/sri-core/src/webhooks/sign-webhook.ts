import { createHmac } from 'node:crypto';
import { type Random, systemRandom } from '../random.js';

/** The signed content of one delivery attempt. */
export interface WebhookSignatureInput {
  /** The body, byte by byte as sent. */
  readonly rawBody: string;
  readonly deliveryId: string;
  readonly sentAt: Date;
  /** The endpoint's secret. */
  readonly secret: string;
  /** A recently replaced secret that receivers may still use. */
  readonly formerSecret?: string | null;
}

/** The headers that prove the origin of a delivery, by name in lower case. */
export function signWebhook({
  rawBody,
  deliveryId,
  sentAt,
  secret,
  formerSecret = null,
}: WebhookSignatureInput): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const service = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex');
  const standard = [secret, ...(formerSecret ? [formerSecret] : [])].map((each) => {
    const key = Buffer.from(each.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${deliveryId}.${timestamp}.${rawBody}`).digest('base64')}`;
  });
  return {
    'x-service-signature': `sha256=${service}`,
    'x-service-timestamp': timestamp,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(random: Random = systemRandom): string {
  return `whsec_${Buffer.from(random.bytes(32)).toString('base64')}`;
}
