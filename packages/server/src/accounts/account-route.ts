import type { Handler, PublicCall, RouteBase } from '../platform/http/route.js';
import type { Scope } from './scopes.js';
import type { TenantContext, UnverifiedUse } from './tenant.js';

/** The context of a route behind a key: the account it answers for. */
export interface TenantCall extends PublicCall {
  readonly context: TenantContext;
}

/** The limits of routes by key; tests of webhooks count by account. */
export type KeyLimit = 'tenantsMe' | 'tenantsEvents' | 'sequentials' | 'webhookTests';

/** The rules common to every route with a key. */
export interface KeyRoute extends RouteBase {
  /** The rate limit of its requests, next to the limit of every key; default null, for none. */
  readonly limit: KeyLimit | null;
  /** Counts as a read of the plan, whatever its method. */
  readonly storesNothing?: boolean;
  /** The scope a key needs; null when any key will do. */
  readonly scope: Scope | null;
  /** The code of the error for a key without the scope; default INSUFFICIENT_SCOPE. */
  readonly scopeRefusal?: 'FORBIDDEN';
  /** Whether requests of a suspended account are served. Default: reads are served, writes are refused. */
  readonly suspended: 'refused' | 'served';
  /** The requests that an account with an unverified address may make. Default: reads, and tests of documents. */
  readonly unverified: 'served' | UnverifiedUse;
  /** Served even where past-due accounts are blocked: such accounts pay through it. */
  readonly pastDue?: 'served';
}

/** A route for any key of the account. */
export interface TenantRoute extends KeyRoute {
  readonly access: 'tenant';
  readonly handler: Handler<TenantCall>;
}

/**
 * A route for the web application only, which sends its secret. It acts for an account in one of two ways: with a key
 * of the account, which needs the scope; or with the account's id in `X-Tenant-Id` and no key.
 */
export interface InternalRoute extends KeyRoute {
  readonly access: 'internal';
  readonly handler: Handler<TenantCall>;
}

/** Options of a route with a key that differ from the defaults. */
export type KeyRouteOptions = Partial<
  Pick<KeyRoute, 'suspended' | 'unverified' | 'pastDue' | 'scopeRefusal' | 'limit' | 'storesNothing' | 'slots'>
>;

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
 * Like `tenant`, for the web application only, which authenticates its own users. Without a key it is served before the
 * address is verified; operations that need a verified address check it themselves.
 */
export function internal(
  method: RouteBase['method'],
  path: string,
  scope: Scope,
  handler: Handler<TenantCall>,
  options?: KeyRouteOptions,
): InternalRoute {
  return { method, path, access: 'internal', scope, handler, ...usualRules(method, 'refused'), ...options };
}

/** The default rules of a route: suspended and unverified accounts may read. */
export function usualRules<Use extends KeyRouteOptions['unverified']>(method: RouteBase['method'], unverified: Use) {
  const isRead = method === 'GET';
  return {
    suspended: isRead ? ('served' as const) : ('refused' as const),
    unverified: isRead ? ('served' as const) : unverified,
    limit: null,
  };
}
