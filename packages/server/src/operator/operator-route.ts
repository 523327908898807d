import type { Handler, PublicCall, RouteBase } from '../platform/http/route.js';
import type { Operator } from './operator.js';

/** The context of a route of the operator: the caller. */
export interface OperatorCall extends PublicCall {
  readonly operator: Operator;
}

/** A route of the operator, who sends a token of the server itself and acts for no account. */
export interface OperatorRoute extends RouteBase {
  readonly access: 'admin';
  /** The operator has few tokens: only failed attempts are limited. */
  readonly limit: null;
  readonly handler: Handler<OperatorCall>;
}
