import type { Scope as DocumentScope } from 'sri-core';
import type { Operator } from '../admin/operator.js';
import type { IssuerRecord } from '../tenancy/issuer-record.js';
import type { Scope } from '../tenancy/scopes.js';
import type { TenantContext } from '../tenancy/tenant.js';
import type { Answer } from './answer.js';
import type { Exchange } from './exchange.js';
import type { LimitName } from './rate-limit.js';

/** What a public route knows when it answers. */
export interface PublicCall {
  readonly exchange: Exchange;
}

/** What a route behind a key knows: for whom it answers. */
export interface TenantCall extends PublicCall {
  readonly context: TenantContext;
}

/** What a route of one issuer knows: also which, and in which world its documents are. */
export interface IssuerCall extends TenantCall {
  readonly issuer: IssuerRecord;
  readonly scope: DocumentScope;
}

/** What a route of the operator knows: who asks. */
export interface OperatorCall extends PublicCall {
  readonly operator: Operator;
}

/**
 * A handler in its two steps. What a request says is judged before what it names is looked up, so that a caller learns
 * of malformed input first; the pipeline stands between the two.
 */
export interface Handler<Call> {
  /** Parses the request. @throws Refusal when it is malformed. */
  prepare(exchange: Exchange): Promise<PreparedHandler<Call>>;
}

/** A handler that has read its request. */
export interface PreparedHandler<Call> {
  /** Calls the use case and shapes what it gives. */
  answer(call: Call): Promise<Answer>;
  /** What else is wrong with the input, told before that its issuer or document is not there. @throws Refusal */
  review?(): void;
}

/** Makes a handler from a parser and what is answered to what was parsed. */
export function defineHandler<Call extends PublicCall, Input = undefined>(steps: {
  readonly parse?: (exchange: Exchange) => Input | Promise<Input>;
  readonly review?: (exchange: Exchange, input: Input) => void;
  readonly answer: (call: Call, input: Input) => Promise<Answer>;
}): Handler<Call> {
  const { parse, review, answer } = steps;
  return {
    async prepare(exchange) {
      // Without a parser `Input` is undefined, which the compiler cannot see.
      const input = (await parse?.(exchange)) as Input;
      return {
        answer: (call) => answer(call, input),
        ...(review ? { review: () => review(exchange, input) } : {}),
      };
    },
  };
}

/** What holds for every route. */
interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `:name` for its parameters. */
  readonly path: string;
  /** The limit its requests count against; null for none. */
  readonly limit: LimitName | null;
}

/**
 * A route that needs no key. `onboarding` ones may be reserved to the web application by configuration; `service` ones
 * always are.
 */
export interface PublicRoute extends RouteBase {
  readonly access: 'public' | 'onboarding' | 'service';
  readonly handler: Handler<PublicCall>;
}

/** A route of the operator, who shows a token of the server itself and acts for no account. */
export interface OperatorRoute extends RouteBase {
  readonly access: 'admin';
  readonly handler: Handler<OperatorCall>;
}

interface KeyRoute extends RouteBase {
  /** The scope a key needs; null when any key will do. */
  readonly scope: Scope | null;
  /** The code that tells a key without the scope; default INSUFFICIENT_SCOPE. */
  readonly scopeRefusal?: 'FORBIDDEN';
  /** What becomes of the request of a suspended account. */
  readonly suspended: 'refused' | 'served';
  /** Served even where past-due accounts are blocked: it is how they pay. */
  readonly pastDue?: 'served';
}

/** A route for any key of the account. */
export interface TenantRoute extends KeyRoute {
  readonly access: 'tenant';
  readonly handler: Handler<TenantCall>;
}

/** A route for a key that also names one of the account's issuers in `X-Issuer-Id`. */
export interface IssuerRoute extends KeyRoute {
  readonly access: 'issuer';
  readonly handler: Handler<IssuerCall>;
}

/**
 * A route of the web application alone, which shows its secret and acts for an account: with one of the account's keys,
 * which needs the scope as anywhere, or by the account's id in `X-Tenant-Id` and no key.
 */
export interface InternalRoute extends KeyRoute {
  readonly access: 'internal';
  readonly handler: Handler<TenantCall>;
}

/** A route that acts for an account. */
export type AccountRoute = TenantRoute | IssuerRoute | InternalRoute;

/** A route with everything that is checked before its handler answers. */
export type Route = PublicRoute | OperatorRoute | AccountRoute;
