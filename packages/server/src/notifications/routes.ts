import { type TenantRoute, tenant } from '../accounts/index.js';
import { getNotifications, getPreferences, patchPreferences, readNotification } from './handlers.js';

/** Routes about notifications. */
export const NOTIFICATIONS_ROUTES: readonly TenantRoute[] = [
  tenant('GET', '/v1/notifications', null, getNotifications),
  tenant('POST', '/v1/notifications/:id/read', null, readNotification),
  tenant('GET', '/v1/notifications/preferences', null, getPreferences),
  tenant('PATCH', '/v1/notifications/preferences', null, patchPreferences),
];
