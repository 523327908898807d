import { setTimeout as sleep } from 'node:timers/promises';
import { createUuidSource, type Logger, silentLogger, systemRandom } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { expect, it } from 'vitest';
import { noticeCertificates } from '../issuers/notify-of-certificates.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import { formOf } from '../testing/form-of.js';
import { activeTenant } from '../testing/production-tenant.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_PASSWORD, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { type Draft, type PublishingDeps, publish } from './publish.js';

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly readAt: string | null;
  readonly metadata: { readonly count: number; readonly documents: readonly { readonly accessKey: string }[] };
}

const DAY_MS = 86_400_000;
const DOCUMENTS = 200;

describeOnDatabases('notifications of two servers on one database', await everyDatabaseKind(), (open) => {
  const list = async (server: TestServer, tenant: TestTenant, query = '') => {
    const response = await server.request(`/v1/notifications${query}`, { headers: tenant.auth });
    expect(response.status).toBe(200);
    return (await response.json()) as { notifications: Shown[]; unreadCount: number };
  };
  const faults: string[] = [];
  const note = (_: object, message: string) => void faults.push(message);
  const logger: Logger = { ...silentLogger, warn: note, error: note };
  const pair = async () => {
    const one = await open({ logger });
    return [one, await open({ beside: one, logger })] as const;
  };
  /** The dependencies of a publishing process. */
  const publishing = (): PublishingDeps => ({
    newId: createUuidSource(systemRandom),
    notificationTtlMs: null,
    announce: async () => {},
  });
  const draftFor = (tenantId: string): Draft => ({
    tenantId,
    issuerId: null,
    environment: null,
    type: 'PRICE_CHANGE_ANNOUNCED',
    severity: 'INFO',
    title: 'Título',
    message: 'Mensaje',
    metadata: null,
  });

  it('[R343] [R344] concurrent authorizations count every document once', async () => {
    const [one, other] = await pair();
    const tenant = await activeTenant(one, { ruc: TEST_RUC }, { subscription_tier: 'BUSINESS' });
    const documents = documentsOf(one, tenant);
    const created = await Promise.all(Array.from({ length: DOCUMENTS }, () => documents.create()));
    await Promise.all(created.map(({ accessKey }) => documents.post(`${accessKey}/send`, {})));
    const work = () => Promise.all([one.services.engine.tick(), other.services.engine.tick()]);
    await work();
    await one.clock.advance(5_000);
    await work();

    const { data } = (await (await documents.get('?status=AUTHORIZED&limit=1')).json()) as { data: unknown[] };
    expect(data).toHaveLength(1);
    const { notifications } = await list(one, tenant);
    expect(notifications.map(({ metadata }) => metadata.count)).toEqual([DOCUMENTS]);
    const named = notifications.flatMap(({ metadata }) => metadata.documents.map(({ accessKey }) => accessKey));
    expect(new Set(named).size).toBe(50);
    const keys = new Set(created.map(({ accessKey }) => accessKey));
    expect(named.filter((accessKey) => !keys.has(accessKey))).toEqual([]);
    // No deadlock, and no other failed job.
    expect(faults).toEqual([]);
  }, 180_000);

  it('[R265] [R369] notifications become visible in the order of their ids, so that a client misses none', async () => {
    const [one, other] = await pair();
    const tenant = await registerTenant(one);
    const made: string[] = [];
    let writing = true;
    /** Writes notifications with slow commits, by a separate clock. */
    const write = async (database: ServerDatabase, aheadMs: number, pauseMs: number) => {
      const parts = publishing();
      for (let round = 0; round < 25; round += 1) {
        await database.transaction(async (tables) => {
          const now = new Date(one.clock.now().getTime() + aheadMs + round);
          await publish(tables, { tenantId: tenant.tenantId, now }, parts, async () => draftFor(tenant.tenantId));
          const { id } = await tables
            .selectFrom('notifications')
            .select('id')
            .where('tenant_id', '=', tenant.tenantId)
            .orderBy('id', 'desc')
            .limit(1)
            .executeTakeFirstOrThrow();
          made.push(id);
          await sleep(Math.random() * pauseMs);
        });
      }
    };
    const seen: string[] = [];
    const read = async () => {
      for (let last = false; !last; ) {
        last = !writing;
        const since = seen.length > 0 ? `?sinceId=${seen.at(-1)}` : '';
        const { notifications } = await list(one, tenant, since);
        seen.push(...notifications.map(({ id }) => id).reverse());
        await sleep(1);
      }
    };
    const reading = read();
    await Promise.all([
      write(one.services.database, 0, 8),
      write(other.services.database, 3_600_000, 2),
      write(other.services.database, -60_000, 5),
    ]);
    writing = false;
    await reading;
    expect(made).toHaveLength(75);
    // Ids are in the order of the commits, because the notifications of one account are serialized.
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(75);
    expect(seen).toEqual(made);
  });

  it('[R347] two processes report a certificate once', async () => {
    const [one, other] = await pair();
    const validTo = new Date(one.clock.now().getTime() + 5 * DAY_MS);
    const cert = await createTestP12({ password: TEST_PASSWORD, validFrom: new Date('2026-01-01'), validTo });
    const tenants: TestTenant[] = [];
    for (let number = 0; number < 5; number += 1) {
      tenants.push(await registerTenant(one, { cert, certPassword: TEST_PASSWORD }));
    }
    const look = (server: TestServer) =>
      noticeCertificates({ ...server.services, publishing: publishing() }, server.clock.now());
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([look(one), look(other), look(one), look(other)]);
      for (const tenant of tenants) expect((await list(one, tenant)).unreadCount).toBe(1);
      await one.clock.advance(DAY_MS);
    }
  });

  it('[R348] a certificate renewed during the check is not reported', async () => {
    const [one, other] = await pair();
    const certificate = (days: number) =>
      createTestP12({
        password: TEST_PASSWORD,
        validFrom: new Date('2026-01-01'),
        validTo: new Date(one.clock.now().getTime() + days * DAY_MS),
      });
    const tenant = await registerTenant(one, { cert: await certificate(5), certPassword: TEST_PASSWORD });
    const body = formOf({ cert: await certificate(300), certPassword: TEST_PASSWORD });
    const renew = () =>
      one.request(`/v1/issuers/${tenant.issuerId}/certificate`, { method: 'PATCH', headers: tenant.auth, body });
    // The certificate is listed as ending soon, and renewed before its notice is made.
    let renewed: Promise<Response> | null = null;
    const database: ServerDatabase = {
      ...other.services.database,
      async read(work) {
        const listed = await other.services.database.read(work);
        renewed ??= renew();
        expect((await renewed).status).toBe(200);
        return listed;
      },
    };
    await noticeCertificates({ ...other.services, database, publishing: publishing() }, other.clock.now());
    expect((await list(one, tenant)).notifications).toEqual([]);
  });

  it('[R119] a notification stays read while a document joins it', async () => {
    const [one, other] = await pair();
    const tenant = await registerTenant(one, { ruc: TEST_RUC });
    const documents = documentsOf(one, tenant);
    await documents.authorized();
    const [first] = (await list(one, tenant)).notifications;
    let reading: Promise<Response> | null = null;
    await other.services.database.transaction(async (tables) => {
      const { tenantId } = tenant;
      await publish(tables, { tenantId, now: other.clock.now() }, publishing(), async () => {
        const row = await tables
          .selectFrom('notifications')
          .selectAll()
          .where('id', '=', first?.id ?? '')
          .executeTakeFirstOrThrow();
        reading ??= one.request(`/v1/notifications/${row.id}/read`, { method: 'POST', headers: tenant.auth });
        await sleep(100);
        return {
          ...draftFor(tenantId),
          id: row.id,
          readAt: null,
          expiresAt: null,
          createdAt: new Date(row.created_at),
          type: 'DOCUMENT_AUTHORIZED',
          issuerId: row.issuer_id,
          metadata: { count: 2, documents: [] },
        };
      });
    });
    expect((await (reading as Promise<Response> | null))?.status).toBe(200);
    const [after] = (await list(one, tenant)).notifications;
    expect([after?.metadata.count, typeof after?.readAt]).toEqual([2, 'string']);
  });
});
