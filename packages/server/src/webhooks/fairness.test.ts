import { deflateSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { toJobRow } from '../platform/jobs/job-rows.js';
import { activeTenant } from '../testing/production-tenant.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, type TestTenant } from '../testing/test-tenant.js';
import { openReceiver, type WebhookReceiver } from '../testing/webhook-receiver.js';
import { createDeliveryWorker } from './delivery-worker.js';
import { createWebhookSender } from './webhook-sender.js';

const QUEUED = 1_000;

describeOnDatabases('receivers that hang', await everyDatabaseKind(), (open) => {
  let server: TestServer;
  let hanging: WebhookReceiver;
  let swift: WebhookReceiver;
  beforeAll(async () => {
    server = await open({ settings: { WEBHOOK_ALLOW_INSECURE: 'true' } });
  });
  beforeEach(async () => {
    [hanging, swift] = [await openReceiver(), await openReceiver()];
    hanging.answer = 'nothing';
  });
  afterEach(async () => {
    swift.close();
    await server.services.database.transaction((tables) => tables.deleteFrom('jobs').execute());
  });

  async function endpointOf(tenant: TestTenant, url: string): Promise<string> {
    const response = await postJson(server, '/v1/webhooks', tenant.auth, { url });
    expect(response.status).toBe(201);
    return ((await response.json()) as { endpoint: { id: string } }).endpoint.id;
  }

  async function account(): Promise<TestTenant> {
    return await activeTenant(server, {}, { subscription_tier: 'BUSINESS' });
  }

  /** Queues a number of deliveries to an endpoint, a minute before all others. */
  async function queue(lane: string, tenant_id: string, count: number): Promise<void> {
    const { newId } = server.services.webhooks;
    const now = new Date(server.clock.now().getTime() - 60_000);
    const message_id = newId(now);
    await server.services.database.transaction(async (tables) => {
      await tables
        .insertInto('webhook_messages')
        .values({ id: message_id, tenant_id, notification_id: null, event_at: 0, data: deflateSync('{}') })
        .execute();
      const job = { kind: 'WEBHOOK', subject: 'TEST', lane, tenantId: tenant_id, now } as const;
      const rows = Array.from({ length: count }, () => ({ ...toJobRow({ ...job, id: newId(now) }), message_id }));
      for (let first = 0; first < count; first += 100) {
        await tables
          .insertInto('jobs')
          .values(rows.slice(first, first + 100))
          .execute();
      }
    });
  }

  /** A worker that ended attempts wake, and a timer every 100 ms. */
  function startWorker(timeoutMs: number) {
    const { database, vault, logger } = server.services;
    let stopped = false;
    const round = () => {
      if (!stopped) void worker.start();
    };
    const worker = createDeliveryWorker(
      {
        database,
        vault,
        logger,
        clock: server.clock,
        sender: createWebhookSender({ timeoutMs, allowInsecure: true }),
        leaseMs: 60_000,
        delaysMs: [],
        headerPrefix: null,
        userAgent: 'test',
        limits: { concurrency: 8, concurrencyWithSlow: 64, concurrencyPerLane: 2 },
        stopping: new AbortController().signal,
      },
      round,
    );
    const timer = setInterval(round, 100);
    return {
      round,
      async stop() {
        stopped = true;
        clearInterval(timer);
        hanging.close();
        await worker.idle();
      },
    };
  }

  async function untilSeen(receiver: WebhookReceiver, count: number): Promise<number> {
    const started = performance.now();
    while (receiver.seen.length < count && performance.now() - started < 20_000) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(receiver.seen.length).toBe(count);
    return performance.now() - started;
  }

  it('a hanging receiver with a thousand pending deliveries does not delay other receivers', async () => {
    const [slow, other] = [await account(), await account()];
    await queue(await endpointOf(slow, hanging.url), slow.tenantId, QUEUED);
    const worker = startWorker(3_000);
    worker.round();
    await untilSeen(hanging, 2);
    const endpoint = await endpointOf(other, swift.url);
    for (let number = 0; number < 10; number += 1) await queue(endpoint, other.tenantId, 1);
    expect(await untilSeen(swift, 10)).toBeLessThan(2_000);
    expect(hanging.seen.length).toBeLessThanOrEqual(4);
    await worker.stop();
  });

  it('many hanging receivers do not delay other receivers', async () => {
    const [slow, other] = [await account(), await account()];
    // More than the shared places.
    for (let number = 0; number < 10; number += 1) await queue(await endpointOf(slow, hanging.url), slow.tenantId, 10);
    const worker = startWorker(5_000);
    worker.round();
    await untilSeen(hanging, 8);
    await queue(await endpointOf(other, swift.url), other.tenantId, 1);
    expect(await untilSeen(swift, 1)).toBeLessThan(4_000);
    await worker.stop();
  });

  it('fast receivers take turns', async () => {
    const tenant = await account();
    const endpoints: string[] = [];
    for (let number = 0; number < 10; number += 1) endpoints.push(await endpointOf(tenant, `${swift.url}${number}`));
    for (const endpoint of endpoints) await queue(endpoint, tenant.tenantId, 20);
    const worker = startWorker(5_000);
    worker.round();
    await untilSeen(swift, 200);
    await worker.stop();
    // With places for four of ten at once, no receiver waits for the end of the others.
    const early = new Set(swift.seen.slice(0, 80).map(({ path }) => path));
    expect(early.size).toBe(10);
  });
});
