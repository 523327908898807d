import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultOfRefusal, faultOfText, see } from './testing/bad-input/refusal.js';
import { openTestServer, type TestServer } from './testing/test-server.js';
import { registerTenant, SIMPLE_INVOICE, type TestTenant } from './testing/test-tenant.js';

// Headers that shape an answer or name the sender. The files next to this one try the headers that routes read.

let server: TestServer;
let tenant: TestTenant;
const faults: unknown[] = [];

beforeAll(async () => {
  const logger = { info: () => {}, warn: () => {}, error: (fields: unknown) => void faults.push(fields) };
  const settings = {
    ONBOARDING_RATE: '100000/1h',
    TRUST_PROXY: '1',
    VERIFICATION_REDIRECT_HOSTS: 'app.ejemplo.ec,localhost',
    INTERNAL_SERVICE_SECRET: 'w'.repeat(32),
  };
  server = await openTestServer(null, { logger, settings });
  tenant = await registerTenant(server);
});
afterAll(async () => {
  await server.close();
  expect(faults).toEqual([]);
});

describe('headers', () => {
  it('accepts the authorization scheme in lower case', async () => {
    const headers = { authorization: `bearer ${tenant.apiKey}` };
    expect((await server.request('/v1/tenants/me', { headers })).status).toBe(200);
  });

  it.each([
    ',,,',
    'es;q=x',
    '*',
    '\u00ff',
    'en;q=0.5;q=0.1',
    '__proto__',
    'fr',
    'x'.repeat(10_000),
    'en,'.repeat(5000),
  ])('answers a request with accept-language %j in Spanish or English', async (value) => {
    const response = await server.request('/nowhere', { headers: { 'accept-language': value } });
    expect(response.status).toBe(404);
    expect(['es', 'en']).toContain(response.headers.get('content-language'));
  });

  it.each(['', ',', '*/*;q=x', 'text/html', 'application/problem+json', '\u00ff', 'a/b,'.repeat(4000)])(
    'answers a request with accept %j without a fault',
    async (accept) => {
      for (const path of ['/nowhere', '/v1/verify-email?token=x', '/v1/tenants/me']) {
        const { status, text } = await see(server.request(path, { headers: { accept } }));
        expect([400, 401, 404]).toContain(status);
        expect(faultOfText(text)).toBeNull();
      }
    },
  );

  it.each([
    '',
    'unknown',
    '1.1.1.1, 2.2.2.2',
    ',,,',
    '::1',
    '[::1]:80',
    'fe80::1%eth0',
    '0x7f.1',
    '1.1.1.1\u00ff',
    "' OR 1=1--",
    '1.1.1.1,'.repeat(5000),
    'x'.repeat(10_000),
    '__proto__',
  ])('rejects a request with x-forwarded-for %j from a trusted proxy like any other', async (value) => {
    const response = server.request('/v1/register', { method: 'POST', headers: { 'x-forwarded-for': value } });
    const expected = { status: 400, code: 'VALIDATION_FAILED', field: 'header:Content-Type' };
    expect(faultOfRefusal(await see(response), expected)).toBeNull();
  });

  it.each(['', 'x', '\u00ff', '1.1.1.1, 2.2.2.2', 'x'.repeat(10_000), '__proto__'])(
    'rejects a request with x-forwarded-visitor-ip %j from the web application',
    async (value) => {
      const headers = { 'x-internal-service-secret': 'w'.repeat(32), 'x-forwarded-visitor-ip': value };
      const response = await server.request('/v1/register', { method: 'POST', headers });
      expect(response.status).toBe(400);
    },
  );

  it.each([
    '',
    'short',
    'a b c d e f',
    'x'.repeat(65),
    '<script>alert(1)</script>',
    '\u00ff'.repeat(10),
    '../../etc/passwd',
  ])('ignores x-request-id %j', async (value) => {
    const response = await server.request('/nowhere', { headers: { 'x-request-id': value } });
    const { headers, text } = await see(response);
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    if (value.length > 5) expect(text).not.toContain(value);
  });
});

it('accepts odd numbers and texts in unknown fields', async () => {
  const extra = '"x":[1e400,-0,1e-400,"\\u0000\\ud800\\uffff",{"a":{"b":[]}}]';
  const body = `${JSON.stringify(SIMPLE_INVOICE).slice(0, -1)},${extra}}`;
  const headers = { ...tenant.headers, 'content-type': 'application/json' };
  const response = await server.request('/v1/documents', { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  const { document } = (await response.json()) as { document: { accessKey: string } };
  const read = await server.request(`/v1/documents/${document.accessKey}`, { headers: tenant.headers });
  expect(read.status).toBe(200);
});
