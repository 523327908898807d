import type { Updateable } from 'kysely';
import { IssuerNotFoundError, IssuerPausedError } from 'sri-core';
import { beforeEach, expect, it } from 'vitest';
import { PLAN_LIMITS } from '../accounts/plans.js';
import type { TenantsTable } from '../accounts/tables.js';
import type { TenantContext } from '../accounts/tenant.js';
import type { IssuersTable } from '../issuers/tables.js';
import { describeStores, storeIssuer, storeTenant } from '../testing/test-store.js';
import { createDocumentCounter, type QuotaUse } from './document-quota.js';

await describeStores('documents counted for a cached owner', (store) => {
  let owner: TenantContext;
  let issuerId: string;
  let count: () => Promise<QuotaUse | null>;

  beforeEach(async () => {
    owner = await storeTenant(store);
    issuerId = await storeIssuer(store, owner);
    const counter = createDocumentCounter({ clock: store.clock, plans: PLAN_LIMITS, enforcement: 'all' });
    const counted = { environment: 'sandbox', count: 5 } as const;
    count = async () => {
      const add = { ...counted, issuerId };
      const [use = null] = await store.database.transaction((tables) => counter.count(tables, [add]));
      return use;
    };
    expect(await count()).toMatchObject({ tenantId: owner.tenant.id, before: 0, count: 5 });
  });

  const setIssuer = (values: Updateable<IssuersTable>) =>
    store.database.transaction((tables) =>
      tables.updateTable('issuers').set(values).where('id', '=', issuerId).execute(),
    );
  const setTenant = (values: Updateable<TenantsTable>) =>
    store.database.transaction((tables) =>
      tables.updateTable('tenants').set(values).where('id', '=', owner.tenant.id).execute(),
    );
  const usage = () =>
    store.database.read((tables) =>
      tables
        .selectFrom('document_usage')
        .select(['period', 'document_count'])
        .where('tenant_id', '=', owner.tenant.id)
        .orderBy('period')
        .execute(),
    );

  it('a new count is added to the former count', async () => {
    expect(await count()).toMatchObject({ before: 5, count: 10, quota: PLAN_LIMITS.BUSINESS.documentQuota });
    expect(await usage()).toEqual([{ period: '2026-11-01', document_count: 10 }]);
  });

  it('the counter forgets the oldest cached owner at its limit', async () => {
    const counter = createDocumentCounter({ clock: store.clock, plans: PLAN_LIMITS, enforcement: 'all' }, 2);
    for (const used of [1, 2, 2]) {
      const add = { issuerId: await storeIssuer(store, owner), environment: 'sandbox', count: 1 } as const;
      await store.database.transaction((tables) => counter.count(tables, [add]));
      expect(counter.occupancy()).toEqual({ used, limit: 2 });
    }
  });

  it('the documents of several issuers are added once per account, or not at all', async () => {
    const sibling = await storeIssuer(store, owner);
    const other = await storeTenant(store);
    const counter = createDocumentCounter({ clock: store.clock, plans: PLAN_LIMITS, enforcement: 'all' });
    const add = [issuerId, sibling, await storeIssuer(store, other)].map((id, index) => ({
      issuerId: id,
      environment: 'sandbox' as const,
      count: index + 1,
    }));
    const countAll = () => store.database.transaction((tables) => counter.count(tables, add));
    const uses = (before: number, ofOther: number) =>
      expect.arrayContaining([
        expect.objectContaining({ tenantId: owner.tenant.id, before, count: before + 3 }),
        expect.objectContaining({ tenantId: other.tenant.id, before: ofOther, count: ofOther + 3 }),
      ]);
    expect(await countAll()).toEqual(uses(5, 0));
    await setTenant({ language: 'en' });
    expect(await countAll()).toEqual(uses(8, 3));
    await setIssuer({ can_issue: 0 });
    await expect(countAll()).rejects.toThrow(IssuerPausedError);
    expect(await usage()).toEqual([{ period: '2026-11-01', document_count: 11 }]);
  });

  it('documents of a paused or removed issuer are refused, and counted when it is active again', async () => {
    await setIssuer({ can_issue: 0 });
    await expect(count()).rejects.toThrow(IssuerPausedError);
    await setIssuer({ active: 0, can_issue: 1 });
    await expect(count()).rejects.toThrow(IssuerNotFoundError);
    await setIssuer({ active: 1 });
    expect(await count()).toMatchObject({ before: 5, count: 10 });
  });

  it('a new plan of the account applies to the next document', async () => {
    await setTenant({ subscription_tier: 'STARTER' });
    expect(await count()).toMatchObject({ before: 5, quota: PLAN_LIMITS.STARTER.documentQuota });
  });

  it('a new language of the account applies to the next document', async () => {
    await setTenant({ language: 'en' });
    expect(await count()).toMatchObject({ before: 5, language: 'en' });
  });

  it('documents are counted by the period of the active subscription', async () => {
    const anchor = Date.parse('2026-11-05T05:00:00Z');
    const setSubscription = (values: Readonly<Record<string, number | string>>) =>
      store.database.transaction((tables) =>
        tables.updateTable('subscriptions').set(values).where('tenant_id', '=', owner.tenant.id).execute(),
      );
    await store.database.transaction((tables) =>
      tables
        .insertInto('subscriptions')
        .values({
          id: crypto.randomUUID(),
          tenant_id: owner.tenant.id,
          tier: 'BUSINESS',
          billing_interval: 'MONTHLY',
          status: 'ACTIVE',
          anchor,
          current_period_start: anchor,
          current_period_end: Date.parse('2026-12-05T05:00:00Z'),
          pending_tier: null,
          pending_billing_interval: null,
          pending_extra_seats: null,
          pending_at: null,
          pending_is_paid: 0,
          extra_seats: 0,
          warned_for: null,
          next_step_at: null,
          created_at: anchor,
          updated_at: anchor,
          canceled_at: null,
        })
        .execute(),
    );
    expect(await count()).toMatchObject({ before: 0, period: { name: '2026-11-05T05:00:00.000Z', months: 1 } });
    expect(await count()).toMatchObject({ before: 5 });
    await setSubscription({ billing_interval: 'YEARLY' });
    expect(await count()).toMatchObject({ before: 10, period: { months: 12 } });
    await setSubscription({ billing_interval: 'MONTHLY', current_period_start: Date.parse('2026-11-10T05:00:00Z') });
    expect(await count()).toMatchObject({ before: 0, period: { name: '2026-11-10T05:00:00.000Z', months: 1 } });
    await setSubscription({ current_period_start: Date.parse('2026-10-10T05:00:00Z') });
    expect(await count()).toMatchObject({ before: 15, period: { name: '2026-11-05T05:00:00.000Z', months: 1 } });
    await setSubscription({ anchor: Date.parse('2026-10-18T05:00:00Z') });
    expect(await count()).toMatchObject({ before: 0, period: { name: '2026-11-18T05:00:00.000Z', months: 1 } });
    await setSubscription({ status: 'EXPIRED' });
    expect(await count()).toMatchObject({ before: 5, period: { name: '2026-11-01' } });
    expect(await usage()).toEqual([
      { period: '2026-11-01', document_count: 10 },
      { period: '2026-11-05T05:00:00.000Z', document_count: 20 },
      { period: '2026-11-10T05:00:00.000Z', document_count: 5 },
      { period: '2026-11-18T05:00:00.000Z', document_count: 5 },
    ]);
  });
});
