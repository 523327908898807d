import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildServer, startChildServer } from '../child-server.js';
import type { TestTenant } from '../test-tenant.js';
import { activeTenant, settingsOf } from './chaos-tenant.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';

/** Thousands of clients hold nearly idle connections while others send requests. A run is one of these requests. */
export const crowdedSockets: Fault = {
  name: 'crowded-sockets',
  about:
    '5,000 idle connections, 200 that take for ever over their headers, 100 requests in a row: others within a second',
  databases: ['sqlite'],
  shortRuns: 200,
  longRuns: 5_000,
  run,
};

// --- internal ---

const IDLE = 5_000;
const SLOW = 200;
const PIPELINED = 100;

/** Concurrent requests of the other clients. */
const AT_ONCE = 10;

/** The limit for the 99th percentile of the other requests, in milliseconds. */
const PROMISED_MS = 1_000;

async function run(context: FaultContext): Promise<FaultCount> {
  const server = await startChildServer({ settings: settingsOf(context) });
  const sockets: Socket[] = [];
  const crowd = new AbortController();
  try {
    const tenant = await activeTenant(server, context);
    const alone = await serve(server, tenant, context.runs);
    const slow = keepSlow(server, crowd.signal);
    const pipelined = keepAsking(server, tenant, crowd.signal);
    sockets.push(...(await openIdle(server, IDLE)));
    const beside = await serve(server, tenant, context.runs);
    const left = sockets.filter((socket) => !socket.destroyed).length;
    crowd.abort();
    await Promise.all([slow, pipelined]);
    const detail = `p99 ${beside.p99.toFixed(0)} ms, alone ${alone.p99.toFixed(0)} ms; ${left} of ${IDLE} idle connections left`;
    // A busy machine is also slow without the crowd.
    const isSlow = beside.p99 > Math.max(PROMISED_MS, 4 * alone.p99);
    return { runs: context.runs, lost: alone.refused + beside.refused, duplicated: 0, stuck: isSlow ? 1 : 0, detail };
  } finally {
    crowd.abort();
    for (const socket of sockets) socket.destroy();
    await server.kill();
  }
}

/** Sends the other requests. Returns the number of unserved ones, and the 99th percentile in milliseconds. */
async function serve(server: ChildServer, tenant: TestTenant, requests: number) {
  const took: number[] = [];
  let [asked, refused] = [0, 0];
  const ask = async () => {
    while (asked < requests) {
      asked += 1;
      const started = performance.now();
      const response = await server.request('/v1/tenants/me', { headers: tenant.auth });
      await response.arrayBuffer();
      // This route has a limit per minute; a 429 counts as served.
      if (response.status === 200 || response.status === 429) took.push(performance.now() - started);
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  return { refused, p99 };
}

function open({ url }: ChildServer): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on('error', () => {});
}

/** Opens connections that stay open after one request. */
async function openIdle(server: ChildServer, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(250, count - sockets.length) }, () => open(server));
    sockets.push(...some);
    await Promise.all(
      some.map(async (socket) => {
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
        await once(socket, 'data');
      }),
    );
  }
  return sockets;
}

/** Clients that send their headers letter by letter, and reconnect when cut off. */
async function keepSlow(server: ChildServer, signal: AbortSignal): Promise<void> {
  const begin = () => open(server).resume().setDefaultEncoding('latin1');
  let sockets = Array.from({ length: SLOW }, begin);
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  while (!signal.aborted) {
    sockets = sockets.map((socket) => {
      if (!socket.destroyed) {
        socket.write('x');
        return socket;
      }
      const again = begin();
      again.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      return again;
    });
    await sleep(500, undefined, { signal }).catch(() => {});
  }
  for (const socket of sockets) socket.destroy();
}

/** A client that pipelines a hundred requests before it reads an answer, repeatedly. */
async function keepAsking(server: ChildServer, { apiKey }: TestTenant, signal: AbortSignal): Promise<void> {
  const request = (connection: string) =>
    `GET /v1/catalogs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nConnection: ${connection}\r\n\r\n`;
  while (!signal.aborted) {
    const socket = open(server).resume();
    socket.write(request('keep-alive').repeat(PIPELINED - 1) + request('close'));
    await once(socket, 'close');
  }
}
