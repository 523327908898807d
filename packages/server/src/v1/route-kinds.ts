import type { LimitName } from '../http/rate-limit.js';
import type {
  Handler,
  InternalRoute,
  IssuerCall,
  IssuerRoute,
  PublicCall,
  PublicRoute,
  Route,
  TenantCall,
  TenantRoute,
} from '../http/route.js';
import type { Scope } from '../tenancy/scopes.js';

type Method = Route['method'];

/** What of a route with a key is not as usual. */
export interface KeyRouteOptions {
  /** What becomes of the request of a suspended account. Default: reads are served, writes are refused. */
  readonly suspended?: 'refused' | 'served';
  /** Served even where past-due accounts are blocked: it is how they pay. */
  readonly pastDue?: 'served';
  /** The code that tells a key without the scope; default INSUFFICIENT_SCOPE. */
  readonly scopeRefusal?: 'FORBIDDEN';
  /** The limit its requests count against; default none. */
  readonly limit?: LimitName;
}

/** What of a route without a key is not as usual. */
export type OpenRouteOptions = Pick<KeyRouteOptions, 'limit'>;

/** A route for anybody. */
export function publicly(
  method: Method,
  path: string,
  handler: Handler<PublicCall>,
  options?: OpenRouteOptions,
): PublicRoute {
  return { method, path, access: 'public', handler, limit: null, ...options };
}

/** A route by which accounts begin; configuration may reserve it to the web application. */
export function onboarding(
  method: Method,
  path: string,
  handler: Handler<PublicCall>,
  options?: OpenRouteOptions,
): PublicRoute {
  return { method, path, access: 'onboarding', handler, limit: null, ...options };
}

/** A route of the web application that acts for no account. */
export function service(method: Method, path: string, handler: Handler<PublicCall>): PublicRoute {
  return { method, path, access: 'service', handler, limit: null };
}

/** A route for any key of the account that holds the scope; null when any key will do. */
export function tenant(
  method: Method,
  path: string,
  scope: Scope | null,
  handler: Handler<TenantCall>,
  options?: KeyRouteOptions,
): TenantRoute {
  return { method, path, access: 'tenant', scope, handler, ...usual(method), ...options };
}

/** The same, for one issuer of the account. */
export function issuer(
  method: Method,
  path: string,
  scope: Scope,
  handler: Handler<IssuerCall>,
  options?: KeyRouteOptions,
): IssuerRoute {
  return { method, path, access: 'issuer', scope, handler, ...usual(method), ...options };
}

/** The same as for the account, for the web application alone. */
export function internal(
  method: Method,
  path: string,
  scope: Scope,
  handler: Handler<TenantCall>,
  options?: KeyRouteOptions,
): InternalRoute {
  return { method, path, access: 'internal', scope, handler, ...usual(method), ...options };
}

// --- internal ---

function usual(method: Method): { readonly suspended: 'refused' | 'served'; readonly limit: null } {
  return { suspended: method === 'GET' ? 'served' : 'refused', limit: null };
}
