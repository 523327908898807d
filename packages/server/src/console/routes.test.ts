import { mkdtemp, rm } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  it('have a policy that blocks content from elsewhere', async () => {
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

  it('name nothing outside the server', async () => {
    const get = await open();
    for (const name of [
      '',
      '/main.js',
      '/console.css',
      '/texts.js',
      '/pages/overview.js',
      '/forms/invoice.js',
      '/icon.svg',
    ]) {
      const text = await (await get(`/console${name}`)).text();
      expect(text.replaceAll('http://www.w3.org/2000/svg', ''), name).not.toMatch(
        /(src|href|url\(|import|from) *[=(]? *["']?https?:/,
      );
    }
  });

  it('are not sent again to a client that has them', async () => {
    const get = await open();
    const etag = (await get('/console/main.js')).headers.get('etag') ?? '';
    const again = await get('/console/main.js', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each([
    '/console/nothing.js',
    '/console/tsconfig.json',
    '/console/..%2fpackage.json',
    '/console/pages/..%2f..%2fpackage.json',
  ])('%s is not one of them', async (path) => {
    const get = await open();
    expect((await get(path)).status).toBe(404);
  });

  it('do not exist with CONSOLE=off', async () => {
    const get = await open({ CONSOLE: 'off' });
    expect((await get('/console')).status).toBe(404);
  });
});

describe('the mails that were written', () => {
  it('are listed if they are not sent, and are found by id only', async () => {
    const get = await open();
    expect(await (await get('/console/mails')).json()).toEqual({ ok: true, mails: [] });
    expect((await get('/console/mails/..%2f..%2fmaster')).status).toBe(404);
  });

  it.each(['0', '1'])(
    'are shown only on this machine, and not through a proxy on it (TRUST_PROXY=%s)',
    async (hops) => {
      const get = await open({ TRUST_PROXY: hops });
      for (const address of ['203.0.113.7', '127.0.0.1']) {
        expect((await get('/console/mails', { headers: { 'x-forwarded-for': address } })).status).toBe(404);
      }
      expect((await get('/console/mails')).status).toBe(200);
    },
  );

  it('are not shown to a page whose host name points here', async () => {
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

  it('are not shown if mails are sent, or in production', async () => {
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
