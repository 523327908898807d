import { readFile, writeFile } from 'node:fs/promises';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { isMembers, type Json, type JsonMembers } from '../src/openapi/json-schema.js';

const CLIENT = new URL('../../sri-core/src/client/', import.meta.url);

/** Writes the types of the client, which git ignores, and its table of operations. Leaves unchanged files untouched. */
export async function writeClientTypes(description: JsonMembers): Promise<void> {
  const operations = listOperations(description);
  await writeChanged('api.ts', await typesOf(operations, description));
  await writeChanged('endpoints.ts', endpointsOf(operations));
}

// --- internal ---

const BANNER = '// Made by `npm run client:types` from the description of the interface.';

/** The input and the answer of every operation. */
function typesOf(operations: readonly ClientOperation[], description: JsonMembers): Promise<string> {
  const schema = {
    title: 'Operations',
    description: 'The parameters, body and answer of every operation.',
    type: 'object',
    properties: Object.fromEntries(operations.map((each) => [each.name, each.schema])),
    required: operations.map(({ name }) => name),
    definitions: at(description, 'components', 'schemas') ?? {},
  };
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/definitions/');
  return compile(JSON.parse(text) as JSONSchema, 'Operations', {
    additionalProperties: false,
    bannerComment: BANNER,
    style: { singleQuote: true },
    ignoreMinAndMaxItems: true,
    strictIndexSignatures: true,
  });
}

/** The table of operations as a source file, in the style of the formatter. */
function endpointsOf(operations: readonly ClientOperation[]): string {
  return [
    BANNER,
    "import type { Operations } from './api.js';",
    '',
    '/** The method and the path of every operation, and whether it needs an issuer; `unlessAll`: not when `issuerId` is `all`. */',
    'export const ENDPOINTS = {',
    ...operations.map(
      ({ name, method, path, issuer }) =>
        `  ${name}: ['${method}', '${path}', ${issuer === 'unlessAll' ? `'${issuer}'` : issuer}],`,
    ),
    '} as const satisfies Readonly<',
    "  Record<keyof Operations, readonly [method: string, path: string, issuer: boolean | 'unlessAll']>",
    '>;',
    '',
  ].join('\n');
}

async function writeChanged(name: string, text: string): Promise<void> {
  const file = new URL(name, CLIENT);
  const before = await readFile(file, 'utf8').catch(() => null);
  if (before !== text) await writeFile(file, text);
}

/** The name of an operation that another method of the same path repeats. */
const SECOND_METHOD = /By(GET|POST|PATCH|PUT|DELETE)$/;

interface ClientOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly issuer: boolean | 'unlessAll';
  readonly schema: JsonMembers;
}

function listOperations(description: JsonMembers): readonly ClientOperation[] {
  return members(description['paths']).flatMap(([path, methods]) =>
    members(methods).flatMap(([method, operation]) => {
      const name = operation['operationId'];
      const isOurs = path.startsWith('/v1/') && !path.startsWith('/v1/admin/') && operation['x-internal'] !== true;
      if (typeof name !== 'string' || !isOurs || SECOND_METHOD.test(name)) return [];
      const issuer = issuerOf(list(operation['parameters']));
      return [{ name, method: method.toUpperCase(), path, issuer, schema: schemaOf(operation) }];
    }),
  );
}

function issuerOf(parameters: readonly Json[]): ClientOperation['issuer'] {
  const header = parameters.find((each) => at(each, 'name') === 'X-Issuer-Id');
  if (at(header, 'required') === true) return true;
  return header && parameters.some((each) => at(each, 'name') === 'issuerId') ? 'unlessAll' : false;
}

function schemaOf(operation: JsonMembers): JsonMembers {
  const body = at(operation, 'requestBody', 'content', 'application/json', 'schema');
  const isOptional = at(operation, 'requestBody', 'required') === false;
  const properties: Record<string, Json> = {
    params: fieldsIn(operation, 'path'),
    query: fieldsIn(operation, 'query'),
    body: isOptional && body !== undefined ? { anyOf: [body, NOTHING] } : (body ?? NOTHING),
    answer: answerOf(operation),
  };
  return { type: 'object', description: String(operation['summary']), properties, required: Object.keys(properties) };
}

const NOTHING = { type: 'null' } as const;

/** The answer of a 2xx; a union where there are two forms of it. */
function answerOf(operation: JsonMembers): Json {
  const schemas = members(operation['responses'])
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, answer]) => at(answer, 'content', 'application/json', 'schema') ?? []);
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first] = distinct;
  return distinct.length > 1 ? { anyOf: distinct } : (first ?? NOTHING);
}

function fieldsIn(operation: JsonMembers, place: string): Json {
  const fields = list(operation['parameters']).filter((each) => at(each, 'in') === place);
  if (fields.length === 0) return NOTHING;
  const shown = fields.map((each): readonly [string, Json] => {
    const schema = at(each, 'schema');
    const description = at(each, 'description') ?? '';
    return [String(at(each, 'name')), isMembers(schema) ? { ...schema, description } : {}];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    required: fields.filter((each) => at(each, 'required') === true).map((each) => String(at(each, 'name'))),
  };
}

function at(value: Json | undefined, ...names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>((inner, name) => (isMembers(inner) ? inner[name] : undefined), value);
}

function members(value: Json | undefined): readonly (readonly [string, JsonMembers])[] {
  return Object.entries(isMembers(value) ? value : {}).flatMap(([name, each]) =>
    isMembers(each) ? [[name, each] as const] : [],
  );
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
