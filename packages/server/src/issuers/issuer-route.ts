import type { Scope as DocumentScope, IssuersScope } from 'sri-core';
import { type KeyRoute, type KeyRouteOptions, type Scope, type TenantCall, usualRules } from '../accounts/index.js';
import type { Field } from '../platform/http/field.js';
import { choice } from '../platform/http/fields.js';
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

/** The context of a route of one issuer or of all: whose documents it answers for. */
export interface IssuersCall extends TenantCall {
  readonly scope: IssuersScope;
}

/**
 * A route for a key that names one of the account's issuers in `X-Issuer-Id`, or all of them in its query. The server lists
 * the issuers of the account itself, so that no other one is reachable.
 */
export interface IssuersRoute extends KeyRoute {
  readonly access: 'issuers';
  readonly handler: Handler<IssuersCall>;
}

/** The field of a query that asks for every issuer of the account. */
export const everyIssuer: { readonly issuerId: Field<'all' | null> } = {
  issuerId: choice(['all'], 'Every issuer of the account, removed ones too: `X-Issuer-Id` is not needed.'),
};

/** Whether a request asks for every issuer of the account. */
export function asksForAllIssuers(search: string): boolean {
  return new URLSearchParams(search).get('issuerId') === 'all';
}

/** A read for any key of the account that may read documents, and one or all of its issuers. Its query has `everyIssuer`. */
export function issuers(path: string, handler: Handler<IssuersCall>): IssuersRoute {
  return { method: 'GET', path, access: 'issuers', scope: 'documents:read', handler, ...usualRules('GET', 'sandbox') };
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
