import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describeEverything } from '../all-routes.js';
import { isMembers, type Json, type JsonMembers } from '../openapi/json-schema.js';

/**
 * Compares an answer with the description of the interface: its status, headers, media type and JSON body must be
 * described, and the body must have no other members. Answers of routes that do not exist are not described.
 *
 * @throws Error that names what the description lacks, or the answer's surplus.
 */
export async function checkAnswer(method: string, path: string, response: Response): Promise<void> {
  if (method === 'HEAD' || method === 'OPTIONS') return;
  const place = findOperation(method, path);
  if (!place) return;
  const complain = (what: string) => {
    throw new Error(`${method} ${place.path} answered ${response.status}: ${what}`);
  };
  const described = member(member(place.operation, 'responses'), String(response.status));
  if (!isMembers(described)) return complain('the description knows no such status.');
  const shared = member(described, '$ref');
  const pointer = typeof shared === 'string' ? shared : `${place.pointer}/responses/${response.status}`;
  const answer = typeof shared === 'string' ? sharedAnswer(shared) : described;
  const known = Object.keys(membersOf(member(answer, 'headers'))).map((name) => name.toLowerCase());
  const unknown = [...response.headers.keys()].find((name) => !known.includes(name) && !EVERY_ANSWER.test(name));
  if (unknown) return complain(`the description knows no header ${unknown} there.`);
  const content = member(answer, 'content');
  const type = response.headers.get('content-type')?.split(';')[0] ?? null;
  if (!isMembers(content)) return type === null ? undefined : complain(`the description knows no ${type} there.`);
  if (type === null || !isMembers(content[type])) return complain(`the description knows no ${type} there.`);
  if (!type.endsWith('json')) return;
  const validate = validatorOf(`${pointer}/content/${pointerPart(type)}/schema`);
  const body: unknown = await response.clone().json();
  if (!validate(body)) complain(`${validatorErrors(validate)} in ${JSON.stringify(body).slice(0, 1500)}`);
}

// --- internal ---

/** Headers that HTTP and browsers understand, and those of limits, which errors have too. */
const EVERY_ANSWER =
  /^(cache-control|connection|content-(type|language|security-policy)|ratelimit-\w+|referrer-policy|vary|x-content-type-options)$/;

const urls = { baseUrl: 'http://localhost:3000', docsUrl: 'http://localhost:3000/docs' };

let prepared: {
  readonly ajv: Ajv2020;
  readonly description: JsonMembers;
  readonly places: readonly DescribedPath[];
} | null = null;
const validators = new Map<string, ValidateFunction>();

interface DescribedPath {
  readonly form: RegExp;
  readonly path: string;
  readonly operations: JsonMembers;
}

function prepare() {
  if (prepared) return prepared;
  const description = describeEverything(urls);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false, logger: false });
  formats.default(ajv);
  ajv.addSchema(closedMembers({ ...description, $id: 'description' }));
  const paths = member(description, 'paths');
  const places = Object.entries(membersOf(paths)).flatMap(([path, operations]) =>
    isMembers(operations) ? [{ form: formOf(path), path, operations }] : [],
  );
  // A path without parameters goes first.
  prepared = { ajv, description, places: places.toSorted((a, b) => parameters(a.path) - parameters(b.path)) };
  return prepared;
}

function findOperation(method: string, requested: string) {
  const path = requested.split('?')[0] ?? '';
  const place = prepare().places.find(({ form }) => form.test(path));
  const operation = place?.operations[method.toLowerCase()];
  if (!place || !isMembers(operation)) return null;
  return { path: place.path, operation, pointer: `#/paths/${pointerPart(place.path)}/${method.toLowerCase()}` };
}

function sharedAnswer(reference: string): Json | undefined {
  const responses = member(member(prepare().description, 'components'), 'responses');
  return member(responses, reference.split('/').at(-1) ?? '');
}

function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known) return known;
  const made = prepare().ajv.compile({ $ref: `description${pointer}` });
  validators.set(pointer, made);
  return made;
}

function validatorErrors({ errors }: ValidateFunction): string {
  return (errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

/** The description allows future fields; the tests do not. */
function closedMembers(schema: JsonMembers): JsonMembers {
  const members = Object.fromEntries(Object.entries(schema).map(([name, entry]) => [name, closed(entry)]));
  const isClosed = schema['type'] === 'object' && 'properties' in schema && !('additionalProperties' in schema);
  return isClosed ? { ...members, additionalProperties: false } : members;
}

function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  return isMembers(value) ? closedMembers(value) : value;
}

function formOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}

function parameters(path: string): number {
  return path.split('{').length;
}

function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function membersOf(value: Json | undefined): JsonMembers {
  return isMembers(value) ? value : {};
}

function member(value: Json | undefined, name: string): Json | undefined {
  return membersOf(value)[name];
}
