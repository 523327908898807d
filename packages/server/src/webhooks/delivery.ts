import type { JobLease } from '../platform/jobs/job-rows.js';
import { named, oneOf, orNull, type Shown, show, text, timestamp, uuid, whole } from '../platform/schema-words.js';
import type { Transitions } from '../platform/transitions.js';

/** The status of a delivery. */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;

/** PENDING until an attempt is acknowledged, or the last one failed. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * The transitions of a delivery. After a failed attempt it stays PENDING while others follow; a redelivery makes it
 * PENDING again.
 */
export const DELIVERY_TRANSITIONS: Transitions<DeliveryStatus> = {
  PENDING: ['PENDING', 'DELIVERED', 'FAILED'],
  DELIVERED: ['PENDING'],
  FAILED: ['PENDING'],
};

/** A message on its way to an endpoint. */
export interface WebhookDelivery {
  /** UUIDv7, the same on every attempt. */
  readonly id: string;
  readonly event: string;
  /** Null for a test. */
  readonly notificationId: string | null;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  /** When the next attempt is due; null when none follows. */
  readonly nextAttemptAt: Date | null;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
}

/** A delivery that a worker holds, with the data of one attempt. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly tenantId: string;
  /** Its lane is the endpoint. */
  readonly lease: JobLease;
  readonly attemptCount: number;
  readonly event: string;
  /** Seconds since 1970. */
  readonly eventAt: number;
  /** JSON text. */
  readonly data: string;
}

/** The bytes of a delivery: the same on every attempt, since all parts are stored. */
export function writeDeliveryBody({ id, tenantId, event, eventAt, data }: ClaimedDelivery): string {
  const [head, tenant] = [JSON.stringify({ event, deliveryId: id, timestamp: eventAt }), JSON.stringify(tenantId)];
  return `${head.slice(0, -1)},"tenantId":${tenant},"data":${data}}`;
}

/** A delivery as it is shown. */
export const deliverySchema = named('WebhookDelivery', 'A message on its way to an endpoint.', {
  id: uuid('Id of the delivery, the same on every attempt.'),
  event: text('What it tells.', 'DOCUMENT_AUTHORIZED'),
  notificationId: orNull(uuid('The notification it tells; null for a test.')),
  status: oneOf(DELIVERY_STATUSES, 'How it stands.', 'DELIVERED'),
  attemptCount: whole('Attempts so far.', 1, { minimum: 0 }),
  nextAttemptAt: orNull(timestamp('When the next attempt is due.')),
  lastStatusCode: orNull(whole('What the receiver answered last.', 200)),
  lastError: orNull(text('What failed last.', 'TIMEOUT')),
  createdAt: timestamp('When it was made.'),
  deliveredAt: orNull(timestamp('When it was acknowledged.')),
});

/** Shapes a delivery. */
export function toDeliveryBody(delivery: WebhookDelivery): Shown<typeof deliverySchema> {
  return show(deliverySchema, delivery);
}
