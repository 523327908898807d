import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { Hono } from 'hono';
import { silentLogger } from 'sri-core';
import { createClient } from 'sri-core/client';
import { createTestP12 } from 'sri-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedServer, embedServer, type WebHandler } from './embed.js';
import { ConfigError } from './platform/config-values.js';
import { formOf } from './testing/form-of.js';
import { testFolder } from './testing/test-folder.js';
import { TEST_RUC } from './testing/test-server.js';
import { SIMPLE_INVOICE } from './testing/test-tenant.js';

const BASE_URL = 'https://shop.example.com';
const INVOICE = SIMPLE_INVOICE as Parameters<ReturnType<typeof createClient>['documents']['create']>[0];

describe('a server within another program', () => {
  const dataDir = testFolder('embedded');
  let server: EmbeddedServer;
  let handle: WebHandler;
  beforeAll(async () => {
    const settings = {
      BASE_URL: `${BASE_URL}/`,
      DATA_DIR: dataDir,
      SRI_AUTH_FIRST_DELAY: '10ms',
      ONBOARDING_RATE: '1/1h',
    };
    server = await embedServer(settings, { logger: silentLogger });
    handle = server.toWebHandler();
  });
  afterAll(() => server.close());

  it('an embedded server requires its public address', async () => {
    await expect(embedServer({ DATA_DIR: dataDir })).rejects.toBeInstanceOf(ConfigError);
  });

  it('an embedded server issues documents without a socket, and reports stored documents', async () => {
    const reported: string[] = [];
    const stop = server.on('authorized', ({ document }) => {
      reported.push(document.accessKey);
      throw new Error('a listener of no use');
    });
    const { apiKey, issuer } = await register(handle);
    const client = createClient({ baseUrl: server.url, apiKey, issuerId: issuer.id, fetch: handle });
    const document = await client.documents.issue(INVOICE);
    stop();
    expect(document.status).toBe('AUTHORIZED');
    expect(reported).toEqual([document.accessKey]);
    const description = await (await handle(new Request(`${BASE_URL}/openapi.json`))).json();
    expect(description).toMatchObject({ servers: [{ url: BASE_URL }] });
  });

  it('an embedded server counts public requests by the given address', async () => {
    const again = (clientAddress: string) =>
      handle(new Request(`${BASE_URL}/v1/register`, { method: 'POST', body: new FormData() }), { clientAddress });
    expect((await again('203.0.113.7')).status).toBe(400);
    expect((await again('203.0.113.7')).status).toBe(429);
    expect((await again('203.0.113.8')).status).toBe(400);
  });

  it('an embedded server answers within Express, next to its routes', async () => {
    const app = express();
    app.get('/shop', (_request, response) => void response.send('open'));
    app.use(server.toNodeHandler());
    const http = createServer(app).listen(0, '127.0.0.1');
    await new Promise((resolve) => http.once('listening', resolve));
    const { port } = http.address() as AddressInfo;
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await ask('/shop')).toBe('open');
    expect(await ask('/readyz')).toContain('"status":"ok"');
    expect(await ask('/v1/documents')).toContain('UNAUTHORIZED');
    http.close();
    http.closeAllConnections();
  });

  it('an embedded server answers within Hono, next to its routes', async () => {
    const app = new Hono();
    app.get('/shop', (context) => context.text('open'));
    app.all('*', (context) => handle(context.req.raw));
    expect(await (await app.request(`${BASE_URL}/shop`)).text()).toBe('open');
    expect((await app.request(`${BASE_URL}/console`)).status).toBe(200);
  });

  it('a closed embedded server rejects every request', async () => {
    const other = await mkdtemp(join(tmpdir(), 'sri-embedded-'));
    const closed = await embedServer({ BASE_URL, DATA_DIR: other }, { logger: silentLogger });
    await closed.close();
    expect((await closed.toWebHandler()(new Request(`${BASE_URL}/readyz`))).status).toBe(503);
    await rm(other, { recursive: true, force: true });
  });
});

interface Registered {
  readonly apiKey: string;
  readonly issuer: { readonly id: string };
}

async function register(handle: WebHandler): Promise<Registered> {
  const body = formOf({
    cert: await createTestP12({ ruc: TEST_RUC, password: 'secreta' }),
    certPassword: 'secreta',
    email: 'shop@example.com',
    ruc: TEST_RUC,
    businessName: 'Shop',
    mainAddress: 'Quito',
    branchCode: '001',
    issuePointCode: '001',
    requiredAccounting: 'false',
    emissionType: '1',
  });
  const response = await handle(new Request(`${BASE_URL}/v1/register`, { method: 'POST', body }));
  expect(response.status).toBe(201);
  return (await response.json()) as Registered;
}
