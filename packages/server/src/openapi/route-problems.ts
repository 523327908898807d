import type { Route } from '../gate/route.js';
import { PROBLEMS, type ProblemCode } from '../platform/errors/error-catalogue.js';
import type { Operation } from '../platform/http/route.js';

/** Every code that a route can answer with, in the order of the catalogue: those of its checks, and its own. */
export function problemCodesOf(route: Route, operation: Operation): readonly ProblemCode[] {
  const codes = new Set<ProblemCode>([
    ...ALWAYS,
    ...codesOfInput(operation),
    ...codesOfAccess(route),
    ...(operation.refuses ?? []),
  ]);
  // A status that the route answers itself is not an error there.
  const isRefusal = (code: ProblemCode) => !Object.hasOwn(operation.answers, PROBLEMS[code].status);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code) && isRefusal(code));
}

// --- internal ---

const ALWAYS: readonly ProblemCode[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

function codesOfInput({ params, query, headers, body }: Operation): readonly ProblemCode[] {
  const isRead = [params, query, headers].some((fields) => Object.keys(fields).length > 0);
  if (body) return ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT', 'BAD_REQUEST'];
  return isRead ? ['VALIDATION_FAILED'] : [];
}

function codesOfAccess(route: Route): readonly ProblemCode[] {
  switch (route.access) {
    case 'public':
      return ['TOO_MANY_REQUESTS'];
    case 'onboarding':
    case 'service':
      return ['INTERNAL_SERVICE_ONLY', 'TOO_MANY_REQUESTS'];
    case 'admin':
      return ['UNAUTHORIZED', 'TOO_MANY_REQUESTS'];
    default:
      return [...codesOfKey(route), ...CODES_OF_ACCOUNT_ROUTES[route.access]];
  }
}

const CODES_OF_ACCOUNT_ROUTES = {
  tenant: [],
  issuer: ['BAD_REQUEST', 'NOT_FOUND', 'FORBIDDEN'],
  issuers: ['BAD_REQUEST', 'NOT_FOUND', 'FORBIDDEN'],
  internal: ['INTERNAL_SERVICE_ONLY', 'VALIDATION_FAILED', 'NOT_FOUND'],
} as const satisfies Readonly<Record<string, readonly ProblemCode[]>>;

function codesOfKey(route: Extract<Route, { readonly scope: unknown }>): readonly ProblemCode[] {
  const { scope, scopeRefusal = 'INSUFFICIENT_SCOPE', suspended, unverified, pastDue } = route;
  const codes: ProblemCode[] = ['UNAUTHORIZED', 'TOO_MANY_REQUESTS'];
  if (scope) codes.push(scopeRefusal);
  if (suspended === 'refused') codes.push('ACCOUNT_SUSPENDED');
  if (suspended === 'refused' && pastDue !== 'served') codes.push('ACCOUNT_PAST_DUE');
  if (unverified !== 'served') codes.push('EMAIL_VERIFICATION_REQUIRED');
  return codes;
}
