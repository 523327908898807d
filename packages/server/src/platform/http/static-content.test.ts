import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/test-server.js';
import { registerTenant } from '../../testing/test-tenant.js';
import { createStaticContents, toStaticContent } from './static-content.js';

let server: TestServer;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  server = await openTestServer();
  headers = (await registerTenant(server)).headers;
});
afterAll(() => server.close());

it('a content is made once per name', async () => {
  const kept = createStaticContents();
  let made = 0;
  const get = (name: string) =>
    kept.get(name, () => {
      made += 1;
      return toStaticContent('text/plain', `content of ${name}`);
    });
  expect((await get('a')).content).toBe((await get('a')).content);
  expect((await get('a')).etag).not.toBe((await get('b')).etag);
  expect([made, (await get('b')).content.toString()]).toEqual([2, 'content of b']);
});

it.each([
  '/',
  '/openapi.json',
  '/docs',
  '/docs/assets/swagger-ui.css',
  '/docs/assets/start.js',
  '/docs/errors',
  '/docs/errors/validation-error',
  '/console',
  '/guide/es',
  '/guide/en/server',
  '/llms.txt',
  '/llms-full.txt',
  '/v1/catalogs',
  '/v1/catalogs/tax-rates',
])('%s has an ETag, and answers 304 to a client that has it', async (path) => {
  const first = await server.request(path, { headers });
  const etag = first.headers.get('etag') ?? '';
  expect(first.status).toBe(200);
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  for (const tags of [etag, `W/${etag}`, `"another", ${etag}`]) {
    const again = await server.request(path, { headers: { ...headers, 'if-none-match': tags } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  }
  const other = await server.request(path, { headers: { ...headers, 'if-none-match': '"another"' } });
  expect(await other.text()).toBe(await first.text());
});

it.each(['/', '/docs', '/docs/errors', '/v1/catalogs/id-types'])('%s has an ETag for each language', async (path) => {
  const of = async (language: string) => {
    const response = await server.request(path, { headers: { ...headers, 'accept-language': language } });
    expect(response.headers.get('vary')).toBe('Accept-Language');
    return response.headers.get('etag');
  };
  expect(await of('es')).not.toBe(await of('en'));
});
