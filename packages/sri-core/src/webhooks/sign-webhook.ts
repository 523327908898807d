import { createHmac } from 'node:crypto';
import { type Random, systemRandom } from '../random.js';

/** What one attempt of a delivery is signed with. */
export interface WebhookSignatureInput {
  /** The body, byte by byte as it is sent. */
  readonly rawBody: string;
  readonly deliveryId: string;
  readonly sentAt: Date;
  /** The endpoint's secret. */
  readonly secret: string;
  /** A secret that was replaced a short while ago and whose holders are still served. */
  readonly formerSecret?: string | null;
}

/** The headers that prove where a delivery comes from, by name in lower case. */
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
