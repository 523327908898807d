import type { JsonMembers } from './json-schema.js';

/** The headers of answers, as components of the description. */
export const HEADERS = {
  'X-Request-Id': { description: 'What the server calls the request.', schema: { type: 'string' } },
  Allow: {
    description: 'The methods a path takes, where another was asked for.',
    schema: { type: 'string', examples: ['GET, HEAD, POST'] },
  },
  'Retry-After': { description: 'Seconds until it makes sense to try again.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', examples: ['Bearer'] } },
  'Idempotent-Replayed': {
    description: '`true` when the document was made by an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'RateLimit-Limit': { description: 'Requests allowed in the window.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in the window.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: { type: 'integer' } },
  ETag: {
    description: 'The tag of the answer, for `If-None-Match`.',
    schema: { type: 'string', examples: ['"0f343b0931126a20"'] },
  },
  'Content-Disposition': {
    description: 'The name under which the file is saved.',
    schema: { type: 'string', examples: ['attachment; filename="documentos-2026-11-21.csv"'] },
  },
  'X-Template-Version': {
    description: 'The version of the agreement.',
    schema: { type: 'string', examples: ['2026-01'] },
  },
  'X-Document-Status': {
    description: 'Where the copy stands.',
    schema: { type: 'string', enum: ['PENDING', 'ACCEPTED', 'SUPERSEDED'] },
  },
  'X-Accepted-At': {
    description: 'When the copy was accepted; absent until then.',
    schema: { type: 'string', format: 'date-time' },
  },
} as const satisfies JsonMembers;

/** The name of a described header. */
export type HeaderName = keyof typeof HEADERS;

/** The headers of a limited answer. */
export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** References to those headers. */
export function headersOf(names: readonly HeaderName[]): JsonMembers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
