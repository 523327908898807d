import type { InternalRoute, TenantRoute } from '../accounts/index.js';
import type { IssuerRoute, IssuersRoute } from '../issuers/index.js';
import type { OperatorRoute } from '../operator/index.js';
import type { PublicRoute } from '../platform/http/route.js';

/** A route that acts for an account. */
export type AccountRoute = TenantRoute | IssuerRoute | IssuersRoute | InternalRoute;

/** A route with all checks that run before its handler. */
export type Route = PublicRoute | OperatorRoute | AccountRoute;
