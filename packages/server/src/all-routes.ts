import { CONSOLE_ROUTES } from './console/routes.js';
import { ERROR_PAGE_ROUTES } from './error-pages/routes.js';
import type { Route } from './gate/route.js';
import { GUIDE_ROUTES } from './guide/routes.js';
import { describeInterface } from './openapi/description.js';
import type { JsonMembers } from './openapi/json-schema.js';
import { createReferenceRoutes } from './openapi/reference-routes.js';
import { ADMIN_ROUTES } from './operator/routes.js';
import { OPERATION_ROUTES } from './ops/health.js';
import { METRICS_ROUTE } from './ops/metrics-route.js';
import type { ServerUrls } from './platform/http/services.js';
import { START_PAGE_ROUTE } from './start-page.js';
import { ROUTES } from './v1-routes.js';

/** Settings that decide which routes exist. */
export interface RouteOptions {
  readonly urls: Pick<ServerUrls, 'baseUrl' | 'docsUrl'>;
  /** Whether operator tokens are configured. Without one the operator's routes do not exist. */
  readonly hasOperator: boolean;
  /** Whether accounts pay for plans. Default true: without it the routes of subscriptions and payments do not exist. */
  readonly hasPlans?: boolean;
  /** Whether the console is served. Default true. */
  readonly hasConsole?: boolean;
  /** Whether the guide is served. Default true. */
  readonly hasGuide?: boolean;
}

/** Every route of a server, including the routes that describe the others. */
export function allRoutes({
  urls,
  hasOperator,
  hasPlans = true,
  hasConsole = true,
  hasGuide = true,
}: RouteOptions): readonly Route[] {
  const routes: readonly Route[] = [
    START_PAGE_ROUTE,
    ...OPERATION_ROUTES,
    METRICS_ROUTE,
    ...ERROR_PAGE_ROUTES,
    ...(hasConsole ? CONSOLE_ROUTES : []),
    ...(hasGuide ? GUIDE_ROUTES : []),
    ...ROUTES.filter(({ method, path }) => hasPlans || !isOfPlans(method, path)),
    ...(hasOperator ? ADMIN_ROUTES : []),
  ];
  const reference: readonly Route[] = createReferenceRoutes(() => describeInterface([...routes, ...reference], urls));
  return [...reference, ...routes];
}

/** The OpenAPI description of every route, including the operator's. */
export function describeEverything(urls: RouteOptions['urls']): JsonMembers {
  return describeInterface(allRoutes({ urls, hasOperator: true }), urls);
}

// --- internal ---

/** The route that lists subscriptions stays: it answers an empty list. */
function isOfPlans(method: string, path: string): boolean {
  if (path.startsWith('/v1/payments') || path === '/v1/tiers') return true;
  return path.startsWith('/v1/subscriptions') && method !== 'GET';
}
