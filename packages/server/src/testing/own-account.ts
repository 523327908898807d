import type { Notification, OperationAnswer, Tenant } from 'sri-core/client';
import type { RequestTarget, TestTenant } from './test-tenant.js';

/** The account, as it is shown to its own key. */
export async function ownAccount(server: RequestTarget, { auth }: Pick<TestTenant, 'auth'>): Promise<Tenant> {
  const response = await server.request('/v1/tenants/me', { headers: auth });
  return ((await response.json()) as { tenant: Tenant }).tenant;
}

/** The history of the account, as it is shown to its own key, oldest first. */
export async function ownHistory(
  server: RequestTarget,
  { auth }: Pick<TestTenant, 'auth'>,
): Promise<OperationAnswer<'listTenantEvents'>['events']> {
  const response = await server.request('/v1/tenants/events', { headers: auth });
  return ((await response.json()) as OperationAnswer<'listTenantEvents'>).events;
}

/** The notifications of the account, as they are shown to its own key, the newest first. */
export async function ownNotifications(
  server: RequestTarget,
  { auth }: Pick<TestTenant, 'auth'>,
): Promise<readonly Notification[]> {
  const response = await server.request('/v1/notifications', { headers: auth });
  return ((await response.json()) as { notifications: Notification[] }).notifications;
}
