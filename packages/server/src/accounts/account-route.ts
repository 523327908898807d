import type { Handler, PublicCall, RouteBase } from '../platform/http/route.js';
import type { Scope } from './scopes.js';
import type { TenantContext, UnverifiedUse } from './tenant.js';

/** What a route behind a key knows: for whom it answers. */
export interface TenantCall extends PublicCall {
  readonly context: TenantContext;
}

/** The limits of routes by key; tests of webhooks count by account. */
export type KeyLimit = 'tenantsMe' | 'tenantsEvents' | 'sequentials' | 'webhookTests';

/** What holds for every route with a key. */
export interface KeyRoute extends RouteBase {
  /** The limit its requests count against, beside that of every key; null for none. */
  readonly limit: KeyLimit | null;
  /** The scope a key needs; null when any key will do. */
  readonly scope: Scope | null;
  /** The code that tells a key without the scope; default INSUFFICIENT_SCOPE. */
  readonly scopeRefusal?: 'FORBIDDEN';
  /** What becomes of the request of a suspended account. */
  readonly suspended: 'refused' | 'served';
  /** What becomes of the request of an account whose address is not verified. */
  readonly unverified: 'served' | UnverifiedUse;
  /** Served even where past-due accounts are blocked: it is how they pay. */
  readonly pastDue?: 'served';
}

/** A route for any key of the account. */
export interface TenantRoute extends KeyRoute {
  readonly access: 'tenant';
  readonly handler: Handler<TenantCall>;
}

/**
 * A route of the web application alone, which shows its secret and acts for an account: with one of the account's keys,
 * which needs the scope as anywhere, or by the account's id in `X-Tenant-Id` and no key.
 */
export interface InternalRoute extends KeyRoute {
  readonly access: 'internal';
  readonly handler: Handler<TenantCall>;
}

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
  readonly places?: NonNullable<RouteBase['places']>;
}

/** A route for any key of the account that holds the scope; null when any key will do. */
export function tenant(
  method: RouteBase['method'],
  path: string,
  scope: Scope | null,
  handler: Handler<TenantCall>,
  options?: KeyRouteOptions,
): TenantRoute {
  return { method, path, access: 'tenant', scope, handler, ...usualRules(method, 'refused'), ...options };
}

/**
 * The same as for the account, for the web application alone, which knows its people itself. What needs a verified
 * address here is refused where it is done.
 */
export function internal(
  method: RouteBase['method'],
  path: string,
  scope: Scope,
  handler: Handler<TenantCall>,
  options?: KeyRouteOptions,
): InternalRoute {
  return { method, path, access: 'internal', scope, handler, ...usualRules(method, 'served'), ...options };
}

/** The rules of a route that says nothing else: suspended accounts may read, and unverified accounts may too. */
export function usualRules<Use extends KeyRouteOptions['unverified']>(method: RouteBase['method'], unverified: Use) {
  const isRead = method === 'GET';
  return {
    suspended: isRead ? ('served' as const) : ('refused' as const),
    unverified: isRead ? ('served' as const) : unverified,
    limit: null,
  };
}
