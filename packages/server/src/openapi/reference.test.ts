import { beforeAll, describe, expect, it } from 'vitest';
import { at, description } from '../testing/described.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant } from '../testing/test-tenant.js';

const [sqlite] = await databaseKinds();

describeOnDatabases('the reference', sqlite ? [sqlite] : [], (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });

  it('the server serves the reference as OpenAPI, without routes of an absent operator', async () => {
    const response = await server.request('/openapi.json');
    const served = (await response.json()) as { openapi: string; paths: object; servers: unknown };
    expect(served).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://localhost:3000' }] });
    expect(Object.keys(served.paths).filter((path) => path.startsWith('/v1/admin'))).toEqual([]);
    expect(served.paths).toHaveProperty(['/v1/documents', 'post', 'operationId'], 'createDocument');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  it('the page of the reference calls only its own server', async () => {
    for (const [language, title] of [
      ['es', 'Referencia de la API'],
      ['en', 'API reference'],
    ] as const) {
      const response = await server.request('/docs', { headers: { 'accept-language': language } });
      const html = await response.text();
      expect(html).toContain(`<title>${title}</title>`);
      expect(html).not.toMatch(/(?:src|href)="(?![/?])/);
      expect(html).not.toMatch(/<script(?! src=)|<style|style=/);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  it('the example of the reference makes an invoice on any day', async () => {
    const tenant = await registerTenant(server);
    const place = ['paths', '/v1/documents', 'post', 'requestBody', 'content', 'application/json', 'example'];
    for (const days of [0, 1, 400]) {
      await server.clock.advance(days * 86_400_000);
      const answer = await postJson(server, '/v1/documents', tenant.headers, at(description, ...place));
      const { warnings = [] } = (await answer.json()) as { warnings?: readonly unknown[] };
      expect([answer.status, warnings]).toEqual([201, []]);
    }
  });

  it('a page has the language that its address names', async () => {
    for (const [address, title] of [
      ['/docs?lang=en', 'API reference'],
      ['/docs?lang=xx', 'Referencia de la API'],
      ['/?lang=en', 'Electronic invoicing'],
      ['/docs/errors?lang=en', 'Errors'],
    ]) {
      const html = await (await server.request(address ?? '')).text();
      expect(html, address).toContain(`<title>${title}</title>`);
      expect(html, address).toMatch(/<a href="\?lang=(es|en)" hreflang="\1"/);
    }
    // An answer for programs has the language of its header.
    const problem = await (await server.request('/v1/documents?lang=en')).json();
    expect(problem).toMatchObject({ status: 401, title: expect.stringMatching(/autoriza|autentic|clave/i) });
  });

  it('the server has every file that the page names, and no other of the package', async () => {
    const html = await (await server.request('/docs')).text();
    const files = [...html.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files).toHaveLength(5);
    for (const file of files) {
      const response = await server.request(file);
      expect([file, response.status]).toEqual([file, 200]);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
    for (const name of ['package.json', 'index.html', '..%2Fpackage.json', 'constructor', 'swagger-ui-bundle.js.map']) {
      expect((await server.request(`/docs/assets/${name}`)).status, name).toBe(404);
    }
  });
});

describe('the reference of a server with an operator', () => {
  it('the reference of a server with an operator has the routes of the operator', async () => {
    const server = await openTestServer(null, { settings: { ADMIN_TOKEN: 'a-token-of-the-operator' } });
    const served = (await (await server.request('/openapi.json')).json()) as { paths: object };
    await server.close();
    expect(served.paths).toHaveProperty(['/v1/admin/tenants', 'get', 'tags'], ['Operator']);
  });
});
