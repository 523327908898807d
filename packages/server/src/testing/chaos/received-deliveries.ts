import { verifyWebhook } from 'sri-core/webhooks';
import type { WebhookReceiver } from '../webhook-receiver.js';

/** Signatures are verified after the run, so their age has this limit. */
const LONGEST_RUN_MS = 7 * 24 * 3_600_000;

/**
 * The notifications that a receiver got, as `notification id, count`, with the ids of their deliveries. All attempts at
 * one delivery have the same id, so that a receiver can detect duplicates.
 *
 * @throws if a delivery is not signed with that secret.
 */
export function receivedDeliveries(
  { seen }: WebhookReceiver,
  secret: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const delivered = new Map<string, Set<string>>();
  for (const { headers, body } of seen) {
    const { deliveryId, data } = verifyWebhook({ rawBody: body, headers, secret, toleranceMs: LONGEST_RUN_MS });
    const { id, metadata } = data as { id: string; metadata: { count?: number } | null };
    const what = `${id}, ${metadata?.count ?? 1}`;
    delivered.set(what, (delivered.get(what) ?? new Set()).add(deliveryId));
  }
  return delivered;
}

/** The expected deliveries: one for every rise of every notification's count. */
export function expectedDeliveries(
  notifications: readonly { readonly id: string; readonly metadata: string | null }[],
): readonly string[] {
  return notifications.flatMap(({ id, metadata }) => {
    const { count = 1 }: { count?: number } = JSON.parse(metadata ?? '{}');
    return Array.from({ length: count }, (_, before) => `${id}, ${before + 1}`);
  });
}
