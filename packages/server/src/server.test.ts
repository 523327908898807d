import { stat } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger, type Transport } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSocket } from './platform/sockets/listen.js';
import { openServer, type RunningServer, startServer } from './server.js';
import { testFolder } from './testing/test-folder.js';
import { TEST_RUC, type TestServer } from './testing/test-server.js';
import { createDocument, creationHead, postJson, registerTenant } from './testing/test-tenant.js';

const dataDir = testFolder('run');
let server: RunningServer;
/** The running server in the form that the helpers of tenants expect. */
let client: TestServer;

beforeAll(async () => {
  server = await start();
  client = { request: (path, init) => fetch(`${server.url}${path}`, init) } as TestServer;
});
afterAll(() => server.close());

function start(settings: Record<string, string> = {}): Promise<RunningServer> {
  const port = { PORT: '0', DATA_DIR: dataDir, SRI_AUTH_FIRST_DELAY: '10ms', ONBOARDING_RATE: '1000/1h' };
  return startServer({ ...port, ...settings }, { logger: silentLogger });
}

/** Sends raw bytes and returns the answer until the connection ended. */
async function raw(text: string, waitMs = 2000): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  socket.write(text, 'latin1');
  await Promise.race([new Promise((resolve) => socket.once('close', resolve)), sleep(waitMs)]);
  socket.destroy();
  return received;
}

/** Fails if the document does not have that status within five seconds. */
async function untilStatus(accessKey: string, headers: Record<string, string>, expected: string): Promise<void> {
  let status = '';
  for (let round = 0; round < 100 && status !== expected; round += 1) {
    await sleep(50);
    const response = await client.request(`/v1/documents/${accessKey}`, { headers });
    ({ status } = ((await response.json()) as { document: { status: string } }).document);
  }
  expect(status).toBe(expected);
}

describe('a start', () => {
  it.each([
    ['HOST', { HOST: '203.0.113.1' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null/data' }],
    ['DATABASE_URL', { DATABASE_URL: 'file:/dev/null/app.db' }],
    ['DATABASE_URL', { DATABASE_URL: `file:${tmpdir()}` }],
  ])('an error names the setting %s that prevents the start', async (variable, settings) => {
    await expect(start(settings)).rejects.toThrow(variable);
  });
});

it('a read-only start makes no folder', async () => {
  const missing = join(dataDir, 'missing');
  await expect(start({ READ_ONLY: 'true', DATA_DIR: missing })).rejects.toMatchObject({ code: 'DATABASE_NOT_READY' });
  await expect(stat(missing)).rejects.toMatchObject({ code: 'ENOENT' });
});

describe('a running server', () => {
  /** Its certificate contains its RUC, so that its documents are authorized. */
  let tenant: Awaited<ReturnType<typeof registerTenant>>;

  it('the server prints its destinations', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.destinations).toEqual({
      sandboxDocuments: 'the built-in simulator',
      productionDocuments: expect.stringMatching(/^the SRI, https:\/\/cel\.sri\.gob\.ec\//),
      mail: `files in ${join(dataDir, 'mail')}`,
      data: join(dataDir, 'app.db'),
    });
  });

  it('the server authorizes a document without further requests', async () => {
    tenant = await registerTenant(client, { ruc: TEST_RUC });
    const { accessKey } = await createDocument(client, tenant);
    expect((await postJson(client, `/v1/documents/${accessKey}/send`, tenant.headers, {})).status).toBe(202);
    await untilStatus(accessKey, tenant.headers, 'AUTHORIZED');
  });

  it('a restarted server authorizes documents that its simulated SRI received before', async () => {
    await server.close();
    server = await start({ SRI_AUTH_FIRST_DELAY: '1s' });
    const { accessKey } = await createDocument(client, tenant);
    await postJson(client, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    await untilStatus(accessKey, tenant.headers, 'RECEIVED');
    await server.close();
    server = await start();
    await untilStatus(accessKey, tenant.headers, 'AUTHORIZED');
  });

  it('SRI_MODE=offline keeps production documents on this machine', async () => {
    await server.close();
    const token = 'operator-token-of-at-least-32-bytes';
    server = await start({ SRI_MODE: 'offline', ADMIN_TOKEN: token, AGREEMENTS: 'off' });
    expect(server.destinations.productionDocuments).toBe('the built-in simulator');
    const admin = { authorization: `Bearer ${token}` };
    const path = `/v1/admin/tenants/${tenant.tenantId}`;
    expect((await postJson(client, `${path}/verify`, admin, {})).status).toBe(200);
    const promoted = await postJson(client, `${path}/promote`, admin, {});
    const { apiKeys } = (await promoted.json()) as { apiKeys: { apiKey: string }[] };
    const auth = { authorization: `Bearer ${apiKeys[0]?.apiKey}` };
    const live = { ...tenant, auth, headers: { ...tenant.headers, ...auth } };
    const { accessKey } = await createDocument(client, live);
    expect(accessKey[23]).toBe('2');
    await postJson(client, `/v1/documents/${accessKey}/send`, live.headers, {});
    await untilStatus(accessKey, live.headers, 'AUTHORIZED');
  });

  it('problems name the address of the server', async () => {
    const response = await client.request('/nowhere');
    expect(await response.json()).toMatchObject({ type: `${server.url}/docs/errors/not-found` });
  });

  it.each<[string, string, RegExp]>([
    ['no HTTP', 'EHLO mail\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /^HTTP\/1\.1 400 /],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a folded header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'a key of 20 KiB',
      `GET /v1/tenants/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'a'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 400 /,
    ],
    [
      'two lengths',
      'POST /v1/documents HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'length and chunks',
      'POST /v1/documents HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'broken chunks',
      'POST /v1/documents HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      /^HTTP\/1\.1 4\d\d /,
    ],
    [
      'a strange host',
      'GET /healthz HTTP/1.1\r\nHost: a b<script>\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 (200|400) /,
    ],
    [
      'an absolute address',
      'GET http://elsewhere/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 200 /,
    ],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 404 /],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', /^(HTTP\/1\.1 4\d\d |$)/],
    [
      'an upgrade',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
      /^HTTP\/1\.1 200 /,
    ],
    [
      'two keys',
      'GET /v1/tenants/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 401 /,
    ],
    ['a NUL in the path', 'GET /v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'an overlong path',
      `GET /${'a'.repeat(15_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      /^HTTP\/1\.1 404 /,
    ],
    [
      'a broken escape',
      'GET /v1/documents/%c0%af HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 401 /,
    ],
  ])('the server answers %s and continues to run', async (_name, request, expected) => {
    const answer = await raw(request);
    expect(answer).toMatch(expected);
    expect(answer).not.toMatch(/ at |node:|Error:/);
    expect((await client.request('/healthz')).status).toBe(200);
  });

  it('malformed requests get a problem in JSON', async () => {
    const [head = '', body = ''] = (await raw('nonsense\r\n\r\n')).split('\r\n\r\n');
    expect(head).toContain('content-type: application/json; charset=utf-8');
    expect(JSON.parse(body)).toMatchObject({
      type: `${server.url}/docs/errors/bad-request`,
      status: 400,
      code: 'BAD_REQUEST',
      reason: 'MALFORMED_REQUEST',
    });
  });

  it('a client that disconnects in the middle of its body affects no other', async () => {
    const tenant = await registerTenant(client, {});
    const head = creationHead(tenant, 'Content-Length: 1000');
    await raw(`${head}{"a":`, 100);
    expect((await client.request('/healthz')).status).toBe(200);
  });

  it('the connection ends after too large a body', async () => {
    const tenant = await registerTenant(client, {});
    const head = creationHead(tenant, 'Transfer-Encoding: chunked');
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    const answer = await raw(`${head}${chunk.repeat(17)}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer.toLowerCase()).toContain('connection: close');
  });

  it('the server keeps its data and its master key over a restart', async () => {
    const tenant = await registerTenant(client, {});
    const { accessKey } = await createDocument(client, tenant);
    await server.close();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    server = await start();
    const response = await client.request(`/v1/documents/${accessKey}`, { headers: tenant.headers });
    expect(response.status).toBe(200);
    expect(await createDocument(client, tenant)).toMatchObject({ sequential: '000000002' });
  });

  it('a stopping server finishes running requests, and rejects others', async () => {
    const simulator = createSimulator();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow: Transport = async (request) => {
      const answer = await simulator.handle(request);
      if (!request.url.includes('Autorizacion')) return answer;
      asked();
      await sleep(300);
      return answer;
    };
    const settings = { DATA_DIR: join(dataDir, 'other'), PORT: '0', SRI_AUTH_FIRST_DELAY: '1h' };
    const other = await startServer(settings, { logger: silentLogger, sandboxTransport: slow });
    const remote = { request: (path, init) => fetch(`${other.url}${path}`, init) } as TestServer;
    const tenant = await registerTenant(remote, { ruc: TEST_RUC });
    const { accessKey } = await createDocument(remote, tenant);
    await postJson(remote, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    while (simulator.journal.length === 0) await sleep(10);
    await sleep(50);
    const answer = remote.request(`/v1/documents/${accessKey}/authorize`, { headers: tenant.headers });
    await isAsked;
    await other.close();
    const response = await answer;
    expect([response.status, await response.json()]).toMatchObject([200, { document: { status: 'AUTHORIZED' } }]);
    await expect(fetch(`${other.url}/healthz`)).rejects.toThrow();
  });

  it('a port in use or a database that does not open leaves nothing open', async () => {
    const { port } = new URL(server.url);
    await expect(start({ PORT: port, DATA_DIR: join(dataDir, 'taken') })).rejects.toMatchObject({
      code: 'PORT_UNAVAILABLE',
      message: `Port ${port} of 127.0.0.1 is taken or may not be used.`,
    });
    await expect(start({ DATABASE_URL: `file:${join(dataDir, 'app.db', 'app.db')}` })).rejects.toThrow();
    const nowhere = start({ DATABASE_URL: 'postgres://sri:geheim@127.0.0.1:1/sri' });
    await expect(nowhere).rejects.toMatchObject({
      message: expect.stringMatching(/^PostgreSQL, 127\.0\.0\.1:1\/sri cannot be used: (?!.*geheim).*ECONNREFUSED/),
    });
  });

  it('a start that fails after its port is open leaves nothing open', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const settings = {
      PORT: String(port),
      DATA_DIR: join(dataDir, 'templates'),
      MAIL_TEMPLATES: join(dataDir, 'none'),
    };
    for (const _turn of ['first', 'second']) {
      await expect(startServer(settings, { logger: silentLogger })).rejects.toThrow('MAIL_TEMPLATES');
    }
  });

  it('a starting server answers 503 with a time to retry', async () => {
    const early: Response[] = [];
    const settings = { DATA_DIR: testFolder('early'), PORT: '0' };
    const { close } = await openServer(settings, { logger: silentLogger }, async (handle, options) => {
      const socket = await openSocket(handle, options);
      early.push(await fetch(`http://${socket.host}:${socket.port}/v1/tiers`));
      return socket;
    });
    await close();
    const [answer] = early;
    expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer?.json()).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  });

  it('the server closes its database even if a step of its stop fails', async () => {
    const settings = { DATA_DIR: join(dataDir, 'failing'), PORT: '0' };
    const { close, services } = await openServer(settings, { logger: silentLogger }, openSocket);
    vi.spyOn(services.background, 'idle').mockRejectedValue(new Error('no end'));
    await expect(close()).rejects.toThrow('no end');
    await expect(services.checkDatabase()).rejects.toThrow();
  });

  it("the file of the database is for the server's account alone", async () => {
    expect((await stat(join(dataDir, 'app.db'))).mode & 0o777).toBe(0o600);
  });
});
