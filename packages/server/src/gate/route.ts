import type { InternalRoute, TenantRoute } from '../accounts/index.js';
import type { IssuerRoute } from '../issuers/index.js';
import type { OperatorRoute } from '../operator/index.js';
import type { PublicRoute } from '../platform/http/route.js';

/** A route that acts for an account. */
export type AccountRoute = TenantRoute | IssuerRoute | InternalRoute;

/** A route with all checks that run before its handler. */
export type Route = PublicRoute | OperatorRoute | AccountRoute;
