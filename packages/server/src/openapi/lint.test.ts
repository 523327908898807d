import { describe, expect, it } from 'vitest';
import { allRoutes } from '../all-routes.js';
import { PROBLEMS } from '../platform/errors/error-catalogue.js';
import {
  at,
  type DescribedOperation,
  description,
  faultOf,
  list,
  members,
  operations,
  resolved,
} from '../testing/described.js';
import { describeInterface } from './description.js';
import { isMembers, type Json, type JsonMembers } from './json-schema.js';

// The basic rules of common OpenAPI linters, and our own: checked here without a linter.

const text = JSON.stringify(description);
const URLS = { baseUrl: 'https://api.example.com', docsUrl: 'https://api.example.com/docs' };
const FEW_ROUTES = allRoutes({ urls: URLS, hasOperator: false, hasPlans: false });
/** The findings: a sentence for each operation that breaks a rule. */
const broken = (judge: (each: DescribedOperation) => string | false) =>
  operations.flatMap((each) => {
    const fault = judge(each);
    return fault === false ? [] : [`${each.name}: ${fault}`];
  });
const statusesOf = ({ operation }: DescribedOperation) => members(operation['responses']).map(([status]) => status);
const contentsOf = ({ operation }: DescribedOperation) =>
  members(operation['responses']).flatMap(([status, answer]) =>
    members(at(resolved(answer), 'content')).map(([type, content]) => ({ status, type, content })),
  );
/** Images and PDFs: they have no text example. */
const isBinary = (type: string) => /^(image\/|application\/(pdf|zip|vnd\.))/.test(type);
const hasExample = (content: JsonMembers) => 'example' in content || members(content['examples']).length > 0;

describe('the description, checked like a linter', () => {
  it('the description has a title, a licence, a server and a text for each tag', () => {
    expect(String(at(description, 'info', 'description')).length).toBeGreaterThan(100);
    expect(at(description, 'info', 'license', 'identifier')).toBe('MIT');
    const servers = list(description['servers']).map((server) => String(at(server, 'url')));
    expect(servers.filter((url) => url.endsWith('/'))).toEqual([]);
    expect(servers).toHaveLength(1);
    const tags = list(description['tags']);
    expect(tags.filter((tag) => String(at(tag, 'description')).length < 10)).toEqual([]);
    expect(text).not.toMatch(/<script|eval\(/);
  });

  it('the description names each operation once, with a valid identifier in any language', () => {
    const ids = operations.map(({ operation }) => String(operation['operationId']));
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  });

  it('an operation has one known tag, a summary of one line, and its security', () => {
    const tags = list(description['tags']).map((tag) => at(tag, 'name'));
    const schemes = members(at(description, 'components', 'securitySchemes')).map(([name]) => name);
    const faults = broken(({ operation }) => {
      const own = list(operation['tags']);
      if (own.length !== 1 || !tags.includes(own[0])) return `its tags are ${own}`;
      if (!/^[A-Z][^\n]{5,119}\.$/.test(String(operation['summary']))) return `its summary is ${operation['summary']}`;
      if (!Array.isArray(operation['security'])) return 'it says nothing of security';
      const unknown = list(operation['security'])
        .flatMap((one) => Object.keys(isMembers(one) ? one : {}))
        .filter((name) => !schemes.includes(name));
      return unknown.length > 0 && `it names ${unknown}`;
    });
    expect(faults).toEqual([]);
    const used = new Set(operations.map(({ operation }) => list(operation['tags'])[0]));
    expect(tags.filter((tag) => !used.has(tag))).toEqual([]);
  });

  it('the description has no ambiguous paths', () => {
    const paths = members(description['paths']).map(([path]) => path);
    expect(paths.filter((path) => /\/$|[?#]|\/\//.test(path) || !path.startsWith('/'))).toEqual([]);
    const forms = paths.map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(forms.filter((form, place) => forms.indexOf(form) !== place)).toEqual([]);
  });

  it('the description describes each parameter once, with an example value', () => {
    const faults = broken(({ operation }) => {
      const own = list(operation['parameters']).flatMap((each) => (isMembers(each) ? [resolved(each)] : []));
      const names = own.map((each) => `${each['in']} ${each['name']}`);
      const [twice] = names.filter((name, place) => names.indexOf(name) !== place);
      if (twice) return `${twice} is there twice`;
      const silent = own.find(({ description: about }) => typeof about !== 'string' || about.length < 5);
      if (silent) return `${silent['name']} has no description`;
      const bare = own.find(
        ({ schema }) => !['examples', 'enum', 'const', 'default'].some((word) => at(schema, word) !== undefined),
      );
      return bare !== undefined && `${bare['name']} has no example`;
    });
    expect(faults).toEqual([]);
  });

  it('an operation lists its success, its errors and its other answers', () => {
    const faults = broken((each) => {
      const statuses = statusesOf(each);
      if (!statuses.some((status) => /^[23]/.test(status))) return 'no success';
      if (!statuses.some((status) => /^[45]/.test(status))) return 'no error';
      if (!statuses.includes('default')) return 'no default answer';
      return (
        members(each.operation['responses']).some(([, answer]) => !resolved(answer)['description']) &&
        'an answer has no description'
      );
    });
    expect(faults).toEqual([]);
  });

  it('every body of a request, answer or error has an example', () => {
    const counts = { requests: 0, answers: 0, refusals: 0 };
    const faults = operations.flatMap((each) => {
      const asked = members(at(each.operation, 'requestBody', 'content'));
      const answered = contentsOf(each).filter(({ type }) => !isBinary(type));
      counts.requests += asked.length;
      counts.answers += answered.filter(({ status }) => status.startsWith('2')).length;
      counts.refusals += answered.filter(({ status }) => /^[45]|default/.test(status)).length;
      return [
        ...asked.filter(([, content]) => !hasExample(content)).map(([type]) => `${each.name} takes ${type}`),
        ...answered
          .filter(({ content }) => !hasExample(content))
          .map(({ status, type }) => `${each.name} ${status} ${type}`),
      ];
    });
    expect(faults).toEqual([]);
    expect(counts.requests).toBeGreaterThan(35);
    expect(counts.answers).toBeGreaterThan(90);
    expect(counts.refusals).toBeGreaterThan(700);
    // Each code of an answer has an example, and each example has the answer's status.
    const wrong = operations.flatMap((each) =>
      contentsOf(each).flatMap(({ status, content }) =>
        members(content['examples']).flatMap(([code]) => {
          const known = Object.entries(PROBLEMS).find(([name]) => name === code)?.[1].status;
          return status === 'default' || String(known) === status ? [] : [`${each.name} ${status} ${code}`];
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('no schema rejects its own example', () => {
    const faults: string[] = [];
    walk(description, (schema, place) => {
      const faulty = [...list(schema['examples']), ...('default' in schema ? [schema['default']] : [])].find(
        (value) => value !== undefined && faultOf(schema, value) !== '',
      );
      if (faulty !== undefined) faults.push(`${place}: ${JSON.stringify(faulty)}`);
      if (schema['type'] === 'array' && schema['items'] === undefined) faults.push(`${place}: of what?`);
      const properties = Object.keys(isMembers(schema['properties']) ? schema['properties'] : {});
      const missing = list(schema['required']).filter((name) => !properties.includes(String(name)));
      if (missing.length > 0) faults.push(`${place}: ${missing} is required and not there`);
    });
    expect(faults).toEqual([]);
  });

  it.each([
    ['of every route', description],
    ['of a server without operator and plans', describeInterface(FEW_ROUTES, URLS)],
  ])('the description references every component, and no missing component, %s', (_name, described) => {
    const whole = JSON.stringify(described);
    const kept = members(described['components'])
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, each]) => Object.keys(each).map((name) => `#/components/${kind}/${name}`));
    const referred = new Set([...whole.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target));
    expect(kept.filter((target) => !referred.has(target))).toEqual([]);
    expect([...referred].filter((target) => !kept.includes(target))).toEqual([]);
    const schemes = members(at(described, 'components', 'securitySchemes')).map(([name]) => name);
    expect(schemes.filter((name) => !whole.includes(`{"${name}":[`) && !whole.includes(`,"${name}":[`))).toEqual([]);
  });
});

/** Visits every schema of the description. */
function walk(value: Json, visit: (schema: JsonMembers, place: string) => void, place = ''): void {
  for (const [index, each] of list(value).entries()) walk(each, visit, `${place}/${index}`);
  if (!isMembers(value)) return;
  const isSchema = typeof value['type'] === 'string' && (place.includes('/schema') || place.includes('/schemas/'));
  if (isSchema) visit(value, place);
  for (const [name, each] of Object.entries(value)) {
    if (name !== 'examples' && name !== 'example') walk(each, visit, `${place}/${name}`);
  }
}
