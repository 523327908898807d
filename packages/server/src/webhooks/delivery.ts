/** How a delivery stands. */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;

/** PENDING until an attempt is acknowledged, or the last one failed. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

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

/** A delivery a worker holds, with everything one attempt needs. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly endpointId: string;
  readonly leaseToken: number;
  readonly attemptCount: number;
  readonly event: string;
  /** Seconds since 1970. */
  readonly eventAt: number;
  /** JSON text. */
  readonly data: string;
}

/** The bytes of a delivery: the same on every attempt, because nothing of it is written anew. */
export function writeDeliveryBody({ id, tenantId, event, eventAt, data }: ClaimedDelivery): string {
  const [head, tenant] = [JSON.stringify({ event, deliveryId: id, timestamp: eventAt }), JSON.stringify(tenantId)];
  return `${head.slice(0, -1)},"tenantId":${tenant},"data":${data}}`;
}

/** A delivery as it is shown. */
export function toDeliveryBody(delivery: WebhookDelivery) {
  const { nextAttemptAt, createdAt, deliveredAt, ...rest } = delivery;
  return {
    ...rest,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}
