export { findAdminToken, parseAdminTokens } from './admin-tokens.js';
export type { Operator } from './operator.js';
export type { OperatorRoute } from './operator-route.js';
