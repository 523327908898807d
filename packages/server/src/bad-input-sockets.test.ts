import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from './server.js';
import { framingCases, HOSTS, PATH_TRICKS } from './testing/bad-input/raw-requests.js';
import { faultOfText } from './testing/bad-input/refusal.js';
import { TRIES_ALL } from './testing/bad-input/sample.js';
import { countCase } from './testing/bad-input/tally.js';
import { testFolder } from './testing/test-folder.js';
import type { TestServer } from './testing/test-server.js';
import { offsetToTestDay, registerTenant, SIMPLE_INVOICE, type TestTenant } from './testing/test-tenant.js';

const dataDir = testFolder('sockets');
let server: RunningServer;
let client: Pick<TestServer, 'request'>;
let tenant: TestTenant;
const faults: unknown[] = [];

beforeAll(async () => {
  const logger = { info: () => {}, warn: () => {}, error: (fields: unknown) => void faults.push(fields) };
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    ONBOARDING_RATE: '1000/1h',
    CLOCK_OFFSET: offsetToTestDay(),
  };
  server = await startServer(settings, { logger });
  client = { request: (path, init) => fetch(`${server.url}${path}`, init) };
  tenant = await registerTenant(client as TestServer);
});
afterAll(() => server.close());
afterEach(async () => {
  const health = await client.request('/healthz');
  expect(health.status).toBe(200);
  expect(faults).toEqual([]);
});

function open(): Socket {
  const { hostname, port } = new URL(server.url);
  return connect(Number(port), hostname).on('error', () => {});
}

/** Sends raw bytes. @returns the answer until the connection ended or fell silent. */
async function raw(text: string): Promise<string> {
  const socket = open();
  let received = '';
  const startedAt = performance.now();
  let lastAt = startedAt;
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
    lastAt = performance.now();
  });
  const closed = once(socket, 'close').then(() => true);
  socket.write(text, 'latin1');
  while (performance.now() - lastAt < QUIET_MS) if (await Promise.race([closed, sleep(20, false)])) break;
  socket.destroy();
  // A close without an answer also counts as an answer.
  const status = Math.max(0, ...statusesOf(received));
  countCase({ status, ms: lastAt - startedAt, showsInside: status >= 400 && faultOfText(received) !== null });
  return received;
}

/** The number of documents, and the next number. */
async function stored(): Promise<unknown> {
  const documents = await client.request('/v1/documents', { headers: tenant.headers });
  const sequentials = await client.request(`/v1/issuers/${tenant.issuerId}/sequentials`, { headers: tenant.auth });
  return [(await documents.json()) as unknown, (await sequentials.json()) as unknown];
}

it('rejects requests with wrong framing, and stores nothing', { timeout: 120_000 }, async () => {
  const before = await stored();
  for (const { name, text, answers } of framingCases(tenant)) {
    const received = await raw(text);
    const statuses = statusesOf(received);
    expect(statuses.length, `${name}: ${received.slice(0, 300)}`).toBe(answers.length);
    for (const [index, allowed] of answers.entries()) expect(allowed, name).toContain(statuses[index]);
    expect(faultOfText(received), name).toBeNull();
  }
  expect(framingCases(tenant).length).toBeGreaterThan(50);
  expect(await stored()).toEqual(before);
});

it(`${PATH_TRICKS.length} odd forms of a path lead around no key`, { timeout: 120_000 }, async () => {
  for (const path of PATH_TRICKS) {
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    const without = await raw(`${head}\r\n`);
    // Some paths reach the page at /, which needs no key and shows no account's data.
    if (statusesOf(without)[0] === 200) expect(without, path.slice(0, 80)).toContain('<a href="/console">');
    else expect([400, 401, 404], `${path.slice(0, 80)}: ${without.slice(0, 300)}`).toContain(statusesOf(without)[0]);
    expect(faultOfText(without.replace(/"instance":"[^"]*"/, '')), path.slice(0, 80)).toBeNull();
    const withKey = await raw(`${head}Authorization: Bearer ${tenant.apiKey}\r\n\r\n`);
    expect([200, 400, 404], `${path.slice(0, 80)}: ${withKey.slice(0, 300)}`).toContain(statusesOf(withKey)[0]);
    // A proxy that blocks a path does not take it for a slash.
    if (path.includes('\\')) expect(statusesOf(withKey), path).toEqual([400]);
    // A path that answers with a key must ask for one.
    if (statusesOf(withKey)[0] === 200) expect([401, 200], path).toContain(statusesOf(without)[0]);
  }
});

it(`ignores ${HOSTS.length} odd hosts`, { timeout: 60_000 }, async () => {
  for (const host of HOSTS) {
    const lines = ['GET /nowhere HTTP/1.1', `Host: ${host}`, 'X-Forwarded-Host: evil.example', 'Connection: close'];
    const received = await raw(`${lines.join('\r\n')}\r\n\r\n`);
    expect([400, 404], `${host}: ${received.slice(0, 200)}`).toContain(statusesOf(received)[0]);
    expect(received).toContain(`"type":"${server.url}/docs/errors/`);
    expect(received).not.toContain('evil.example');
    expect(faultOfText(received)).toBeNull();
  }
});

describe('unfinished bodies', () => {
  const invoice = JSON.stringify(SIMPLE_INVOICE);
  const head = (length: string) =>
    [
      'POST /v1/documents HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${tenant.apiKey}`,
      `X-Issuer-Id: ${tenant.issuerId}`,
      'Content-Type: application/json',
      length,
    ].join('\r\n');

  it.each([
    {
      name: 'a length longer than the body',
      text: () => `${head(`Content-Length: ${invoice.length + 10}`)}\r\n\r\n${invoice}`,
    },
    {
      name: 'chunks without an end',
      text: () => `${head('Transfer-Encoding: chunked')}\r\n\r\n${invoice.length.toString(16)}\r\n${invoice}\r\n`,
    },
    { name: 'half a chunk', text: () => `${head('Transfer-Encoding: chunked')}\r\n\r\nffff\r\n${invoice}` },
    { name: 'half of the headers', text: () => head('X-A: b') },
  ])('an unfinished request stores nothing, however the client disconnects: $name', async ({ text }) => {
    const before = await stored();
    for (const leave of [
      (socket: Socket) => socket.end(),
      (socket: Socket) => socket.destroy(),
      (socket: Socket) => socket.resetAndDestroy(),
    ]) {
      const socket = open();
      await once(socket, 'connect');
      socket.resume().write(text(), 'latin1');
      await sleep(30);
      const closed = once(socket, 'close');
      leave(socket);
      await Promise.race([closed, sleep(2000)]);
      expect(socket.closed).toBe(true);
    }
    expect(await stored()).toEqual(before);
  });

  it('two hundred silent connections keep no other client out', async () => {
    const sockets = Array.from({ length: 200 }, open);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write('GET /v1/ten');
    const startedAt = performance.now();
    expect((await client.request('/v1/tenants/me', { headers: tenant.auth })).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    for (const socket of sockets) socket.destroy();
  });

  // The server waits most of a minute for a slow client.
  it.runIf(TRIES_ALL)(
    'the server closes the connections of slow clients in the end',
    { timeout: 120_000 },
    async () => {
      const slow = [head('X-A: b'), `${head('Transfer-Encoding: chunked')}\r\n\r\nffff\r\n{`];
      const before = await stored();
      const startedAt = performance.now();
      await Promise.all(
        slow.map(async (text) => {
          const socket = open();
          const drip = setInterval(() => socket.write('x'), 500);
          socket.resume().write(text);
          await once(socket, 'close');
          clearInterval(drip);
        }),
      );
      expect(performance.now() - startedAt).toBeLessThan(45_000);
      expect(await stored()).toEqual(before);
    },
  );
});

// --- internal ---

/** A connection without data for this long has sent everything. */
const QUIET_MS = 5000;

function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
