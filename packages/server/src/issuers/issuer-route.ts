import type { Scope as DocumentScope } from 'sri-core';
import { type KeyRoute, type KeyRouteOptions, type Scope, type TenantCall, usualRules } from '../accounts/index.js';
import type { Handler, RouteBase } from '../platform/http/route.js';
import type { IssuerRecord } from './issuer-record.js';

/** The context of a route of one issuer: also the issuer and the environment of its documents. */
export interface IssuerCall extends TenantCall {
  readonly issuer: IssuerRecord;
  readonly scope: DocumentScope;
}

/** A route for a key that also names one of the account's issuers in `X-Issuer-Id`. */
export interface IssuerRoute extends KeyRoute {
  readonly access: 'issuer';
  readonly handler: Handler<IssuerCall>;
}

/** A route for any key of the account that holds the scope, and one issuer of the account. */
export function issuer(
  method: RouteBase['method'],
  path: string,
  scope: Scope,
  handler: Handler<IssuerCall>,
  options?: KeyRouteOptions,
): IssuerRoute {
  return { method, path, access: 'issuer', scope, handler, ...usualRules(method, 'sandbox'), ...options };
}
