import { type InternalRoute, internal } from '../accounts/index.js';
import { onboarding, type PublicRoute, publicly } from '../platform/http/route.js';
import { postPromotion } from './promotion-handlers.js';
import { recoverTenant } from './recovery-handlers.js';
import { showRecoveryUndo, undoAccountRecovery } from './recovery-undo-handlers.js';
import { registerTenant } from './registration-handlers.js';
import { resendEmail } from './resend-handlers.js';
import { checkEmail, confirmEmail, confirmEmailByLink } from './verification-handlers.js';

/** Routes of registration, verification, recovery and promotion. */
export const ONBOARDING_ROUTES: readonly (InternalRoute | PublicRoute)[] = [
  onboarding('POST', '/v1/register', registerTenant, { limit: 'onboarding', slots: 'uploading' }),
  onboarding('POST', '/v1/recover', recoverTenant, { limit: 'onboarding', slots: 'uploading' }),
  onboarding('POST', '/v1/resend-verification', resendEmail, { limit: 'onboarding' }),
  publicly('GET', '/v1/recover/undo', showRecoveryUndo),
  publicly('POST', '/v1/recover/undo', undoAccountRecovery, { limit: 'publicWork' }),
  publicly('GET', '/v1/verify-email/check', checkEmail),
  onboarding('POST', '/v1/verify-email', confirmEmail, { limit: 'publicWork' }),
  onboarding('GET', '/v1/verify-email', confirmEmailByLink, { limit: 'publicWork' }),
  internal('POST', '/v1/tenants/promote', 'tenant:promote', postPromotion),
];
