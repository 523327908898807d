import type { BillingParts } from './change-billing.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** What subscriptions and payments need. */
    readonly billing: BillingParts;
  }
}
