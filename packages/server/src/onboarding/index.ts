import type { PromotionParts } from './promote.js';
import type { RegistrationParts } from './register.js';

declare module '../platform/http/services.js' {
  interface Services {
    readonly registration: RegistrationParts;
    /** What moving accounts to production needs. */
    readonly promotion: PromotionParts;
  }
}
