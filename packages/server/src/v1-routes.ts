import { ACCOUNTS_ROUTES } from './accounts/routes.js';
import { AGREEMENTS_ROUTES } from './agreements/routes.js';
import { BILLING_ROUTES } from './billing/routes.js';
import { DOCUMENTS_ROUTES } from './documents/routes.js';
import type { Route } from './gate/route.js';
import { ISSUERS_ROUTES } from './issuers/routes.js';
import { KEYS_ROUTES } from './keys/routes.js';
import { MAIL_ROUTES } from './mail/routes.js';
import { NOTIFICATIONS_ROUTES } from './notifications/routes.js';
import { ONBOARDING_ROUTES } from './onboarding/routes.js';
import { WEBHOOKS_ROUTES } from './webhooks/routes.js';

/** Every route under `/v1` except the operator's. */
export const ROUTES: readonly Route[] = [
  ...ONBOARDING_ROUTES,
  ...ACCOUNTS_ROUTES,
  ...AGREEMENTS_ROUTES,
  ...ISSUERS_ROUTES,
  ...KEYS_ROUTES,
  ...DOCUMENTS_ROUTES,
  ...NOTIFICATIONS_ROUTES,
  ...WEBHOOKS_ROUTES,
  ...BILLING_ROUTES,
  ...MAIL_ROUTES,
];
