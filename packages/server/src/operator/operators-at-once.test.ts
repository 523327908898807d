import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { lockTenant } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { ADMIN_SETTINGS, type AdminAnswer, askAsOperator, auditOf } from '../testing/admin-access.js';
import { storeReportedPayment } from '../testing/billing-suite.js';
import { sessionsBehind } from '../testing/blocked-sessions.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';

// SQLite runs one transaction at a time.
const kinds = (await everyDatabaseKind()).filter(({ name }) => name !== 'SQLite');

describeOnDatabases('concurrent actions of two operators', kinds, (open) => {
  let server: TestServer;
  let holder: TestServer;
  beforeAll(async () => {
    server = await open({ settings: ADMIN_SETTINGS });
    holder = await open({ beside: server });
  });

  const ask = (method: string, path: string, body: unknown) => askAsOperator(server, method, path, body);

  /** Sends requests that wait for a change. It commits when all of them wait. */
  async function sendDuring(
    change: (tables: Tables) => Promise<unknown>,
    requests: readonly (() => Promise<AdminAnswer>)[],
  ): Promise<readonly AdminAnswer[]> {
    const sent: Promise<AdminAnswer>[] = [];
    await holder.services.database.transaction(async (tables) => {
      await change(tables);
      sent.push(...requests.map((request) => request()));
      await sessionsBehind(server, tables, requests.length);
    });
    return Promise.all(sent);
  }

  it('two concurrent publications change a price once', async () => {
    const effectiveAt = new Date(server.clock.now().getTime() + 40 * 86_400_000).toISOString();
    const draft = { tier: 'STARTER', billingInterval: 'MONTHLY', newPriceUsd: '25.50', effectiveAt };
    const publish = () => ask('POST', 'prices', draft);
    const untilWritten = (tables: Tables) => sql`lock table published_prices in share mode`.execute(tables);
    const answers = await sendDuring(untilWritten, [publish, publish]);
    const reported = answers.map(({ status, body }) => `${status} ${body.reason ?? ''}`);
    expect(reported.toSorted()).toEqual(['201 ', '409 PRICE_CHANGE_PENDING']);
  });

  it('the record has the state of the account after a concurrent change', async () => {
    const { tenantId } = await registerTenant(server);
    await sendDuring(
      (tables) =>
        tables.updateTable('tenants').set({ subscription_tier: 'STARTER' }).where('id', '=', tenantId).execute(),
      [() => ask('PATCH', `tenants/${tenantId}/tier`, { subscriptionTier: 'GROWTH' })],
    );
    expect(await auditOf(server, tenantId)).toMatchObject([
      { before: { subscriptionTier: 'STARTER' }, after: { subscriptionTier: 'GROWTH' } },
    ]);
  });

  it('the record has the state of the payment after a concurrent change', async () => {
    const tenant = await verifiedTenant(server);
    const { paymentId } = await storeReportedPayment(server, tenant);
    await sendDuring(
      async (tables) => {
        await lockTenant(tables, tenant.tenantId);
        const rejected = { status: 'REJECTED', rejection_reason: 'OTHER' };
        await tables.updateTable('payments').set(rejected).where('id', '=', paymentId).execute();
      },
      [() => ask('PATCH', `payments/${paymentId}/review`, { decision: 'VERIFIED' })],
    );
    expect(await auditOf(server, paymentId)).toMatchObject([
      { before: { status: 'REJECTED', rejectionReasonCode: 'OTHER' }, after: { status: 'VERIFIED' } },
    ]);
  });
});
