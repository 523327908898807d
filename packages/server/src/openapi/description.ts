import type { Route } from '../gate/route.js';
import type { ServerUrls } from '../platform/http/services.js';
import { HEADERS } from './answer-headers.js';
import { type JsonMembers, type NamedSchemas, toJsonSchema } from './json-schema.js';
import { problemExamples, problemSchema, type SharedAnswers } from './problem-answers.js';
import { describeRoute } from './route-operation.js';
import { TAGS, tagOf } from './tags.js';

/**
 * The OpenAPI 3.1 description of those routes, built from the same table and schemas that answer requests, so that the
 * two cannot differ. Routes without a description are omitted.
 */
export function describeInterface(
  routes: readonly Route[],
  urls: Pick<ServerUrls, 'baseUrl' | 'docsUrl'>,
): JsonMembers {
  const named: NamedSchemas = new Map();
  toJsonSchema(problemSchema, named);
  const shared: SharedAnswers = new Map();
  const paths: Record<string, Record<string, JsonMembers>> = {};
  const names = new Set<string>();
  const described = routes.filter(({ handler }) => handler.operation);
  for (const route of described) {
    const { operation } = route.handler;
    if (!operation) continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    // A handler with two methods gives its name to the first of them.
    const id = names.has(operation.id) ? `${operation.id}By${route.method}` : operation.id;
    names.add(id);
    const ofPath = paths[path] ?? {};
    ofPath[route.method.toLowerCase()] = describeRoute(route, { ...operation, id }, { named, shared });
    paths[path] = ofPath;
  }
  const tags = new Set(described.map(tagOf));
  // A server without operator or plans lacks some routes, and the components that only they reference.
  const text = JSON.stringify([paths, [...shared.values()]]);
  const referred = (all: JsonMembers, mark: (name: string) => string): JsonMembers =>
    Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(mark(name))));
  return {
    openapi: '3.1.0',
    info: {
      title: 'SRI electronic invoicing',
      version: INTERFACE_VERSION,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: urls.baseUrl }],
    tags: Object.entries(TAGS)
      .filter(([name]) => [...tags].some((tag) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: referred(SECURITY_SCHEMES, (name) => `"${name}":[]`),
      parameters: PARAMETERS,
      headers: referred(HEADERS, (name) => `"#/components/headers/${name}"`),
      responses: Object.fromEntries(shared),
      examples: referred(problemExamples(urls.docsUrl), (name) => `"#/components/examples/${name}"`),
      schemas: Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

// --- internal ---

/** The version of the described interface. */
const INTERFACE_VERSION = '1.3.1';

const INTRODUCTION = [
  'The six electronic documents of the SRI of Ecuador.',
  'Most answers carry `ok: true`. Amounts, quantities and rates of documents are texts with decimal numbers; days of documents are `DD/MM/YYYY`; moments are ISO 8601. In bodies an optional text that is empty or blank counts as left out.',
  'A refusal is a problem as in RFC 9457: programs go by `code`, and with `VALIDATION_FAILED` by `errors`. Clients ignore fields they do not know.',
].join('\n\n');

const SECURITY_SCHEMES: JsonMembers = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the account; its scopes say what it may do.' },
  webApplication: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Internal-Service-Secret',
    description: 'The secret of the web application.',
  },
  operator: { type: 'http', scheme: 'bearer', description: "A token of the operator's." },
};

const PARAMETERS: JsonMembers = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'What the request is called in answers and logs: 8 to 64 letters, digits, dots, dashes. Default: made.',
    schema: { type: 'string', examples: ['pedido-4711'] },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the answer one has: status 304 says that it is still the one.',
    schema: { type: 'string', examples: ['"0f343b0931126a20"'] },
  },
  'Accept-Language': {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: 'The language of texts for people: es or en. Default: that of the account, else es.',
    schema: { type: 'string', examples: ['es'] },
  },
};
