import type { WebhookParts } from './administer-endpoints.js';

export { redeliver } from './administer-endpoints.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** What administering webhooks needs. */
    readonly webhooks: WebhookParts;
  }
}
