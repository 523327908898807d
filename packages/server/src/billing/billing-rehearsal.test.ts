import { expect, it } from 'vitest';
import { BILLING_SETTINGS, billingOf, DAY_MS } from '../testing/billing-suite.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** The day of each operation, counted from the first verification. */
const LIFE = { upgrade: 12, yearly: 20, downgrade: 200, cancel: 397, back: 405, backAgain: 445, end: 450 } as const;

describeOnDatabases('fourteen months of an account', await databaseKinds(), (open) => {
  it('fourteen months of an account cause the expected events, notifications, payments and mails', {
    timeout: 240_000,
  }, async () => {
    // The certificate stays valid, so that all events are about billing.
    const server = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off', NOTIFICATION_TTL: 'off' } });
    const validity = { validTo: new Date('2030-01-01T00:00:00Z') };
    const tenant = await billingOf(server, await verifiedTenant(server, {}, validity)).promote();
    const billing = billingOf(server, tenant);
    await billing.subscribe({ tier: 'STARTER' });
    const story: string[] = [];
    const pay = async (paymentId: string) => {
      await billing.report(paymentId);
      await billing.verify(paymentId);
    };

    for (let day = 1; day <= LIFE.end; day += 1) {
      await server.tickAfter(DAY_MS);
      const { subscription, pendingPayment } = await billing.mine();
      // Renewals are paid only within the first year.
      if (pendingPayment?.purpose === 'RENEWAL' && day < 365) await pay(pendingPayment.id);
      if (day === LIFE.upgrade) await pay((await billing.changeTier({ tier: 'GROWTH' })).payment?.id ?? '');
      if (day === LIFE.yearly) {
        const wanted = { tier: 'GROWTH', billingInterval: 'YEARLY' };
        await pay((await billing.changeTier(wanted)).payment?.id ?? '');
      }
      if (day === LIFE.downgrade) await billing.changeTier({ tier: 'STARTER' });
      if (day === LIFE.cancel) await billing.cancel();
      if (day === LIFE.back || day === LIFE.backAgain) await billing.subscribe({ tier: 'STARTER' });
      const { status, subscriptionTier, documentQuota } = await billing.me();
      const standing = `${status} ${subscriptionTier} ${documentQuota}, ${subscription?.status ?? 'no subscription'}`;
      if (!story.at(-1)?.endsWith(standing)) story.push(`day ${day}: ${standing}`);
    }

    const reported = {
      story,
      events: (await billing.events()).map(({ eventType, detail }) => ({ eventType, detail })),
      notifications: (await billing.notices()).map(({ type, severity, message, metadata }) => ({
        type,
        severity,
        message,
        metadata,
      })),
      payments: (await billing.payments()).toReversed().map((payment) => ({
        purpose: payment.purpose,
        status: payment.status,
        amount: payment.amount,
        totalAmount: payment.totalAmount,
        target: `${payment['targetTier']} ${payment['targetBillingInterval']}`,
        dueAt: payment.dueAt,
      })),
      mails: await billing.mails(),
    };
    await expect(`${withNames(reported)}\n`).toMatchFileSnapshot('./billing-rehearsal.golden.txt');
  });
});

/** JSON with ids numbered by appearance and without fingerprints, so that two lives can be compared. */
function withNames(reported: unknown): string {
  const names = new Map<string, string>();
  return JSON.stringify(reported, null, 1)
    .replace(UUID, (id) => {
      const name = names.get(id) ?? `id ${names.size + 1}`;
      names.set(id, name);
      return name;
    })
    .replace(/"certFingerprint": "[0-9a-f]+"/g, '"certFingerprint": "…"');
}
