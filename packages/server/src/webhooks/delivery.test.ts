import { describe, expect, it } from 'vitest';
import { deliverySchema, toDeliveryBody, type WebhookDelivery, writeDeliveryBody } from './delivery.js';

describe('the bytes of a delivery', () => {
  it('the body of a delivery has the event, its account and the data as stored', () => {
    const claimed = {
      id: 'd-1',
      tenantId: 't"1',
      lease: { id: 'd-1', kind: 'WEBHOOK', lane: 'e-1', token: 3 },
      attemptCount: 2,
      event: 'DOCUMENT_AUTHORIZED',
      eventAt: 1_795_273_200,
      data: '{"ñ": 1}',
    } as const;
    expect(writeDeliveryBody(claimed)).toBe(
      '{"event":"DOCUMENT_AUTHORIZED","deliveryId":"d-1","timestamp":1795273200,"tenantId":"t\\"1","data":{"ñ": 1}}',
    );
    expect(writeDeliveryBody({ ...claimed, attemptCount: 5, lease: { ...claimed.lease, token: 9 } })).toBe(
      writeDeliveryBody(claimed),
    );
  });
});

describe('a delivery as it is shown', () => {
  const shared = { id: 'd-1', event: 'TEST', notificationId: null, lastStatusCode: 200, lastError: null } as const;
  const createdAt = new Date('2026-11-21T15:00:00Z');

  it.each<{ delivery: WebhookDelivery; times: object }>([
    {
      delivery: {
        ...shared,
        status: 'PENDING',
        attemptCount: 0,
        nextAttemptAt: createdAt,
        createdAt,
        deliveredAt: null,
      },
      times: { nextAttemptAt: '2026-11-21T15:00:00.000Z', deliveredAt: null },
    },
    {
      delivery: {
        ...shared,
        status: 'DELIVERED',
        attemptCount: 1,
        nextAttemptAt: null,
        createdAt,
        deliveredAt: createdAt,
      },
      times: { nextAttemptAt: null, deliveredAt: '2026-11-21T15:00:00.000Z' },
    },
  ])('a shown delivery has its times in ISO form, or null: $delivery.status', ({ delivery, times }) => {
    const { status, attemptCount } = delivery;
    expect(toDeliveryBody(delivery)).toEqual({
      ...shared,
      status,
      attemptCount,
      createdAt: '2026-11-21T15:00:00.000Z',
      ...times,
    });
  });

  it('the schema of a delivery has a stored cause as its example', () => {
    expect(JSON.stringify(deliverySchema.properties.lastError)).toContain('"TIMEOUT"');
  });
});
