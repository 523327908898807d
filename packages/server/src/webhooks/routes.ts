import { type TenantRoute, tenant } from '../accounts/index.js';
import {
  createWebhook,
  deleteWebhook,
  getDeliveries,
  getWebhooks,
  patchWebhook,
  postRedelivery,
  postSecret,
  postTest,
} from './handlers.js';

/** Routes about webhooks and their deliveries. */
export const WEBHOOKS_ROUTES: readonly TenantRoute[] = [
  tenant('POST', '/v1/webhooks', 'webhooks:manage', createWebhook),
  tenant('GET', '/v1/webhooks', 'webhooks:manage', getWebhooks),
  // Any account may switch an endpoint off; the other changes check for a verified address themselves.
  tenant('PATCH', '/v1/webhooks/:id', 'webhooks:manage', patchWebhook, { unverified: 'served' }),
  tenant('DELETE', '/v1/webhooks/:id', 'webhooks:manage', deleteWebhook, { unverified: 'served' }),
  tenant('GET', '/v1/webhooks/:id/deliveries', 'webhooks:manage', getDeliveries),
  tenant('POST', '/v1/webhooks/:id/deliveries/:deliveryId/redeliver', 'webhooks:manage', postRedelivery),
  tenant('POST', '/v1/webhooks/:id/test', 'webhooks:manage', postTest, { limit: 'webhookTests' }),
  tenant('POST', '/v1/webhooks/:id/rotate-secret', 'webhooks:manage', postSecret),
];
