import type { Notification, NotificationPreference, Operations, WebhookDelivery, WebhookEndpoint } from './api.js';
import type { Api, OperationAnswer } from './call-operation.js';
import { itemsOf } from './pages.js';

type Body<Name extends keyof Operations> = Exclude<Operations[Name]['body'], null>;
type Query<Name extends keyof Operations> = NonNullable<Operations[Name]['query']>;

/** The calls about issuers. Files travel as base64. */
export function createIssuerCalls({ call }: Api) {
  return {
    list: async () => (await call('listIssuers', {})).issuers,
    get: async (id: string) => (await call('getIssuer', { params: { id } })).issuer,
    create: async (body: Body<'createIssuer'>) => (await call('createIssuer', { body })).issuer,
    update: async (id: string, body: Body<'updateIssuer'>) =>
      (await call('updateIssuer', { params: { id }, body })).issuer,
    setCanIssue: async (id: string, canIssue: boolean) =>
      (await call('setCanIssue', { params: { id }, body: { canIssue } })).issuer,
    setLogo: async (id: string, logo: string | null) =>
      (await call('setLogo', { params: { id }, body: { logo } })).issuer,
    renewCertificate: async (id: string, body: Body<'renewCertificate'>) =>
      (await call('renewCertificate', { params: { id }, body })).issuer,
    remove: async (id: string): Promise<void> => void (await call('deleteIssuer', { params: { id } })),
    activate: async (id: string) => (await call('activateIssuer', { params: { id } })).issuer,
    sequentials: async (id: string) => (await call('listSequentials', { params: { id } })).sequentials,
  };
}

/** The calls about keys. */
export function createKeyCalls({ call }: Api) {
  return {
    list: async () => (await call('listKeys', {})).keys,
    /** The answer holds the token, which the server shows only once. */
    create: (body: Body<'createKey'> = {}): Promise<OperationAnswer<'createKey'>> => call('createKey', { body }),
    revoke: async (id: string): Promise<void> => void (await call('revokeKey', { params: { id } })),
    usage: async (id: string, query: Query<'getKeyUsage'> = {}) =>
      (await call('getKeyUsage', { params: { id }, query })).usage,
  };
}

/** The calls about webhooks. */
export function createWebhookCalls({ call }: Api) {
  return {
    list: async (): Promise<readonly WebhookEndpoint[]> => (await call('listWebhooks', {})).endpoints,
    /** The answer holds the secret, which the server shows only once. */
    create: (body: Body<'createWebhook'>): Promise<OperationAnswer<'createWebhook'>> => call('createWebhook', { body }),
    update: async (id: string, body: Body<'updateWebhook'>) =>
      (await call('updateWebhook', { params: { id }, body })).endpoint,
    remove: async (id: string): Promise<void> => void (await call('deleteWebhook', { params: { id } })),
    /** Every delivery, newest first, page after page. */
    deliveries: (id: string, query: Omit<Query<'listDeliveries'>, 'page'> = {}): AsyncGenerator<WebhookDelivery> =>
      itemsOf((page) => call('listDeliveries', { params: { id }, query: { limit: 100, ...query, page } })),
    redeliver: async (id: string, deliveryId: string) =>
      (await call('redeliver', { params: { id, deliveryId } })).delivery,
    test: async (id: string) => (await call('testWebhook', { params: { id } })).deliveryId,
    rotateSecret: async (id: string) => (await call('rotateWebhookSecret', { params: { id } })).secret,
  };
}

/** The calls about notifications. */
export function createNotificationCalls({ call }: Api) {
  return {
    list: (query: Query<'listNotifications'> = {}) => call('listNotifications', { query }),
    read: async (id: string): Promise<Notification> =>
      (await call('readNotification', { params: { id } })).notification,
    preferences: async (): Promise<readonly NotificationPreference[]> => (await call('getPreferences', {})).preferences,
    setPreferences: async (body: Body<'setPreferences'>): Promise<readonly NotificationPreference[]> =>
      (await call('setPreferences', { body })).preferences,
  };
}

/** The calls about the account itself, and tables of codes. */
export function createTenantCalls({ call }: Api) {
  return {
    get: async () => (await call('getTenant', {})).tenant,
    events: async () => (await call('listTenantEvents', {})).events,
    setLanguage: async (language: 'es' | 'en') => (await call('setLanguage', { body: { language } })).language,
    catalogs: async () => (await call('listCatalogs', {})).catalogs,
    catalog: (name: string) => call('getCatalog', { params: { name } }),
  };
}
