import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../../all-routes.js';
import { openTestServer, type TestServer } from '../../testing/test-server.js';
import { createDocument, registerTenant, type TestTenant } from '../../testing/test-tenant.js';
import { FORM_BODY, LARGE_BODY, SMALL_BODY } from './body-input.js';
import { choices } from './fields.js';
import { jsonInput } from './inputs.js';
import { MAX_DEPTH, MAX_FIELD_NAMES, MAX_VALUES } from './json-excess.js';
import { parseJsonObject, requireContentType } from './parse-body.js';

const urls = { baseUrl: 'http://localhost', docsUrl: 'http://localhost/docs' };
const bodies = allRoutes({ urls, hasOperator: true }).flatMap((route) => {
  const body = route.handler.operation?.body;
  return body ? [{ name: `${route.method} ${route.path}`, access: route.access, body }] : [];
});

/** JSON bodies that need more than a few short fields, and the reason. */
const LARGER: Readonly<Record<string, number>> = {
  'POST /v1/documents': LARGE_BODY,
  'POST /v1/documents/preview': LARGE_BODY,
  'POST /v1/documents/:accessKey/rebuild': LARGE_BODY,
  // Files in base64.
  'POST /v1/issuers': LARGE_BODY,
  'PATCH /v1/issuers/:id/logo': LARGE_BODY,
  'PATCH /v1/issuers/:id/certificate': LARGE_BODY,
  'POST /v1/issuers/:id/certificate': LARGE_BODY,
  'PATCH /v1/payments/:id/proof': 3 * LARGE_BODY,
  // First numbers of up to 10,000 counters.
  'POST /v1/tenants/promote': LARGE_BODY,
  'POST /v1/admin/tenants/:id/promote': LARGE_BODY,
  // Texts of many pages.
  'POST /v1/admin/agreements': LARGE_BODY,
};

describe('the bodies of all routes', () => {
  it.each(bodies)('$name declares its limit', ({ name, body }) => {
    expect(Object.keys(body.limits)).toEqual(Object.keys(body.content));
    expect(body.limits['application/json'] ?? SMALL_BODY).toBe(LARGER[name] ?? SMALL_BODY);
    expect(body.limits['multipart/form-data'] ?? FORM_BODY).toBe(FORM_BODY);
  });

  it('the JSON bodies of public routes have small limits', () => {
    const open = bodies.filter(({ access }) => access === 'public' || access === 'onboarding' || access === 'service');
    expect(open.length).toBeGreaterThan(3);
    for (const { body } of open) expect(body.limits['application/json'] ?? 0).toBeLessThanOrEqual(16 * 1024);
  });

  it('the list of larger bodies names existing routes only', () => {
    const names = bodies.map(({ name }) => name);
    expect(Object.keys(LARGER).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('a body with too many values', () => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await openTestServer();
    tenant = await registerTenant(server);
  });
  afterAll(() => server.close());

  const send = async (path: string, body: string, headers: Readonly<Record<string, string>> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    const response = await server.request(path, init);
    return { status: response.status, body: (await response.json()) as { code: string; errors?: object[] } };
  };
  const fields = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;

  it('a body with too many values is refused with the rule, and a create takes no number', async () => {
    const before = await createDocument(server, tenant);
    const cases: readonly (readonly [string, string, number])[] = [
      ['maxFieldNames', fields(80_000), MAX_FIELD_NAMES],
      ['maxValues', `{"a":[${'1,'.repeat(MAX_VALUES)}1]}`, MAX_VALUES],
      ['depth', `{"a":${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}}`, MAX_DEPTH],
    ];
    for (const [rule, body, max] of cases) {
      const answer = await send('/v1/documents', body, tenant.headers);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', errors: [{ field: 'body', rule }] },
      });
      expect(JSON.stringify(answer.body.errors)).toContain(String(max));
    }
    const after = await createDocument(server, tenant);
    expect(Number(after.sequential)).toBe(Number(before.sequential) + 1);
  });

  it('a public route rejects a large body by its size before it reads it', async () => {
    expect(await send('/v1/verify-email', fields(80_000))).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE' },
    });
    expect((await send('/v1/verify-email', fields(100))).status).toBe(400);
  });

  it('the refusal of a body with too many names costs a fraction of parsing it', async () => {
    const body = Buffer.from(fields(80_000));
    const refusals: number[] = [];
    const parses: number[] = [];
    // Both are measured in turn, so that a busy machine slows both.
    for (let turn = 0; turn < 5; turn += 1) {
      const began = performance.now();
      expect(() => parseJsonObject(body)).toThrow();
      refusals.push(performance.now() - began);
      const beganParse = performance.now();
      JSON.parse(body.toString());
      parses.push(performance.now() - beganParse);
    }
    expect(Math.min(...refusals)).toBeLessThan(Math.min(...parses) / 4);
  });
});

describe('costly input', () => {
  it('a list of a hundred thousand wrong entries is reported with fifty errors', () => {
    const input = jsonInput({ types: Array(100_000).fill('x') });
    input.read('types', choices(['a'], 'Some.'));
    expect(input.failures).toHaveLength(50);
    expect(input.failures.at(-1)?.field).toBe('types[49]');
  });

  it.each(['initialSequentials', 'documentTypes'])(
    'a long text for %s in a form is rejected without parsing',
    async (name) => {
      const server = await openTestServer();
      const form = new FormData();
      form.set(name, `[${'0,'.repeat(100_000)}0]`);
      const response = await server.request('/v1/register', { method: 'POST', body: form });
      expect(response.status).toBe(400);
      const { errors } = (await response.json()) as { errors: { field: string; rule: string }[] };
      expect(errors.filter(({ field }) => field.startsWith(name))).toMatchObject([{ field: name, rule: 'maxLength' }]);
      await server.close();
    },
  );

  it('a media type with thousands of blanks is rejected in little time', () => {
    const headers = { 'content-type': `application/json; charset=${' '.repeat(2_000)}"x"y` };
    const request = new Request('http://localhost/', { method: 'POST', headers, body: '{}' });
    const began = performance.now();
    expect(() => requireContentType(request, 'application/json')).toThrow('VALIDATION_FAILED');
    expect(performance.now() - began).toBeLessThan(100);
  });
});
