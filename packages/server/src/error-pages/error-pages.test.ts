import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS, type ProblemCode, problemKind, REASONS } from '../platform/errors/error-catalogue.js';
import { openTestServer, type TestServer } from '../testing/test-server.js';
import { ERROR_GUIDE } from './error-guide.js';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const CODES = Object.keys(PROBLEMS) as ProblemCode[];

describe('the pages of errors', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  it.each(CODES)('%s has a section on the page of its type, in both languages', async (code) => {
    for (const [language, cause] of [
      ['es', 'Causa'],
      ['en', 'Cause'],
    ] as const) {
      const answer = await server.request(`/docs/errors/${problemKind(code)}`, {
        headers: { 'accept-language': language },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const html = await answer.text();
      const section = new RegExp(`<section id="${code.toLowerCase()}">[^]*?</section>`).exec(html)?.[0] ?? '';
      expect(section).toContain(cause);
      expect(section).toContain(`&#34;code&#34;: &#34;${code}&#34;`);
    }
  });

  it('a real answer links to an existing page', async () => {
    const refused = await server.request('/v1/tenants/me');
    const { type } = (await refused.json()) as { type: string };
    const page = await server.request(new URL(type).pathname);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('id="unauthorized"');
  });

  it.each([
    { path: '/consola', accept: 'text/html,*/*;q=0.8', type: 'text/html; charset=utf-8' },
    { path: '/consola', accept: '*/*', type: 'application/json; charset=utf-8' },
    { path: '/v1/nada', accept: 'text/html,*/*;q=0.8', type: 'application/json; charset=utf-8' },
  ])(
    'a browser gets a page for an unknown address outside the interface: $path, $accept',
    async ({ path, accept, type }) => {
      const answer = await server.request(path, { headers: { accept } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, type]);
    },
  );

  it('the list of errors has every code, and no other', async () => {
    const index = await (await server.request('/docs/errors')).text();
    for (const code of CODES) expect(index).toContain(`#${code.toLowerCase()}`);
    expect((await server.request('/docs/errors/other')).status).toBe(404);
  });

  it('the guide of errors explains every reason under a code', () => {
    const explained = new Set(Object.values(ERROR_GUIDE).flatMap(({ reasons = [] }) => reasons));
    expect(Object.keys(REASONS).filter((reason) => !explained.has(reason as keyof typeof REASONS))).toEqual([]);
  });

  it('the source raises every code and reason of the catalogue', () => {
    const raised = sourceText();
    const isRaised = (name: string) => new RegExp(`['"]${name}['"]`).test(raised);
    expect([...CODES, ...Object.keys(REASONS)].filter((name) => !isRaised(name))).toEqual([]);
  });

  it('the catalogue has every code and reason of the source', () => {
    const named = [...sourceText().matchAll(/new Refusal\(\s*'([A-Z_]+)'|reason: '([A-Z_]+)'/g)];
    const known = new Set<string>([...CODES, ...Object.keys(REASONS)]);
    expect(named.length).toBeGreaterThan(40);
    expect(named.map(([, code, reason]) => code ?? reason ?? '').filter((name) => !known.has(name))).toEqual([]);
  });
});

/** All sources of the server, except tests, the catalogue and this guide. */
function sourceText(): string {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/^(testing|demo|error-)/.test(path))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'))
    .join('\n');
}
