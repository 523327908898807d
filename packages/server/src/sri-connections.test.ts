import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startServer } from './server.js';
import { createDocument, postJson, registerTenant } from './testing/test-tenant.js';

const CALLS = 20;
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

it('SRI_CONCURRENCY sets the number of concurrent calls to the SRI, and no call exceeds it', async () => {
  const held: ServerResponse[] = [];
  const full = Promise.withResolvers<void>();
  const sri = createServer((_request, response) => {
    held.push(response);
    if (held.length === CALLS) full.resolve();
  });
  await new Promise<void>((resolve) => sri.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => sri.close(resolve)));
  const dataDir = await mkdtemp(join(tmpdir(), 'sri-connections-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServer({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    MAIL_TO_BUYERS: 'off',
    SRI_MODE: 'live',
    SRI_SANDBOX_URL: `http://127.0.0.1:${(sri.address() as AddressInfo).port}/comprobantes-electronicos-ws`,
    SRI_CONCURRENCY: String(CALLS),
    // The SRI answers none of the calls.
    SHUTDOWN_GRACE: '1s',
  });
  const target = { request: (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init) };
  const tenant = await registerTenant(target);
  await Promise.all(
    Array.from({ length: CALLS + 2 }, async () => {
      const { accessKey } = await createDocument(target, tenant);
      expect((await postJson(target, `/v1/documents/${accessKey}/send`, tenant.headers, {})).status).toBe(202);
    }),
  );
  await full.promise;
  expect(held).toHaveLength(CALLS);
  closing.push(() => server.close());
  for (const response of held) response.destroy();
});
