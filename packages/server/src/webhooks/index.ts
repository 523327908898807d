import type { WebhookDeps } from './administer-endpoints.js';

export { redeliver } from './administer-endpoints.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** Dependencies of administering webhooks. */
    readonly webhooks: WebhookDeps;
  }
}
