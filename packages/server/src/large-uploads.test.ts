import { connect, type Socket } from 'node:net';
import { silentLogger } from 'sri-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY_LIMITS } from './platform/http/body-budget.js';
import { type RunningServer, startServer } from './server.js';
import { testFolder } from './testing/test-folder.js';
import {
  createDocument,
  creationHead,
  offsetToTestDay,
  registerTenant,
  type TestTenant,
} from './testing/test-tenant.js';

const dataDir = testFolder('uploads');
let server: RunningServer;
let tenant: TestTenant;

const client = { request: (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init) };

beforeAll(async () => {
  const settings = { PORT: '0', DATA_DIR: dataDir, ONBOARDING_RATE: '1000/1h', CLOCK_OFFSET: offsetToTestDay() };
  server = await startServer(settings, { logger: silentLogger });
  tenant = await registerTenant(client);
});
afterAll(() => server.close());

describe('bodies that are too large', () => {
  it.each([1, 2, 3])('the client receives the rejection of a body of 11 MiB, time %i', async () => {
    const form = new FormData();
    form.set('logo', new Blob([new Uint8Array(11 * 1024 * 1024)]), 'logo.png');
    const path = `/v1/issuers/${tenant.issuerId}/logo`;
    const response = await client.request(path, { method: 'PATCH', headers: tenant.auth, body: form });
    expect([response.status, await response.json()]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }]);
  });
});

describe('bodies that stall', () => {
  const BODY_BYTES = 1_040_000;

  function stall(): Socket {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    const head = creationHead(tenant, `Content-Length: ${BODY_BYTES + 1}`);
    socket.setEncoding('latin1').write(`${head}${' '.repeat(BODY_BYTES)}`);
    return socket;
  }

  it('stalled bodies share a limit by caller, and free their memory once they are gone', async () => {
    const answers: string[] = [];
    const sockets = Array.from({ length: 24 }, () => stall().on('data', (text: string) => answers.push(text)));
    const over = sockets.length - Math.floor(BODY_LIMITS.perCaller / BODY_BYTES);
    await expect.poll(() => answers.length, { timeout: 4_000 }).toBe(over);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d/i);
      expect(answer).toContain('"code":"SERVICE_UNAVAILABLE"');
    }
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => createDocument(client, tenant).then(({ status }) => status)).toBe('SIGNED');
  });

  it('the server drops a stalled body after seconds', { timeout: 20_000 }, async () => {
    const socket = stall();
    const answer = await new Promise<string>((resolve) => socket.once('data', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"REQUEST_TIMEOUT"/);
    socket.destroy();
  });
});

// --- internal ---
