import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from './config/config.js';
import { openDatabase } from './open-database.js';
import type { Tables } from './platform/database/tables.js';
import { bundledProgram } from './testing/bundled-sources.js';
import { type ChildServer, startChildServer } from './testing/child-server.js';
import { databaseSettings } from './testing/database-settings.js';
import { freePort } from './testing/free-port.js';
import { openSmtpSink, type SmtpSink } from './testing/smtp-sink.js';
import { databaseKinds, type TestDatabase } from './testing/test-databases.js';
import { TEST_RUC } from './testing/test-server.js';
import { createDocument, postJson, registerTenant, type TestTenant } from './testing/test-tenant.js';
import { openReceiver, type WebhookReceiver } from './testing/webhook-receiver.js';

// The test uses real processes and real signals, as a client and the next process see them.

it.skipIf(!existsSync('/dev/full'))('a server whose output is full still serves, and ends at SIGTERM', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sri-full-'));
  const full = openSync('/dev/full', 'w');
  const port = await freePort();
  const server = spawn(process.execPath, [bundledProgram('sri-server')], {
    env: { PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', full, full],
  });
  try {
    const answers = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
    await vi.waitFor(async () => expect(await answers()).toBe(200), { timeout: 30_000, interval: 200 });
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  } finally {
    server.kill('SIGKILL');
    closeSync(full);
    await rm(dataDir, { recursive: true, force: true });
  }
});

it('a server whose reader leaves just before SIGTERM ends', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sri-reader-'));
  const server = spawn(process.execPath, [bundledProgram('sri-server')], {
    env: { PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    for await (const piece of server.stdout) if (String(piece).includes('Listening')) break;
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  } finally {
    server.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
});

for (const kind of await databaseKinds()) {
  describe.skipIf(kind.missing !== null)(`a server that stops, on ${kind.name}`, () => {
    let sri: SlowSri;
    let database: TestDatabase;
    let dataDir: string;
    let child: ChildServer | null = null;
    let mailServer: SmtpSink;
    let receiver: WebhookReceiver;

    beforeAll(async () => {
      sri = await openSlowSri();
      mailServer = await openSmtpSink();
      receiver = await openReceiver();
    });
    afterEach(async () => {
      await child?.kill();
      await database.remove();
      await rm(dataDir, { recursive: true, force: true });
    });
    afterAll(async () => {
      sri.close();
      receiver.close();
      await mailServer.down();
    });

    async function start(settings: Readonly<Record<string, string>>): Promise<ChildServer> {
      database = await kind.create();
      dataDir = await mkdtemp(join(tmpdir(), 'sri-stop-'));
      child = await startChild(settings);
      return child;
    }

    /** A process on the existing database. */
    function startChild(settings: Readonly<Record<string, string>>): Promise<ChildServer> {
      return startChildServer({
        settings: {
          DATA_DIR: dataDir,
          ...databaseSettings(database.url),
          ONBOARDING_RATE: '1000/1h',
          SRI_MODE: 'live',
          SRI_SANDBOX_URL: `${sri.url}/comprobantes-electronicos-ws`,
          SRI_AUTH_FIRST_DELAY: '10ms',
          SRI_CONCURRENCY: '16',
          ...settings,
        },
      });
    }

    /** Reads or writes next to the server. */
    async function beside<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
      const config = readConfig({ DATA_DIR: dataDir, ...databaseSettings(database.url) });
      const opened = await openDatabase(config, systemClock, { migrate: false });
      try {
        return await opened.database.transaction(work);
      } finally {
        await opened.close();
      }
    }

    /** The leases and the work that the stopped server left in its database. */
    function leftovers() {
      return beside(async (tables) => {
        const jobs = await tables.selectFrom('sri_jobs').selectAll().execute();
        const leased = [
          ...(await tables.selectFrom('jobs').select('id').where('lease_until', 'is not', null).execute()),
        ];
        const documents = await tables.selectFrom('sri_documents').select('access_key').execute();
        return {
          jobs,
          held: jobs.filter(({ lease_until }) => lease_until !== null).length + leased.length,
          accessKeys: new Set(documents.map(({ access_key }) => access_key)),
        };
      });
    }

    /** The number of attempts of the sent mails and webhooks. */
    function attemptsOfSent() {
      return beside(async (tables) => {
        const done = tables.selectFrom('jobs').select('attempt_count').where('status', 'in', ['SENT', 'DELIVERED']);
        return (await done.execute()).map(({ attempt_count }) => attempt_count);
      });
    }

    it('a stopping server reports its stop, finishes running work, drops no request and holds no job', {
      timeout: 60_000,
    }, async () => {
      sri.delayMs = 200;
      const server = await start({ SHUTDOWN_DELAY: '3s' });
      const tenants = await Promise.all([1, 2, 3].map(() => registerTenant(server)));
      let isReady = true;
      let refusals = 0;
      const answered: string[] = [];
      const dropped: string[] = [];
      /** Requests like a load balancer: over kept connections, until the server is not ready. */
      async function work(tenant: TestTenant): Promise<void> {
        while (isReady) {
          try {
            const { accessKey } = await createDocument(server, tenant);
            answered.push(accessKey);
            if (!isReady) return;
            const { status } = await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
            if (status !== 202) refusals += 1;
          } catch (error) {
            dropped.push(String(error instanceof Error ? (error.cause ?? error) : error));
          }
        }
      }
      async function watch(): Promise<unknown> {
        for (;;) {
          const response = await server.request('/readyz');
          const body = (await response.json()) as { checks: { draining: boolean } };
          if (body.checks.draining) {
            isReady = false;
            return { body, connection: response.headers.get('connection') };
          }
          await sleep(20);
        }
      }
      const clients = Array.from({ length: 12 }, (_, index) => work(tenants[index % 3] as TestTenant));
      const watching = watch();
      while (answered.length < 30 && dropped.length === 0) await sleep(20);
      process.kill(server.pid, 'SIGTERM');
      expect(await watching).toEqual({
        body: {
          status: 'error',
          checks: { database: true, masterKey: true, background: true, draining: true },
        },
        connection: 'close',
      });
      await Promise.all(clients);
      expect(await server.ended).toBe('0');
      expect({ dropped, refusals }).toEqual({ dropped: [], refusals: 0 });
      const { held, accessKeys } = await leftovers();
      expect(held).toBe(0);
      expect(answered.filter((key) => !accessKeys.has(key))).toEqual([]);
    });

    it('a stopping server finishes long requests even without a delay, and closes their connections', {
      timeout: 60_000,
    }, async () => {
      sri.delayMs = 0;
      const server = await start({ SRI_AUTH_FIRST_DELAY: '1h' });
      const tenant = await registerTenant(server, { ruc: TEST_RUC });
      const keys = await Promise.all(Array.from({ length: 8 }, () => createDocument(server, tenant)));
      for (const { accessKey } of keys) {
        await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
      }
      while ((await leftovers()).jobs.some(({ operation }) => operation === 'SEND')) await sleep(50);
      sri.delayMs = 700;
      const before = sri.calls;
      const answers = keys.map(({ accessKey }) =>
        server.request(`/v1/documents/${accessKey}/authorize`, { headers: tenant.headers }),
      );
      while (sri.calls < before + keys.length) await sleep(10);
      process.kill(server.pid, 'SIGTERM');
      const seen = await Promise.all(
        answers.map(async (answer) => {
          const response = await answer;
          const { document } = (await response.json()) as { document: { status: string } };
          return `${response.status} ${document.status} ${response.headers.get('connection')}`;
        }),
      );
      expect([...new Set(seen)]).toEqual(['200 AUTHORIZED close']);
      expect(await server.ended).toBe('0');
    });

    it('a stopping server returns jobs without an answer of the SRI before its grace ends', {
      timeout: 60_000,
    }, async () => {
      sri.delayMs = Number.POSITIVE_INFINITY;
      const server = await start({ SHUTDOWN_GRACE: '2s' });
      const tenant = await registerTenant(server);
      const before = sri.calls;
      for (let sent = 0; sent < 5; sent += 1) {
        const { accessKey } = await createDocument(server, tenant);
        await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
      }
      while (sri.calls < before + 5) await sleep(20);
      const stoppedAt = performance.now();
      process.kill(server.pid, 'SIGTERM');
      expect(await server.ended).toBe('0');
      expect(performance.now() - stoppedAt).toBeLessThan(30_000);
      const { jobs, held } = await leftovers();
      expect(held).toBe(0);
      expect(jobs.map(({ operation, attempt_count, unconfirmed }) => [operation, attempt_count, unconfirmed])).toEqual(
        Array.from({ length: 5 }, () => ['SEND', 0, 1]),
      );
    });

    it('a stopping server returns mails and webhooks without an answer, due at once for the next process', {
      timeout: 60_000,
    }, async () => {
      sri.delayMs = 0;
      mailServer.mode = 'hang';
      receiver.answer = 'nothing';
      receiver.forget();
      const settings = { SMTP_URL: mailServer.url, WEBHOOK_ALLOW_INSECURE: 'true', SHUTDOWN_GRACE: '3s' };
      const server = await start(settings);
      const tenant = await registerTenant(server);
      await beside((tables) =>
        tables.updateTable('tenants').set({ subscription_tier: 'BUSINESS', status: 'ACTIVE' }).execute(),
      );
      const hook = await postJson(server, '/v1/webhooks', tenant.auth, { url: receiver.url });
      expect(hook.status).toBe(201);
      const { endpoint } = (await hook.json()) as { endpoint: { id: string } };
      await postJson(server, `/v1/webhooks/${endpoint.id}/test`, tenant.auth, {});
      await expect.poll(() => [mailServer.waiting, receiver.seen.length], { timeout: 10_000 }).toEqual([1, 1]);
      process.kill(server.pid, 'SIGTERM');
      expect(await server.ended).toBe('0');
      expect((await leftovers()).held).toBe(0);

      // The next process waits for no lease, and sends both as if for the first time.
      mailServer.mode = 'ok';
      receiver.answer = 200;
      child = await startChild(settings);
      await expect.poll(() => [mailServer.mails.length, receiver.seen.length], { timeout: 15_000 }).toEqual([1, 2]);
      const [first, second] = receiver.seen.map(({ headers }) => headers['webhook-id']);
      expect(second).toBe(first);
      await expect.poll(attemptsOfSent, { timeout: 5_000 }).toEqual([1, 1]);
    });

    it('a second signal ends the server at once', { timeout: 60_000 }, async () => {
      sri.delayMs = Number.POSITIVE_INFINITY;
      const server = await start({});
      const tenant = await registerTenant(server);
      const before = sri.calls;
      const { accessKey } = await createDocument(server, tenant);
      await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
      while (sri.calls < before + 1) await sleep(20);
      process.kill(server.pid, 'SIGTERM');
      await expect.poll(() => isGone(server), { timeout: 10_000 }).toBe(true);
      process.kill(server.pid, 'SIGINT');
      expect(await server.ended).toBe('1');
    });
  });
}

// --- internal ---

/** The simulated SRI behind a socket. */
interface SlowSri {
  readonly url: string;
  /** The delay of its answers from now on. */
  delayMs: number;
  /** The number of calls received. */
  readonly calls: number;
  close(): void;
}

async function openSlowSri(): Promise<SlowSri> {
  const simulator = createSimulator({ authorizationDelayMs: 0 });
  let calls = 0;
  const answer: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    calls += 1;
    if (!Number.isFinite(sri.delayMs)) return;
    await sleep(sri.delayMs);
    const headers = { 'content-type': 'text/xml; charset=utf-8' };
    const asked = new Request(`http://sri${request.url}`, { method: 'POST', headers, body });
    const answered = await simulator.handle(asked);
    response.writeHead(answered.status, headers).end(Buffer.from(await answered.arrayBuffer()));
  };
  const server: Server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sri = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    get calls() {
      return calls;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return sri;
}

/** Whether a server accepts no more connections. */
async function isGone({ url }: ChildServer): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  );
}
