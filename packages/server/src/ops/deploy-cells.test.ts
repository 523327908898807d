import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { silentLogger } from 'sri-core';
import { Agent, fetch as fetchBy } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';
import { freePort } from '../testing/free-port.js';
import { configureNginx, hasProgram } from '../testing/nginx.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { TEST_RUC } from '../testing/test-server.js';
import { createDocument, type RequestTarget, registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { makeTestTls } from '../testing/webhook-receiver.js';

const SITE = readFileSync(new URL('../../../../deploy/nginx-cells.conf', import.meta.url), 'utf8');
/** The cells as the file names them. */
const CELLS = [...SITE.matchAll(/PORT=(\d+) DATABASE_SCHEMA=(\w+) API_KEY_BRAND=(\w+) BASE_URL=(\S+)/g)].map(
  ([, port = '', schema = '', brand = '', baseUrl = '']) => ({ port, schema, brand, baseUrl }),
);
const serverUrl = (await everyDatabaseKind()).find((kind) => kind.serverUrl !== null)?.serverUrl ?? null;
const tls = makeTestTls();

describe.skipIf(serverUrl === null || tls === null || !hasProgram('nginx', '-v'))('nginx in front of two cells', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sri-cells-'));
  const servers: RunningServer[] = [];
  const tenants: TestTenant[] = [];
  let proxy: ChildProcess | null = null;
  let agent: Agent;
  let port = 0;

  beforeAll(async () => {
    const upstreams: Record<string, string> = {};
    for (const { port: ownPort, schema, brand, baseUrl } of CELLS) {
      const settings = {
        DATABASE_URL: serverUrl ?? '',
        DATABASE_SCHEMA: schema,
        API_KEY_BRAND: brand,
        BASE_URL: baseUrl,
        TRUST_PROXY: '1',
        PORT: '0',
        DATA_DIR: join(folder, schema),
        SRI_MODE: 'offline',
      };
      const server = await startServer(settings, { logger: silentLogger });
      servers.push(server);
      upstreams[`127.0.0.1:${ownPort}`] = new URL(server.url).host;
    }
    port = await freePort();
    writeFileSync(join(folder, 'cert.pem'), tls?.cert ?? '');
    writeFileSync(join(folder, 'key.pem'), tls?.key ?? '');
    const words = configureNginx(SITE, { folder, port, upstreams });
    proxy = spawn('nginx', words, { stdio: 'inherit' });
    agent = new Agent({
      connect: { rejectUnauthorized: false, lookup: (_host, _options, found) => found(null, [LOOPBACK]) },
    });
    while ((await statusOf(at('api'), '/healthz').catch(() => 0)) !== 200) {
      if (proxy.exitCode !== null) throw new Error('nginx ended.');
      await sleep(50);
    }
  });
  afterAll(async () => {
    const gone = proxy && proxy.exitCode === null ? once(proxy, 'exit') : null;
    proxy?.kill('SIGTERM');
    await gone;
    await agent?.close();
    await Promise.all(servers.map((server) => server.close()));
    const admin = new Client({ connectionString: serverUrl ?? '' });
    await admin.connect();
    for (const { schema } of CELLS) await admin.query(`drop schema if exists ${schema} cascade`);
    await admin.end();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A host of the file, through nginx. */
  const at = (host: string): RequestTarget => ({
    async request(path, init = {}) {
      const sent = new Request(`https://${host}.example.com:${port}${path}`, init);
      const body = sent.body === null ? null : Buffer.from(await sent.arrayBuffer());
      const headers = Object.fromEntries(sent.headers);
      const {
        status,
        headers: answered,
        ...answer
      } = await fetchBy(sent.url, {
        method: sent.method,
        headers,
        body,
        dispatcher: agent,
      }).then(async (response) => ({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        bytes: await response.arrayBuffer(),
      }));
      return new Response(answer.bytes.byteLength === 0 ? null : answer.bytes, { status, headers: answered });
    },
  });
  const statusOf = async (target: RequestTarget, path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await target.request(path, { headers })).status;

  it('a cell registers accounts at its own host, and the first cell serves requests without a key', async () => {
    expect(CELLS).toHaveLength(2);
    for (const { brand } of CELLS) {
      const tenant = await registerTenant(at(brand), { ruc: TEST_RUC });
      expect(tenant.apiKey).toMatch(new RegExp(`^${brand}_`));
      tenants.push(tenant);
    }
    expect((await registerTenant(at('api'))).apiKey).toMatch(/^norte_/);
  });

  it('nginx sends a request to the cell of its key, and no key opens another cell', async () => {
    for (const [index, tenant] of tenants.entries()) {
      const other = CELLS[1 - index]?.brand ?? '';
      const { accessKey } = await createDocument(at('api'), tenant);
      const path = `/v1/documents/${accessKey}`;
      expect(await statusOf(at('api'), path, tenant.headers)).toBe(200);
      expect(await statusOf(at(CELLS[index]?.brand ?? ''), path, tenant.headers)).toBe(200);
      expect(await statusOf(at(other), path, tenant.headers)).toBe(401);
      const response = await at('api').request('/v1/documents', { headers: tenant.headers });
      expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(1);
    }
  });
});

// --- internal ---

const LOOPBACK = { address: '127.0.0.1', family: 4 };
