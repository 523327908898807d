import { expect, it } from 'vitest';
import { lockTenant } from '../accounts/index.js';
import { BILLING_SETTINGS, billingOf, DAY_MS, TEST_PNG } from '../testing/billing-suite.js';
import { changeRows } from '../testing/change-rows.js';
import { failingDatabase } from '../testing/failing-database.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { type BillingDeps, changeBilling } from './change-billing.js';
import { verifyPayment } from './settle-payment.js';
import { reportWithProofs } from './upload-proof.js';

describeOnDatabases('a change of billing', await databaseKinds(), (open) => {
  async function unpaid() {
    const server = await open({ settings: BILLING_SETTINGS });
    const { tenantId, ...tenant } = await verifiedTenant(server);
    const billing = billingOf(server, { tenantId, ...tenant });
    const { payment } = await billing.start({ tier: 'GROWTH' });
    const tables = [
      'tenants',
      'subscriptions',
      'payments',
      'payment_proofs',
      'tenant_events',
      'notifications',
    ] as const;
    const stored = () =>
      server.services.database.read(async (read) => {
        const rows = [];
        for (const table of tables) rows.push(await read.selectFrom(table).selectAll().orderBy('id').execute());
        return [...rows, await read.selectFrom('jobs').selectAll().orderBy('id').execute()];
      });
    return { server, tenantId, billing, payment, stored };
  }

  /** Fails one statement after the other until none is left. @returns their number. */
  async function failEach(
    { server, stored }: Awaited<ReturnType<typeof unpaid>>,
    attempt: (parts: BillingDeps) => Promise<unknown>,
  ): Promise<number> {
    const { billing } = server.services;
    const before = await stored();
    for (let statement = 1; statement < 100; statement += 1) {
      const database = failingDatabase(server.services.database, statement);
      const outcome = await attempt({ ...billing, database }).then(
        () => 'done',
        () => 'failed',
      );
      if (outcome === 'done') return statement - 1;
      expect(await stored()).toEqual(before);
    }
    throw new Error('It never came to an end.');
  }

  it('a change of billing is stored whole or not at all, whichever statement fails', async () => {
    const account = await unpaid();
    const statements = await failEach(account, (parts) =>
      changeBilling(parts, account.tenantId, (before, context) => verifyPayment(before, account.payment.id, context)),
    );
    expect(statements).toBeGreaterThan(10);
    expect(await account.billing.me()).toMatchObject({ subscriptionTier: 'GROWTH' });
    expect(await account.billing.mails()).toEqual(['PAYMENT_VERIFIED']);
  });

  it('a report with files is stored whole or not at all', async () => {
    const account = await unpaid();
    const files = [1, 2].map((each) => ({ bytes: TEST_PNG, filename: `${each}.png`, mimeType: 'image/png' }));
    const report = { files, referenceNumber: '1' };
    const statements = await failEach(account, (parts) =>
      reportWithProofs(parts, account.tenantId, account.payment.id, report),
    );
    expect(statements).toBeGreaterThan(8);
    expect((await account.billing.payments())[0]).toMatchObject({ status: 'REPORTED' });
  });

  it('a change of billing has the time at which it locks its account', async () => {
    const { server, tenantId, payment } = await unpaid();
    const { database, billing } = server.services;
    const [locked, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = database.transaction(async (tables) => {
      await lockTenant(tables, tenantId);
      locked.resolve();
      await waited.promise;
    });
    await locked.promise;
    const verifying = changeBilling(billing, tenantId, (before, context) => verifyPayment(before, payment.id, context));
    await server.clock.advance(5_000);
    waited.resolve();
    await holder;
    expect((await verifying).account.payments[0]?.verifiedAt).toEqual(server.clock.now());
  });

  it('a failure for one account does not stop the round of another account', async () => {
    const { server, billing, payment, tenantId } = await unpaid();
    await billing.verify(payment.id);
    const other = billingOf(server, await verifiedTenant(server));
    await other.subscribe();
    // A row that cannot be read.
    await changeRows(server, 'payments', { tenant_id: tenantId }, { state_before: '{' });
    for (const days of [25, 15]) {
      await server.tickAfter(days * DAY_MS);
    }
    expect(await other.me()).toMatchObject({ status: 'PAST_DUE' });
    expect(await billing.me()).toMatchObject({ status: 'ACTIVE', subscriptionTier: 'GROWTH' });
    await changeRows(server, 'payments', { tenant_id: tenantId }, { state_before: null });
    await server.tick();
    await server.tickAfter(14 * DAY_MS);
    expect(await billing.me()).toMatchObject({ status: 'PAST_DUE' });
  });
});
