import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allRoutes } from './all-routes.js';
import type { Route } from './gate/route.js';
import { oneIn, TRIES_ALL } from './testing/bad-input/sample.js';
import { countCase } from './testing/bad-input/tally.js';
import { type ChildServer, startChildServer } from './testing/child-server.js';
import {
  createDocument,
  offsetToTestDay,
  registerTenant,
  SIMPLE_INVOICE,
  type TestTenant,
} from './testing/test-tenant.js';

// Clients that send thousands of requests before they read an answer, or read none. A separate process measures the
// memory.

const ADMIN_TOKEN = 'pipelined-operator-token';
const SECRET = 'p'.repeat(32);
const MOST_RSS = 400 * 1024 * 1024;
const REQUESTS = TRIES_ALL ? 5_000 : 1_600;
const CONNECTIONS = TRIES_ALL ? [1, 50] : [20];
const MS = 1_000;

let dataDir: string;
let server: ChildServer;
let tenant: TestTenant;
let accessKey: string;

// A run of every route gives each route its own server, since the rows of thousands of requests would distort the
// measurement.
if (TRIES_ALL) {
  beforeEach(start, 60_000);
  afterEach(stop, 60_000);
} else {
  beforeAll(start, 60_000);
  afterAll(stop, 60_000);
}

async function start(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'sri-pipelined-'));
  server = await startChildServer({
    settings: {
      DATA_DIR: dataDir,
      ADMIN_TOKEN,
      INTERNAL_SERVICE_SECRET: SECRET,
      CLOCK_OFFSET: offsetToTestDay(),
      // Rate limits would reject these requests.
      ONBOARDING_RATE: '999999/1h',
      PUBLIC_RATE: '999999/1m',
      KEY_RATE: '999999/1m',
    },
  });
  tenant = await registerTenant(server);
  ({ accessKey } = await createDocument(server, tenant));
}

async function stop(): Promise<void> {
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
}

const routes = allRoutes({ urls: { baseUrl: 'http://x', docsUrl: 'http://x/docs' }, hasOperator: true });
const always = ['/openapi.json', '/v1/documents'];
const tried = routes.filter((route) => always.includes(route.path) || oneIn(24, routes, 'pipelined').includes(route));

describe.each(CONNECTIONS)(`${REQUESTS} requests at once on each of %i connections`, (connections) => {
  it.each(tried.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
    'pipelined requests keep the process within its memory limit: $name',
    { timeout: 60_000 },
    async ({ route }) => {
      for (const reads of [false, true]) {
        const text = requestTo(route).repeat(REQUESTS);
        const startedAt = performance.now();
        const sockets = Array.from({ length: connections }, () => open(text, reads));
        let peak = 0;
        while (performance.now() - startedAt < MS) {
          await sleep(100);
          peak = Math.max(peak, memoryOf(server.pid));
        }
        const askedAt = performance.now();
        const health = await server.request('/healthz');
        countCase({ status: health.status, ms: performance.now() - askedAt, showsInside: false });
        for (const socket of sockets) socket.destroy();
        expect(health.status).toBe(200);
        expect(peak).toBeLessThan(MOST_RSS);
      }
    },
  );
});

// --- internal ---

function open(text: string, reads: boolean): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  if (reads) socket.resume();
  else socket.pause();
  socket.write(text);
  return socket;
}

function requestTo(route: Route): string {
  const names: Readonly<Record<string, string>> = { accessKey, id: tenant.issuerId };
  const path = route.path.replaceAll(/:(\w+)|\*\*/g, (_all, name: string | undefined) => names[name ?? ''] ?? 'x');
  const body = route.method === 'GET' ? '' : JSON.stringify(route.path === '/v1/documents' ? SIMPLE_INVOICE : {});
  const lines = [
    `${route.method} ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${route.access === 'admin' ? ADMIN_TOKEN : tenant.apiKey}`,
    `X-Issuer-Id: ${tenant.issuerId}`,
    ...(route.access === 'internal' || route.access === 'service' ? [`X-Internal-Service-Secret: ${SECRET}`] : []),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The memory of a process, in bytes. */
function memoryOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}
