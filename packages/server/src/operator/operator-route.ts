import type { Handler, PublicCall, RouteBase } from '../platform/http/route.js';
import type { Operator } from './operator.js';

/** What a route of the operator knows: who asks. */
export interface OperatorCall extends PublicCall {
  readonly operator: Operator;
}

/** A route of the operator, who shows a token of the server itself and acts for no account. */
export interface OperatorRoute extends RouteBase {
  readonly access: 'admin';
  /** Its tokens are few: only those tried in vain are limited. */
  readonly limit: null;
  readonly handler: Handler<OperatorCall>;
}
