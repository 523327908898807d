import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from './server.js';
import { testFolder } from './testing/test-folder.js';
import { registerTenant, type TestTenant } from './testing/test-tenant.js';

/** Both ends of each connection are in this process. */
const CONNECTIONS = Math.min(5_000, Math.floor((openFilesAllowed() - 500) / 2));

const dataDir = testFolder('connections');
let server: RunningServer;
let tenant: TestTenant;
const faults: unknown[] = [];

beforeAll(async () => {
  const note = (fields: unknown) => void faults.push(fields);
  server = await startServer(
    { PORT: '0', DATA_DIR: dataDir },
    { logger: { info: () => {}, warn: () => {}, error: note } },
  );
  tenant = await registerTenant({ request });
});
afterAll(() => server.close());

const request = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init);

function open(): Socket {
  const { hostname, port } = new URL(server.url);
  return connect(Number(port), hostname)
    .setEncoding('latin1')
    .on('error', () => {});
}

/** Whether another client is served. */
async function serves(): Promise<boolean> {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => request('/v1/tenants/me', { headers: tenant.auth })),
  );
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return answers.every(({ status }) => status === 200);
}

describe('many connections to one server', { timeout: 60_000 }, () => {
  it(`the server serves others next to ${CONNECTIONS} idle connections`, async () => {
    const sockets: Socket[] = [];
    for (let opened = 0; opened < CONNECTIONS; opened += 250) {
      const some = Array.from({ length: Math.min(250, CONNECTIONS - opened) }, open);
      sockets.push(...some);
      await Promise.all(
        some.map(async (socket) => {
          socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
          const [answer] = await once(socket, 'data');
          expect(answer).toContain('HTTP/1.1 200 ');
        }),
      );
    }
    expect(await serves()).toBe(true);
    for (const socket of sockets) socket.destroy();
    expect(await serves()).toBe(true);
  });

  it('the server serves others next to pipelined requests, and answers the requests in order', async () => {
    const asked = Array.from({ length: 100 }, (_, index) => `pipelined-${index}`);
    const requests = asked.map((id) =>
      [
        'GET /v1/catalogs HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${tenant.apiKey}`,
        `X-Request-Id: ${id}`,
        id === asked.at(-1) ? 'Connection: close' : 'Connection: keep-alive',
        '',
        '',
      ].join('\r\n'),
    );
    const socket = open();
    let received = '';
    socket.on('data', (part: string) => {
      received += part;
    });
    socket.write(requests.join(''));
    const closed = once(socket, 'close');
    expect(await serves()).toBe(true);
    await closed;
    expect([...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual(Array(100).fill('200'));
    expect([...received.matchAll(/^x-request-id: (\S+)/gim)].map(([, id]) => id)).toEqual(asked);
  });

  it('the server serves others next to unfinished headers, and closes such connections after ten seconds', async () => {
    const sockets = Array.from({ length: 50 }, open);
    const begun = performance.now();
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }, 500);
    for (const socket of sockets) socket.resume().write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const ended = Promise.all(sockets.map((socket) => once(socket, 'close')));
    expect(await serves()).toBe(true);
    await ended;
    clearInterval(drip);
    expect(performance.now() - begun).toBeGreaterThan(9_000);
    // The limit is ten seconds; a busy machine may notice later, and Node's default is half a minute.
    expect(performance.now() - begun).toBeLessThan(25_000);
    expect(await serves()).toBe(true);
    expect(faults).toEqual([]);
  });
});

// --- internal ---

/** The largest number that this process may have open at once. */
function openFilesAllowed(): number {
  const reported = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
  return reported === 'unlimited' ? 1_000_000 : Number(reported);
}
