import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from './app.js';
import { changeKeys } from './testing/change-rows.js';
import { openTestServer, type TestServer } from './testing/test-server.js';
import { postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from './testing/test-tenant.js';
import { ROUTES } from './v1-routes.js';

describe('the interface', () => {
  let server: TestServer;
  let tenant: TestTenant;
  const logged: { level: string; fields: Readonly<Record<string, unknown>> }[] = [];
  const log = (level: string) => (fields: Readonly<Record<string, unknown>>) => {
    logged.push({ level, fields });
  };

  beforeAll(async () => {
    server = await openTestServer(null, { logger: { info: log('info'), warn: log('warn'), error: log('error') } });
    tenant = await registerTenant(server);
  });
  afterAll(() => server.close());

  it('[R001] [R386] puts every route under /v1', () => {
    expect(ROUTES.filter(({ path }) => !path.startsWith('/v1/'))).toEqual([]);
    expect(new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size).toBe(ROUTES.length);
  });

  it('[R002] every answer carries the standard headers', async () => {
    for (const path of ['/healthz', '/nowhere', '/v1/tenants/me', `/v1/documents/${'1'.repeat(49)}/ride`]) {
      const { headers } = await server.request(path);
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('keeps the caller’s request id when it is harmless', async () => {
    const ask = async (id: string) => {
      const response = await server.request('/nowhere', { headers: { 'x-request-id': id } });
      return [response.headers.get('x-request-id'), ((await response.json()) as { requestId: string }).requestId];
    };
    expect(await ask('order-4711.a_b')).toEqual(['order-4711.a_b', 'order-4711.a_b']);
    for (const id of ['short', 'x'.repeat(65), 'with space in it', '<script>alert']) {
      const [header, body] = await ask(id);
      expect(header).toMatch(/^req_/);
      expect(header).toBe(body);
    }
  });

  it('returns problems as JSON, or as problem+json when the request accepts it', async () => {
    const plain = await server.request('/nowhere', { headers: { accept: 'application/json' } });
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const named = await server.request('/nowhere', { headers: { accept: 'application/problem+json' } });
    expect(named.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const excluded = await server.request('/nowhere', { headers: { accept: '*/*, application/problem+json;q=0' } });
    expect(excluded.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('answers in the language of the request, else of the account, else in Spanish', async () => {
    const english = await registerTenant(server, { language: 'en' });
    const title = async (headers: Record<string, string>) => {
      const response = await server.request('/v1/documents', { headers });
      return [response.headers.get('content-language'), ((await response.json()) as { title: string }).title];
    };
    expect(await title({ ...tenant.auth })).toEqual(['es', 'Solicitud incorrecta']);
    expect(await title({ ...english.auth })).toEqual(['en', 'Bad request']);
    expect(await title({ ...english.auth, 'accept-language': 'es-EC' })).toEqual(['es', 'Solicitud incorrecta']);
    expect(await title({ 'accept-language': 'en-GB,es;q=0.5' })).toEqual(['en', 'Not authenticated']);
    expect(await title({ 'accept-language': 'de' })).toEqual(['es', 'No autenticado']);
  });

  it.each([
    ['DELETE', '/v1/documents', 'POST, GET, HEAD'],
    ['PUT', '/v1/tenants/me', 'GET, HEAD'],
    ['OPTIONS', '/v1/register', 'POST'],
    ['HEAD', '/v1/register', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('answers %s %s with the allowed methods', async (method, path, allow) => {
    const response = await server.request(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  it.each(['/v1', '/v2/documents', '/v1/documents//', '/v1/documents;x', '/V1/documents', '/v1/%2e%2e/etc', '/%00'])(
    'answers %s with 404',
    async (path) => {
      const response = await server.request(path, { headers: tenant.headers });
      expect(await response.json()).toMatchObject({ status: 404, code: 'NOT_FOUND', instance: expect.any(String) });
    },
  );

  it('rejects a body above its limit, with or without an announced length', async () => {
    const headers = { ...tenant.headers, 'content-type': 'application/json' };
    const announced = await server.request('/v1/documents', {
      method: 'POST',
      headers: { ...headers, 'content-length': String(1024 * 1024 + 1) },
      body: '{}',
    });
    expect(announced.headers.get('connection')).toBe('close');
    expect(await announced.json()).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    const chunks = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
    });
    const init = { method: 'POST', headers, body: chunks, duplex: 'half' } as RequestInit;
    expect((await server.request('/v1/documents', init)).status).toBe(413);
    const form = await server.request('/v1/register', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=B', 'content-length': String(10 * 1024 * 1024 + 1) },
      body: '--B--',
    });
    expect(form.status).toBe(413);
    const invoice = Buffer.from(JSON.stringify(SIMPLE_INVOICE));
    const fits = Buffer.alloc(1024 * 1024, ' ');
    invoice.copy(fits);
    expect((await server.request('/v1/documents', { method: 'POST', headers, body: fits })).status).toBe(201);
  });

  it('reports health and readiness while the database answers', async () => {
    expect(await (await server.request('/health')).json()).toEqual({
      status: 'ok',
      uptime: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    const ready = await server.request('/readyz');
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ok' }]);
  });

  it('logs each request by its route, without any sent content', async () => {
    logged.length = 0;
    await postJson(
      server,
      '/v1/documents',
      { ...tenant.headers, 'idempotency-key': 'clave-del-cliente' },
      SIMPLE_INVOICE,
    );
    const [line] = logged.filter(({ fields }) => 'route' in fields);
    expect(line?.fields).toEqual({
      requestId: expect.any(String),
      method: 'POST',
      route: '/v1/documents',
      status: 201,
      ms: expect.any(Number),
      tenantId: tenant.tenantId,
      issuerId: tenant.issuerId,
      accessKey: expect.stringMatching(/^\d{49}$/),
    });
    const everything = JSON.stringify(logged);
    expect(everything).not.toMatch(/clave-del-cliente|Ñacata|maria@/);
    expect(everything).not.toContain(tenant.apiKey);
  });

  it('logs no failure when a reader leaves while the server makes the next piece', async () => {
    logged.length = 0;
    // Not through the test server, which reads every answer to check it.
    const response = await createApp(server.services).request('/v1/documents/export', { headers: tenant.headers });
    const reader = response.body?.getReader();
    const reading = reader?.read();
    await reader?.cancel();
    await reading;
    await new Promise((resolve) => setImmediate(resolve));
    expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a server whose database fails', () => {
  it('[R375] hides the cause of an unexpected error, and logs its place', async () => {
    const errors: Readonly<Record<string, unknown>>[] = [];
    const server = await openTestServer(null, {
      logger: { info: () => {}, warn: () => {}, error: (fields) => void errors.push(fields) },
    });
    const tenant = await registerTenant(server);
    await changeKeys(server, tenant, { scopes: 'not json: secret' });
    const response = await server.request('/v1/tenants/me', { headers: tenant.auth });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(text).not.toMatch(/JSON|api-keys|at /);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      error: 'SyntaxError',
      place: expect.arrayContaining([expect.stringContaining('keys/rows')]),
    });
    await server.close();
  });

  it('answers 503 while the database cannot be used', async () => {
    const server = await openTestServer();
    const tenant = await registerTenant(server);
    await server.close();
    const response = await server.request('/v1/tenants/me', { headers: tenant.auth });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await server.request('/health')).status).toBe(503);
    expect((await server.request('/readyz')).status).toBe(503);
    expect((await server.request('/healthz')).status).toBe(200);
  });
});
