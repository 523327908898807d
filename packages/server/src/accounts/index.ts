import type { Tenant } from './tenant.js';
import type { CurrentUsage } from './usage.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** What an account has used of its plan by now. */
    readonly readUsage: (tenant: Tenant) => Promise<CurrentUsage>;
  }
}
