import type { TSchema } from '@sinclair/typebox';
import type { Route } from '../gate/route.js';
import type { Fields } from '../platform/http/field.js';
import type { AnswerShape, Operation } from '../platform/http/route.js';
import { uuid } from '../platform/schema-words.js';
import { headersOf, RATE_LIMIT_HEADERS } from './answer-headers.js';
import { type JsonMembers, type NamedSchemas, toJsonSchema } from './json-schema.js';
import { problemAnswers, type SharedAnswers } from './problem-answers.js';
import { problemCodesOf } from './route-problems.js';
import { exampleOf } from './schema-example.js';
import { tagOf } from './tags.js';

/** A route in the description. Named schemas are added to `named`, shared answers to `shared`. */
export function describeRoute(
  route: Route,
  operation: Operation,
  { named, shared }: { readonly named: NamedSchemas; readonly shared: SharedAnswers },
): JsonMembers {
  const { id, summary, description, body, answers } = operation;
  const isReserved = route.access === 'internal' || route.access === 'service';
  return {
    operationId: id,
    summary,
    ...(description ? { description } : {}),
    tags: [tagOf(route)],
    ...(isReserved ? { 'x-internal': true } : {}),
    ...(route.access === 'public' ? { security: [] } : { security: securityOf(route) }),
    parameters: parametersOf(route, operation, named),
    ...(body ? { requestBody: { required: !body.optional, content: contentOf(body.content, named) } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, shape]) => [
          status,
          describeAnswer(route, operation, [Number(status), shape], named),
        ]),
      ),
      ...problemAnswers(problemCodesOf(route, operation), route.handler.showsPages, shared),
    },
  };
}

// --- internal ---

type ContentShape = Exclude<AnswerShape, 'nothing' | TSchema>;

const TITLES: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Under way.',
  204: 'Done; the answer has no body.',
  304: 'What the caller has is still the one.',
  503: 'Not ready.',
};

function securityOf(route: Route): readonly JsonMembers[] {
  switch (route.access) {
    case 'admin':
      return [{ operator: [] }];
    case 'service':
      return [{ webApplication: [] }];
    case 'internal':
      return [{ webApplication: [], apiKey: route.scope ? [route.scope] : [] }, { webApplication: [] }];
    case 'tenant':
    case 'issuer':
    case 'issuers':
      return [{ apiKey: route.scope ? [route.scope] : [] }];
    default:
      return [{}, { webApplication: [] }];
  }
}

function parametersOf(
  route: Route,
  { params, query, headers, answers }: Operation,
  named: NamedSchemas,
): readonly JsonMembers[] {
  return [
    ...fieldsIn('path', params, named),
    ...fieldsIn('query', query, named),
    ...(route.access === 'issuer'
      ? [parameter('header', 'X-Issuer-Id', uuid('The issuer it is for.'), true, named)]
      : []),
    ...(route.access === 'issuers'
      ? [
          parameter(
            'header',
            'X-Issuer-Id',
            uuid('The issuer it is for, unless `issuerId` asks for all.'),
            false,
            named,
          ),
        ]
      : []),
    ...(route.access === 'internal'
      ? [parameter('header', 'X-Tenant-Id', uuid('The account, where no key of it is sent.'), false, named)]
      : []),
    ...fieldsIn('header', headers, named),
    ...(answers[304] && !headers['If-None-Match'] ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
    { $ref: '#/components/parameters/X-Request-Id' },
    { $ref: '#/components/parameters/Accept-Language' },
  ];
}

function fieldsIn(place: string, fields: Fields, named: NamedSchemas): readonly JsonMembers[] {
  return Object.entries(fields).map(([name, { schema, required }]) => parameter(place, name, schema, required, named));
}

function parameter(place: string, name: string, schema: TSchema, required: boolean, named: NamedSchemas): JsonMembers {
  const { description = '', ...shown } = toJsonSchema(schema, named);
  return { name, in: place, required, description, schema: shown };
}

function describeAnswer(
  route: Route,
  { answers }: Operation,
  [status, shape]: readonly [number, AnswerShape],
  named: NamedSchemas,
): JsonMembers {
  const isReplay = status === 200 && route.path === '/v1/documents' && route.method === 'POST';
  const headers = headersOf([
    'X-Request-Id',
    ...(isLimited(route) ? RATE_LIMIT_HEADERS : []),
    ...(isReplay ? ['Idempotent-Replayed' as const] : []),
    // A route with 304 has an entity tag in its answers.
    ...(answers[304] && [200, 304].includes(status) ? ['ETag' as const] : []),
    ...(shape !== 'nothing' && isContent(shape) ? (shape.headers ?? []) : []),
  ]);
  const description = TITLES[status] ?? 'Answered.';
  if (shape === 'nothing') return { description, headers };
  if (isContent(shape)) return { description: shape.about, headers, content: contentOf(shape.content, named) };
  return { description, headers, content: contentOf({ 'application/json': shape }, named) };
}

function isLimited(route: Route): boolean {
  return route.limit !== null || 'scope' in route;
}

function isContent(shape: Exclude<AnswerShape, 'nothing'>): shape is ContentShape {
  return 'about' in shape;
}

function contentOf(content: Readonly<Record<string, TSchema | undefined>>, named: NamedSchemas): JsonMembers {
  return Object.fromEntries(
    Object.entries(content).flatMap(([type, schema]) => {
      if (!schema) return [];
      const shown = toJsonSchema(schema, named);
      const example = TEXT_EXAMPLES[type] ?? (COMPOSED.has(type) ? exampleOf(shown, named) : null);
      return [[type, { schema: shown, ...(example === null ? {} : { example }) }]];
    }),
  );
}

/** The media types with generated examples. An image or a PDF has no useful one. */
const COMPOSED: ReadonlySet<string> = new Set(['application/json', 'multipart/form-data']);

/** The first characters of texts that are not JSON. */
const TEXT_EXAMPLES: Readonly<Record<string, string>> = {
  'text/csv': 'Fecha,…',
  'text/html': '<!doctype html>…',
  'text/markdown': '# …',
  'text/plain': '…',
  'application/xml': '<?xml version="1.0" encoding="UTF-8"?>…',
};
