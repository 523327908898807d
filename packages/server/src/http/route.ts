import type { Scope as DocumentScope } from 'sri-core';
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

/** A route that needs no key. `onboarding` ones may be reserved to the web application by configuration. */
export interface PublicRoute extends RouteBase {
  readonly access: 'public' | 'onboarding';
  readonly handler: Handler<PublicCall>;
}

interface KeyRoute extends RouteBase {
  /** The scope a key needs; null when any key will do. */
  readonly scope: Scope | null;
  /** The code that tells a key without the scope; default INSUFFICIENT_SCOPE. */
  readonly scopeRefusal?: 'FORBIDDEN';
  /** What becomes of the request of a suspended account. */
  readonly suspended: 'refused' | 'served';
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

/** A route with everything that is checked before its handler answers. */
export type Route = PublicRoute | TenantRoute | IssuerRoute;
