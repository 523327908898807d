import { Validator } from '@seriousme/openapi-schema-validator';
import { DOCUMENT_TYPES, DOCUMENTS, isAccessKey } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { ADMIN_ROUTES } from '../operator/routes.js';
import { PROBLEMS } from '../platform/errors/error-catalogue.js';
import { ROUTE_INPUTS } from '../testing/bad-input/route-inputs.js';
import { at, description, faultOf, list, members, operations, resolved } from '../testing/described.js';
import { ROUTES } from '../v1-routes.js';
import { isMembers } from './json-schema.js';

describe('the description of the interface', () => {
  it('the description is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...description });
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('the description has every route of the table, each with its own name', () => {
    const described = new Set(operations.map(({ name }) => name));
    const missing = [...ROUTES, ...ADMIN_ROUTES]
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
      .filter((name) => !described.has(name));
    expect(missing).toEqual([]);
    const ids = operations.map(({ operation }) => operation['operationId']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('the description names each parameter of a path, and no other', () => {
    for (const { name, path, operation } of operations) {
      const named = list(operation['parameters'])
        .filter((parameter) => at(parameter, 'in') === 'path')
        .map((parameter) => at(parameter, 'name'));
      expect(named, name).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
    }
  });

  it('the description lists every code of the catalogue where it can occur, with an example', () => {
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
      expect(met.has(code), code).toBe(true);
    }
    // A registration may list any type of document.
    expect(at(description, 'paths', '/v1/register', 'post', 'responses', '402')).toBeUndefined();
  });

  it('the description accepts every body that the routes accept', () => {
    const wrong = operations.flatMap(({ name, operation }) => {
      const route = name.replace(/\{(\w+)\}/g, ':$1');
      const good = ROUTE_INPUTS[route]?.json?.good;
      const schema = at(operation, 'requestBody', 'content', 'application/json', 'schema');
      if (good === undefined) return schema === undefined || route.includes('/admin/') ? [] : [`${name}: not tried`];
      const fault = faultOf(schema, good);
      return fault === '' ? [] : [`${name}: ${fault}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each(DOCUMENT_TYPES)('the body of type %s is a component with its code, and accepts its examples', (code) => {
    const { body, examples } = DOCUMENTS[code];
    const schema = at(
      description,
      ...['paths', '/v1/documents', 'post', 'requestBody', 'content', 'application/json', 'schema'],
    );
    const reference = `#/components/schemas/${body.name}`;
    expect(at(schema, 'discriminator', 'mapping', code)).toBe(reference);
    expect(list(at(schema, 'oneOf'))).toContainEqual({ $ref: reference });
    const component = at(description, 'components', 'schemas', body.name);
    expect(at(component, 'properties', 'documentType', 'enum')).toEqual([code]);
    for (const example of examples) expect(faultOf(schema, example)).toBe('');
  });

  it('the description shows access keys with a right check digit', () => {
    const keys = new Set(JSON.stringify(description).match(/\b\d{49}\b/g));
    expect([...keys].filter((key) => !isAccessKey(key))).toEqual([]);
    expect(keys.size).toBeGreaterThan(0);
  });

  it('the description shows examples that match their schemas', () => {
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
      const fault = faultOf(at(content, 'schema'), example);
      return fault === '' ? [] : [`${place}: ${fault}`];
    });
    expect(wrong).toEqual([]);
    expect(shown.length).toBeGreaterThan(200);
  });
});
