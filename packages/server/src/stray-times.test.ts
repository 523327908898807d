import { silentLogger } from 'sri-core';
import { beforeAll, expect, it } from 'vitest';
import { createServerClock } from './platform/clock.js';
import { createDatabaseClock } from './platform/database/database-clock.js';
import { claimReady } from './testing/claim-ready.js';
import { activeTenant, asWebApplication } from './testing/production-tenant.js';
import { databaseKinds } from './testing/test-databases.js';
import { documentsOf } from './testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from './testing/test-server.js';
import { postJson } from './testing/test-tenant.js';

const TWO_DAYS_MS = 48 * 3_600_000;

describeOnDatabases('a clock that was two days ahead', await databaseKinds(), (open, databaseName) => {
  let server: TestServer;
  beforeAll(async () => {
    const acknowledging = { send: async () => ({ acknowledged: true, status: 200, fault: null }) } as const;
    server = await open({ webhookSender: acknowledging });
  });

  it('a corrected clock that was ahead delays no mail and no delivery, leased or not', async () => {
    const { database } = server.services;
    const tenant = await activeTenant(server, { ruc: TEST_RUC });
    const web = { ...tenant.auth, ...asWebApplication(tenant.tenantId) };
    await postJson(server, '/v1/webhooks', web, { url: 'https://receptor.ec/a' });
    await documentsOf(server, tenant).authorized();
    await server.tick();
    const right = server.clock.now();
    // A mail and a delivery of this moment, written by a server whose clock was ahead: leased or due for a retry.
    const ahead = new Date(right.getTime() + TWO_DAYS_MS);
    await database.transaction(async (tables) => {
      await tables
        .updateTable('jobs')
        .set({ status: 'PENDING', due_at: ahead.getTime(), ready_at: ahead.getTime() })
        .where((where) => where.or([where('authorization_of', 'is not', null), where('kind', '=', 'WEBHOOK')]))
        .execute();
      const lane = tenant.tenantId;
      const claimed = await claimReady(tables, database.traits, 'MAIL', [{ lane, limit: 1 }], {
        now: ahead,
        leaseMs: 60_000,
      });
      expect(claimed).toHaveLength(1);
    });
    const waiting = () =>
      database.read(async (tables) => {
        const pending = tables.selectFrom('jobs').select('id').where('status', '=', 'PENDING');
        const mails = await pending.where('kind', '=', 'MAIL').execute();
        const deliveries = await pending.where('kind', '=', 'WEBHOOK').execute();
        return [mails.length, deliveries.length];
      });
    expect(await waiting()).not.toContain(0);
    server.clock.set(new Date(right.getTime() - 1_000));
    await server.tick();
    expect(await waiting()).toEqual([0, 0]);
  });

  it.skipIf(databaseName === 'SQLite')('several servers on one database follow the time of the database', async () => {
    const clock = createDatabaseClock(createServerClock(TWO_DAYS_MS), silentLogger);
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeGreaterThan(TWO_DAYS_MS - 60_000);
    const stopping = new AbortController();
    await clock.follow(server.services.database, stopping.signal);
    stopping.abort();
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(30_000);
  });
});
