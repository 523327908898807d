import { type PublicRoute, service } from '../platform/http/route.js';
import { reportMail } from './handlers.js';

/** Routes by which mail providers report deliveries. */
export const MAIL_ROUTES: readonly PublicRoute[] = [service('POST', '/v1/internal/email-events', reportMail)];
