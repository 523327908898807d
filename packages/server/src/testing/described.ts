import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describeEverything } from '../all-routes.js';
import { isMembers, type Json, type JsonMembers } from '../openapi/json-schema.js';

const URLS = { baseUrl: 'https://api.example.com', docsUrl: 'https://api.example.com/docs' };

/** The description of all routes. */
export const description = describeEverything(URLS);

/** The value at a path of nested names. */
export const at = (value: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((inner, name) => (isMembers(inner) ? inner[name] : undefined), value);

/** The members that are objects themselves. */
export const members = (value: Json | undefined): readonly (readonly [string, JsonMembers])[] =>
  Object.entries(isMembers(value) ? value : {}).flatMap(([name, each]) =>
    isMembers(each) ? [[name, each] as const] : [],
  );

/** The entries of a list; empty for any other value. */
export const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** An operation of the description. */
export interface DescribedOperation {
  /** Its method and path. */
  readonly name: string;
  readonly path: string;
  readonly method: string;
  readonly operation: JsonMembers;
}

/** Every operation of the description. */
export const operations: readonly DescribedOperation[] = members(description['paths']).flatMap(([path, methods]) =>
  members(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, method, operation })),
);

/** The target of a reference into the description; any other value unchanged. */
export function resolved(value: JsonMembers): JsonMembers {
  const reference = value['$ref'];
  if (typeof reference !== 'string') return value;
  const found = at(description, ...reference.replace('#/', '').split('/'));
  if (!isMembers(found)) throw new Error(`${reference} leads nowhere.`);
  return found;
}

/** Validates values against a schema of the description. */
export function validatorOf(schema: Json | undefined): ValidateFunction {
  const key = JSON.stringify(schema ?? {});
  const made = validators.get(key) ?? ajv.compile(rebased(schema));
  validators.set(key, made);
  return made;
}

/** The schema errors of a value; empty if it is valid. */
export function faultOf(schema: Json | undefined, value: unknown): string {
  const validate = validatorOf(schema);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

// --- internal ---

const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
formats.default(ajv);
ajv.addSchema({ ...description, $id: 'description' });

const validators = new Map<string, ValidateFunction>();

/** A schema whose references point into the description. */
function rebased(schema: Json | undefined): JsonMembers {
  const text = JSON.stringify(schema ?? {}).replaceAll('"#/', '"description#/');
  const value: Json = JSON.parse(text);
  return isMembers(value) ? value : {};
}
