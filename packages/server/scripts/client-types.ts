import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { Json, JsonMembers } from '../src/openapi/json-schema.js';

/**
 * The types of the client and where its operations are, as TypeScript: made from the description of the interface. What
 * is for the operator, for the web application or for browsers is left out.
 */
export async function writeClientTypes(description: JsonMembers): Promise<string> {
  const operations = listOperations(description);
  const schema = {
    title: 'Operations',
    description: 'What every operation takes and answers.',
    type: 'object',
    properties: Object.fromEntries(operations.map((each) => [each.name, each.schema])),
    required: operations.map(({ name }) => name),
    definitions: at(description, 'components', 'schemas') ?? {},
  };
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/definitions/');
  const types = await compile(JSON.parse(text) as JSONSchema, 'Operations', {
    additionalProperties: false,
    bannerComment: BANNER,
    format: false,
    ignoreMinAndMaxItems: true,
    strictIndexSignatures: true,
  });
  const places = operations.map(({ name, method, path, issuer }) => `${name}: ['${method}', '${path}', ${issuer}],`);
  return formatted(
    [
      types,
      '/** Where every operation is: its method, its path, and whether it is for one issuer. */',
      `export const ENDPOINTS = {${places.join('\n')}} as const satisfies Readonly<`,
      'Record<keyof Operations, readonly [method: string, path: string, issuer: boolean]>>;',
    ].join('\n'),
  );
}

// --- internal ---

const BANNER =
  '// Made by `npm run client:types` from the description of the interface; a test fails when it is out of date.';

/** The name of an operation that another method of the same path does as well. */
const SECOND_METHOD = /By(GET|POST|PATCH|PUT|DELETE)$/;

interface ClientOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly issuer: boolean;
  readonly schema: JsonMembers;
}

function listOperations(description: JsonMembers): readonly ClientOperation[] {
  return members(description['paths']).flatMap(([path, methods]) =>
    members(methods).flatMap(([method, operation]) => {
      const name = operation['operationId'];
      const isOurs = path.startsWith('/v1/') && !path.startsWith('/v1/admin/') && operation['x-internal'] !== true;
      if (typeof name !== 'string' || !isOurs || SECOND_METHOD.test(name)) return [];
      const issuer = list(operation['parameters']).some(
        (each) => at(each, 'name') === 'X-Issuer-Id' && at(each, 'required') === true,
      );
      return [{ name, method: method.toUpperCase(), path, issuer, schema: schemaOf(operation) }];
    }),
  );
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
  return {
    type: 'object',
    description: String(operation['summary']),
    properties,
    required: Object.keys(properties),
  };
}

const NOTHING = { type: 'null' } as const;

/** What is answered when all went well; where there are two forms of it, either. */
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

/** Formatted as everything else in the repository. */
function formatted(text: string): string {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    `${root}/node_modules/.bin/biome`,
    ['format', '--stdin-file-path', 'packages/sri-core/src/client/api.ts'],
    { cwd: root, input: text, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The types could not be formatted: ${stderr}`);
  return stdout;
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

function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
