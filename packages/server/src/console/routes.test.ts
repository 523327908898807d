import { mkdtemp, rm } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { silentLogger } from 'sri-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';

let dataDir: string;
let server: RunningServer | null = null;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sri-console-'));
});
afterEach(async () => {
  await server?.close();
  server = null;
  await rm(dataDir, { recursive: true, force: true });
});

async function open(
  settings: Record<string, string> = {},
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const started = await startServer({ PORT: '0', DATA_DIR: dataDir, ...settings }, { logger: silentLogger });
  server = started;
  return (path, init) => fetch(`${started.url}${path}`, init);
}

describe('the files of the console', () => {
  it('the console has a policy that blocks content from elsewhere', async () => {
    const get = await open();
    const page = await get('/console');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('the files name nothing outside the server, and the first page is small', async () => {
    const get = await open();
    const page = await (await get('/console')).text();
    const first = await Promise.all(
      [...page.matchAll(/\/console\/assets\/[\w-]+\.(?:js|css)/g)].map(async ([path]) => importsOf(path, get)),
    );
    const files = new Map(first.flatMap((entries) => [...entries]));
    expect(files.size).toBeGreaterThan(2);
    for (const [path, text] of files) {
      const outside = text.replaceAll(/https?:\/\/(www\.w3\.org|preactjs\.com|127\.0\.0\.1)[^"'`\s]*/g, '');
      expect(outside, path).not.toMatch(/(src|href|url\(|import|from|fetch\() *[=(]? *["'`]?https?:/);
    }
    const kb = [...files.values()].reduce((all, text) => all + gzipSync(text).length, 0) / 1024;
    expect(kb).toBeLessThan(120);
  });

  it('the main script loads a page together with all its imports', async () => {
    const get = await open();
    const html = await (await get('/console')).text();
    const [main = ''] = /\/console\/assets\/main-[A-Z0-9]{8}\.js/.exec(html) ?? [];
    const first = await importsOf(main, get);
    const together = [...first.values()].flatMap((text) =>
      [...text.matchAll(/(?:import\("\.\/[\w-]+\.js"\),?)+/g)].map(([imports]) =>
        [...imports.matchAll(/[\w-]+\.js/g)].map(([name]) => `/console/assets/${name}`),
      ),
    );
    expect(together.length).toBeGreaterThan(10);
    expect(together.some((files) => files.length > 1)).toBe(true);
    for (const files of together) {
      const needed = await importsOf(files.at(-1) ?? '', get);
      expect([...needed.keys()].filter((path) => !first.has(path) && !files.includes(path))).toEqual([]);
    }
  });

  it('the names of files change with their content, and browsers keep files for a year', async () => {
    const get = await open();
    const page = await (await get('/console')).text();
    const [path = ''] = /\/console\/assets\/main-[A-Z0-9]{8}\.js/.exec(page) ?? [];
    const answer = await get(path);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const text = await answer.clone().text();
    // `fetch` opens what is compressed.
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['identity', null],
    ] as const) {
      const sent = await get(path, { headers: { 'accept-encoding': accepted } });
      expect([sent.headers.get('content-encoding'), sent.headers.get('vary')]).toEqual([encoding, 'Accept-Encoding']);
      expect(await sent.text()).toBe(text);
    }
    const again = await get(path, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each(['/console', '/console/documents', '/console/new/01', '/console/no-such-page'])(
    '%s answers with the one page of the console',
    async (path) => {
      const get = await open();
      const answer = await get(path);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    },
  );

  it.each([
    '/console/nothing.js',
    '/console/assets/nothing.js',
    '/console/assets/index.html',
    '/console/assets/SOURCES',
    '/console/tsconfig.json',
    '/console/..%2fpackage.json',
    '/console/assets/..%2f..%2fpackage.json',
  ])('the console does not serve %s', async (path) => {
    const get = await open();
    expect((await get(path)).status).toBe(404);
  });

  it('CONSOLE=off serves no console', async () => {
    const get = await open({ CONSOLE: 'off' });
    expect((await get('/console')).status).toBe(404);
  });
});

describe('the written mails', () => {
  it('the list shows mails that are not sent, and finds a mail by its id only', async () => {
    const get = await open();
    expect(await (await get('/console/mails')).json()).toEqual({ ok: true, mails: [] });
    expect((await get('/console/mails/..%2f..%2fmaster')).status).toBe(404);
  });

  it.each(['0', '1'])(
    'shows mails only on this machine and not through a proxy on it (TRUST_PROXY=%s)',
    async (hops) => {
      const get = await open({ TRUST_PROXY: hops });
      for (const address of ['203.0.113.7', '127.0.0.1']) {
        expect((await get('/console/mails', { headers: { 'x-forwarded-for': address } })).status).toBe(404);
      }
      expect((await get('/console/mails')).status).toBe(200);
    },
  );

  it('shows no mail to a page whose host name points to this machine', async () => {
    await open();
    const { port } = new URL(server?.url ?? '');
    const status = await new Promise((resolve, reject) => {
      const headers = { host: `elsewhere.example:${port}` };
      httpGet({ port, path: '/console/mails', headers }, (answer) => resolve(answer.resume().statusCode)).on(
        'error',
        reject,
      );
    });
    expect(status).toBe(404);
  });

  it('shows no mail if the server sends mails, or in production', async () => {
    const get = await open({ SMTP_URL: 'smtp://127.0.0.1:9' });
    expect((await get('/console/mails')).status).toBe(404);
    await server?.close();
    const key = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
    const inProduction = await open({
      NODE_ENV: 'production',
      MASTER_KEYS: key,
      SRI_MODE: 'simulator',
      BASE_URL: 'https://api.example.com',
    });
    expect((await inProduction('/console/mails')).status).toBe(404);
  });
});

// --- internal ---

/** A file with all that it imports before it runs. */
async function importsOf(
  path: string,
  get: (path: string) => Promise<Response>,
  seen = new Map<string, string>(),
): Promise<ReadonlyMap<string, string>> {
  if (seen.has(path)) return seen;
  const answer = await get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  const text = await answer.text();
  seen.set(path, text);
  for (const [, name] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) {
    await importsOf(`/console/assets/${name}`, get, seen);
  }
  return seen;
}
