import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { ADMIN_ROUTES } from '../admin/routes.js';
import { describeEverything } from '../all-routes.js';
import { PROBLEMS } from '../error-catalogue.js';
import { ROUTE_INPUTS } from '../testing/bad-input/route-inputs.js';
import { ROUTES } from '../v1/routes.js';
import { isMembers, type Json, type JsonMembers } from './json-schema.js';

const URLS = { baseUrl: 'https://api.example.com', docsUrl: 'https://api.example.com/docs' };
const description = describeEverything(URLS);
const at = (value: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((inner, name) => (isMembers(inner) ? inner[name] : undefined), value);
const members = (value: Json | undefined): readonly (readonly [string, JsonMembers])[] =>
  Object.entries(isMembers(value) ? value : {}).flatMap(([name, each]) =>
    isMembers(each) ? [[name, each] as const] : [],
  );
const operations = members(description['paths']).flatMap(([path, methods]) =>
  members(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, method, operation })),
);

const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
formats.default(ajv);
ajv.addSchema({ ...description, $id: 'description' });

const validators = new Map<string, ValidateFunction>();

describe('the description of the interface', () => {
  it('is OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...description });
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('has every route of the table, and a name for each', () => {
    const described = new Set(operations.map(({ name }) => name));
    const missing = [...ROUTES, ...ADMIN_ROUTES]
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
      .filter((name) => !described.has(name));
    expect(missing).toEqual([]);
    const ids = operations.map(({ operation }) => operation['operationId']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names each parameter of a path, and no other', () => {
    for (const { name, path, operation } of operations) {
      const listed = operation['parameters'];
      const named = (Array.isArray(listed) ? listed : [])
        .filter((parameter) => at(parameter, 'in') === 'path')
        .map((parameter) => at(parameter, 'name'));
      expect(named, name).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
    }
  });

  it('says of every code of the catalogue where it is met, with an example', () => {
    const examples = new Map(members(at(description, 'components', 'examples')));
    const met = new Set(
      operations.flatMap(({ operation }) =>
        members(operation['responses']).flatMap(([, answer]) =>
          members(at(resolved(answer), 'content', 'application/json', 'examples')).map(([code]) => code),
        ),
      ),
    );
    for (const [code, { status }] of Object.entries(PROBLEMS)) {
      expect(at(examples.get(code), 'value', 'status'), code).toBe(status);
      // What no route has by its table: a method that a path does not take.
      if (code !== 'METHOD_NOT_ALLOWED') expect(met.has(code), code).toBe(true);
    }
  });

  it('takes every body that the routes are known to take', () => {
    const wrong = operations.flatMap(({ name, operation }) => {
      const route = name.replace(/\{(\w+)\}/g, ':$1');
      const good = ROUTE_INPUTS[route]?.json?.good;
      const schema = at(operation, 'requestBody', 'content', 'application/json', 'schema');
      if (good === undefined) return schema === undefined || route.includes('/admin/') ? [] : [`${name}: not tried`];
      const validate = validatorOf(schema);
      return validate(good) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(wrong).toEqual([]);
  });

  it('shows examples that fit their schemas', () => {
    const media = [
      ...operations.flatMap(({ name, operation }) =>
        [['request', operation['requestBody']] as const, ...members(operation['responses'])].flatMap(([where, each]) =>
          members(at(each, 'content')).map(([, content]) => [`${name} ${where}`, content] as const),
        ),
      ),
      ...members(at(description, 'components', 'responses')).map(
        ([name, answer]) => [name, at(answer, 'content', 'application/json')] as const,
      ),
    ];
    const shown = media.flatMap(([place, content]) => [
      ...(isMembers(content) && 'example' in content ? [[place, content, content['example']] as const] : []),
      ...members(at(content, 'examples')).map(
        ([code]) => [place, content, at(description, 'components', 'examples', code, 'value')] as const,
      ),
    ]);
    const wrong = shown.flatMap(([place, content, example]) => {
      const validate = validatorOf(at(content, 'schema'));
      return validate(example) ? [] : [`${place}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(wrong).toEqual([]);
    expect(shown.length).toBeGreaterThan(200);
  });
});

function validatorOf(schema: Json | undefined): ValidateFunction {
  const key = JSON.stringify(schema ?? {});
  const made = validators.get(key) ?? ajv.compile(rebased(schema));
  validators.set(key, made);
  return made;
}

/** An answer that may stand among the components. */
function resolved(answer: JsonMembers): JsonMembers {
  const name = typeof answer['$ref'] === 'string' ? (answer['$ref'].split('/').at(-1) ?? '') : null;
  const shared = name === null ? answer : at(description, 'components', 'responses', name);
  return isMembers(shared) ? shared : {};
}

/** A schema whose references lead into the description. */
function rebased(schema: Json | undefined): JsonMembers {
  const text = JSON.stringify(schema ?? {}).replaceAll('"#/', '"description#/');
  const value: Json = JSON.parse(text);
  return isMembers(value) ? value : {};
}
