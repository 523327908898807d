import type { AddressLimit, KeyLimit } from '../gate/rate-limit.js';
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
} from '../platform/http/route.js';
import type { Scope } from './scopes.js';
import type { UnverifiedUse } from './tenant.js';

type Method = Route['method'];

/** What of a route with a key is not as usual. */
export interface KeyRouteOptions {
  /** What becomes of the request of a suspended account. Default: reads are served, writes are refused. */
  readonly suspended?: 'refused' | 'served';
  /** What an account may ask before its address is verified. Default: reads, and tests of documents. */
  readonly unverified?: 'served' | UnverifiedUse;
  /** Served even where past-due accounts are blocked: it is how they pay. */
  readonly pastDue?: 'served';
  /** The code that tells a key without the scope; default INSUFFICIENT_SCOPE. */
  readonly scopeRefusal?: 'FORBIDDEN';
  /** The limit its requests count against, beside that of every key; default none. */
  readonly limit?: KeyLimit;
  /** As what its requests take the places of their caller; default `usual`. */
  readonly places?: NonNullable<Route['places']>;
}

/** What of a route without a key is not as usual. */
export interface OpenRouteOptions extends Pick<KeyRouteOptions, 'places'> {
  /** The limit its requests count against; default that of reads. */
  readonly limit?: AddressLimit;
}

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
  return { method, path, access: 'tenant', scope, handler, ...usual(method, 'refused'), ...options };
}

/** The same, for one issuer of the account. */
export function issuer(
  method: Method,
  path: string,
  scope: Scope,
  handler: Handler<IssuerCall>,
  options?: KeyRouteOptions,
): IssuerRoute {
  return { method, path, access: 'issuer', scope, handler, ...usual(method, 'sandbox'), ...options };
}

/**
 * The same as for the account, for the web application alone, which knows its people itself. What needs a verified
 * address here is refused where it is done.
 */
export function internal(
  method: Method,
  path: string,
  scope: Scope,
  handler: Handler<TenantCall>,
  options?: KeyRouteOptions,
): InternalRoute {
  return { method, path, access: 'internal', scope, handler, ...usual(method, 'served'), ...options };
}

// --- internal ---

function usual<Use extends KeyRouteOptions['unverified']>(method: Method, unverified: Use) {
  const isRead = method === 'GET';
  return {
    suspended: isRead ? ('served' as const) : ('refused' as const),
    unverified: isRead ? ('served' as const) : unverified,
    limit: null,
  };
}
