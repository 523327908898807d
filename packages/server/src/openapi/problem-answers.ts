import { PROBLEMS, type ProblemCode } from '../platform/errors/error-catalogue.js';
import { exampleProblem } from '../platform/http/example-problem.js';
import { listOf, maybe, named, part, text, uuid, whole } from '../platform/schema-words.js';
import { type HeaderName, headersOf, RATE_LIMIT_HEADERS } from './answer-headers.js';
import type { Json, JsonMembers } from './json-schema.js';

/** The body of every error, as in RFC 9457. */
export const problemSchema = named('Problem', 'Why a request was refused.', {
  type: text('A page that explains the code.', 'https://api.example.com/docs/errors/validation-error'),
  title: text('For people: the kind of problem.', 'Invalid data'),
  status: whole('The HTTP status.', 400),
  code: text('What went wrong, for programs. It never changes its meaning.', 'VALIDATION_FAILED'),
  reason: maybe(text('A finer name beside a broad code.', 'ISSUER_ID_REQUIRED')),
  detail: text('For people: what went wrong, in the language of the answer.', '1 field is not valid.'),
  instance: text('Path of the request.', '/v1/documents'),
  requestId: text('What the server calls the request, as in `X-Request-Id`.', 'req_0197f3a0c5d27b1e'),
  errors: maybe(
    listOf(
      part('A broken rule.', {
        field: text('Where: a path into the body, or `query:`, `path:` or `header:` and a name.', 'items[0].quantity'),
        rule: text('Which rule.', 'decimal'),
        message: text('For people, in the language of the answer.', 'Has to be a decimal number.'),
        code: text('The field without the positions of lists.', 'items.quantity'),
      }),
      'With VALIDATION_FAILED: every broken rule, at most 50.',
    ),
  ),
  issuerId: maybe(uuid('With ISSUER_ALREADY_EXISTS: the issuer, also when it is removed.')),
  requiredScope: maybe(text('With INSUFFICIENT_SCOPE: the scope that is missing.', 'documents:write')),
});

/** An example of every code, by name. */
export function problemExamples(docsUrl: string): JsonMembers {
  return Object.fromEntries(
    CODES.map((code) => [
      code,
      {
        summary: PROBLEMS[code].title.en,
        // The builder's value is JSON once it is answered.
        value: JSON.parse(JSON.stringify(exampleProblem(code, { language: 'en', docsUrl }))) as Json,
      },
    ]),
  );
}

/** Shared answers of several routes, by name. */
export type SharedAnswers = Map<string, JsonMembers>;

/**
 * The error answers of a route, by status. They are added to `shared`, since many routes have the same errors.
 * @param page whether a browser gets a page instead.
 */
export function problemAnswers(codes: readonly ProblemCode[], page: boolean, shared: SharedAnswers): JsonMembers {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  const refusals = [...byStatus].map(([status, ofStatus]) => {
    const name = [...(page ? ['page'] : []), ...ofStatus].join('.');
    if (!shared.has(name)) shared.set(name, problemAnswer(ofStatus, page));
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  shared.set('otherwise', OTHERWISE);
  return { ...Object.fromEntries(refusals), default: { $ref: '#/components/responses/otherwise' } };
}

// --- internal ---

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** An error that no route declares: a method that its path does not have. Later codes have this form too. */
const OTHERWISE: JsonMembers = {
  description:
    'Any other refusal, in the same form. `METHOD_NOT_ALLOWED` (405): the path does not take the method, and `Allow` names those it takes.',
  headers: headersOf(['X-Request-Id', 'Allow']),
  content: Object.fromEntries(
    ['application/json', 'application/problem+json'].map((type) => [
      type,
      {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: { METHOD_NOT_ALLOWED: { $ref: '#/components/examples/METHOD_NOT_ALLOWED' } },
      },
    ]),
  ),
};

const HEADERS_OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', ...RATE_LIMIT_HEADERS],
  503: ['Retry-After'],
};

function problemAnswer(codes: readonly ProblemCode[], page: boolean): JsonMembers {
  const [first] = codes;
  const status = first ? PROBLEMS[first].status : 500;
  const content = {
    schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: [...codes] } } }] },
    examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title.en}.`).join('\n\n'),
    headers: headersOf(['X-Request-Id', ...(HEADERS_OF_STATUS[status] ?? [])]),
    content: {
      'application/json': content,
      'application/problem+json': content,
      ...(page ? { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } } : {}),
    },
  };
}
