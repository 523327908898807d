import type { PromotionDeps } from './promote.js';
import type { RegistrationDeps } from './register.js';

export { activateVerified } from './note-verified-address.js';
export { type Promoted, type PromotionRequest, promote } from './promote.js';
export { PROMOTION_REFUSALS, promotedFields, promotionBody, toPromotion } from './promotion-handlers.js';
export { type Registered, register } from './register.js';
export { releaseAccount } from './release-account.js';
export { hasDocument } from './release-rows.js';
export { queueVerification } from './verify-address.js';

declare module '../platform/http/services.js' {
  interface Services {
    readonly registration: RegistrationDeps;
    /** Dependencies of moving accounts to production. */
    readonly promotion: PromotionDeps;
  }
}
