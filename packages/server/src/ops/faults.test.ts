import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from 'sri-core';
import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../app.js';
import { watchProcessFaults } from '../platform/ops/process-faults.js';
import { startChildServer } from '../testing/child-server.js';
import { activeTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, openTestServer, TEST_RUC } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  registerTenant,
  type ShownDocument,
  SIMPLE_INVOICE,
} from '../testing/test-tenant.js';

describe('a fault in a handler', () => {
  it.each<{ name: string; fault: () => unknown }>([
    { name: 'an Error', fault: () => new TypeError('secret inside') },
    { name: 'a text', fault: () => 'secret inside' },
    { name: 'nothing at all', fault: () => undefined },
    { name: 'an object without a prototype', fault: () => Object.create(null) },
    {
      name: 'an Error without a stack',
      fault: () => Object.defineProperty(new Error('secret inside'), 'stack', { value: undefined }),
    },
  ])('answers 500 with only the request’s id after a fault: $name', async ({ fault }) => {
    const errors: Readonly<Record<string, unknown>>[] = [];
    const logger = { ...silentLogger, error: (fields: Readonly<Record<string, unknown>>) => void errors.push(fields) };
    const server = await openTestServer(null, { logger });
    const tenant = await registerTenant(server);
    const openIssuer = async (): Promise<never> => {
      throw fault();
    };
    const app = createApp({ ...server.services, openIssuer });
    const ask = () =>
      app.request('/v1/documents', {
        method: 'POST',
        headers: { ...tenant.headers, 'content-type': 'application/json', 'x-request-id': 'pedido-0001' },
        body: JSON.stringify(SIMPLE_INVOICE),
      });
    for (const response of [await ask(), await ask()]) {
      const text = await response.text();
      expect(response.status).toBe(500);
      expect(JSON.parse(text)).toMatchObject({ code: 'INTERNAL_ERROR', requestId: 'pedido-0001' });
      expect(text).not.toContain('secret');
    }
    expect(errors.map(({ requestId }) => requestId)).toEqual(['pedido-0001', 'pedido-0001']);
    // No number was used, and other requests are served.
    expect(await createDocument(server, tenant)).toMatchObject({ sequential: '000000001' });
    await server.close();
  });
});

it('an error of the engine has the language of the log', async () => {
  const { services, close } = await openTestServer(null);
  const scope = { issuerId: 'missing', environment: 'sandbox' } as const;
  await expect(services.engine.get(scope, '0'.repeat(49))).rejects.toThrow('There is no document');
  await close();
});

describeOnDatabases('a fault in a job', await databaseKinds(), (open) => {
  it('a fault in a call to the SRI fails only that attempt, and the next sends the document', async () => {
    const base = await open();
    let isBroken = true;
    const handle: typeof base.simulator.handle = (request) => {
      if (isBroken) throw new TypeError('a mistake of the program');
      return base.simulator.handle(request);
    };
    const server = await open({ beside: { ...base, simulator: { ...base.simulator, handle } } });
    const tenant = await registerTenant(server, { ruc: TEST_RUC });
    const { accessKey } = await createDocument(server, tenant);
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    const find = async () => {
      const response = await server.request(`/v1/documents/${accessKey}`, { headers: tenant.headers });
      return ((await response.json()) as { document: ShownDocument }).document;
    };
    // An attempt calls several times, with pauses between.
    let isOver = false;
    const ticking = server.tick().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await server.clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await ticking;
    expect(await find()).toMatchObject({
      status: 'PENDING_SEND',
      dispatch: { status: 'PENDING', attemptCount: 1 },
    });
    isBroken = false;
    for (let round = 0; round < 4; round += 1) {
      await server.tickAfter(5 * 60_000);
    }
    expect(await find()).toMatchObject({ status: 'AUTHORIZED' });
  });

  it('a fault in a webhook fails only that attempt, and the delivery ends like any other', async () => {
    const webhookSender = {
      send: async (): Promise<never> => {
        throw 'no Error at all';
      },
    };
    const server = await open({ webhookSender, settings: { WEBHOOK_ALLOW_INSECURE: 'true' } });
    const tenant = await activeTenant(server);
    const created = await postJson(server, '/v1/webhooks', tenant.auth, { url: 'http://127.0.0.1:9/' });
    const { endpoint } = (await created.json()) as { endpoint: { id: string } };
    await postJson(server, `/v1/webhooks/${endpoint.id}/test`, tenant.auth, {});
    for (let round = 0; round < 4; round += 1) {
      await server.tick();
      await server.clock.advance(3 * 60_000);
    }
    const response = await server.request(`/v1/webhooks/${endpoint.id}/deliveries`, { headers: tenant.auth });
    expect(await response.json()).toMatchObject({
      data: [{ status: 'FAILED', attemptCount: 3, lastError: 'UNEXPECTED_ERROR' }],
    });
  });
});

describe('an uncaught fault', () => {
  const cleaning: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const clean of cleaning.reverse()) await clean();
  });

  it('an exception ends the process, a rejected promise does not, and neither loses anything acknowledged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sri-faults-'));
    cleaning.push(() => rm(folder, { recursive: true, force: true }));
    const settings = { DATA_DIR: folder };
    const server = await startChildServer({ settings, program: 'stray-faults-server' });
    cleaning.push(() => server.kill());
    const tenant = await registerTenant(server);
    const acknowledged: string[] = [];
    // Longer than the processing of a rejection.
    for (let count = 0; count < 20; count += 1) acknowledged.push((await createDocument(server, tenant)).accessKey);
    await new Promise((resolve) => setTimeout(resolve, 200));
    acknowledged.push((await createDocument(server, tenant)).accessKey);

    server.signal('SIGHUP');
    const creating = (async () => {
      for (;;) acknowledged.push((await createDocument(server, tenant)).accessKey);
    })().catch(() => {});
    expect(await server.ended).toBe('1');
    await creating;

    const again = await startChildServer({ settings });
    cleaning.push(() => again.kill());
    for (const accessKey of acknowledged) {
      const response = await again.request(`/v1/documents/${accessKey}`, { headers: tenant.headers });
      expect(response.status).toBe(200);
    }
  });

  it('the log has the first line of an uncaught fault only, and the process ends once', async () => {
    const listeners = new Map<string, (fault: unknown) => void>();
    const exits: number[] = [];
    const errors: Readonly<Record<string, unknown>>[] = [];
    let stops = 0;
    watchProcessFaults({
      process: {
        on: (event, listener) => listeners.set(event, listener),
        exit: (code) => void exits.push(code),
      },
      logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
      stop: () => {
        stops += 1;
        return Promise.reject(new Error('it does not end well either'));
      },
    });
    listeners.get('unhandledRejection')?.(new RangeError('first line\nsecond line'));
    listeners.get('unhandledRejection')?.(Symbol('x'));
    await Promise.resolve();
    expect([stops, exits]).toEqual([0, []]);
    listeners.get('uncaughtException')?.(new Error('first'));
    listeners.get('uncaughtException')?.(new Error('second'));
    await expect.poll(() => exits).toEqual([1]);
    expect(stops).toBe(1);
    expect(errors.map(({ error, message }) => [error, message])).toEqual([
      ['RangeError', 'first line'],
      ['something that is no Error was thrown', undefined],
      ['Error', 'first'],
      ['Error', 'second'],
    ]);
  });
});
