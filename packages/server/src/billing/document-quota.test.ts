import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeRows, changeTenant } from '../testing/change-rows.js';
import { ownAccount } from '../testing/own-account.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { testFolder } from '../testing/test-folder.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import {
  postJson,
  registerTenant,
  type ShownDocument,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';

const QUOTA = 10;

describe('the quota of documents', async () => {
  const folder = testFolder('quota');
  let plans: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const path = join(folder, 'plans.json');
    await writeFile(path, JSON.stringify({ FREE: { documentQuota: QUOTA } }));
    plans = { PLANS_FILE: path };
  });

  describeOnDatabases('the quota in production', await everyDatabaseKind(), (open) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await open({ settings: plans });
    });

    /** A production account with `used` documents of its quota. */
    async function account(used = 0): Promise<TestTenant> {
      const tenant = await registerTenant(server);
      const { tenantId } = tenant;
      await server.services.database.transaction(async (tables) => {
        const moved = { environment: 'production' };
        await tables
          .updateTable('tenants')
          .set({ ...moved, status: 'ACTIVE' })
          .where('id', '=', tenantId)
          .execute();
        await tables.updateTable('api_keys').set(moved).where('tenant_id', '=', tenantId).execute();
        await tables
          .insertInto('document_usage')
          .values({ tenant_id: tenantId, ...moved, period: '2026-11-01', document_count: used })
          .execute();
      });
      return tenant;
    }

    const create = (tenant: TestTenant, headers: Readonly<Record<string, string>> = {}) =>
      postJson(server, '/v1/documents', { ...tenant.headers, ...headers }, SIMPLE_INVOICE);

    async function usage(tenant: TestTenant): Promise<{ documentCount: unknown; documentQuota: unknown }> {
      const { documentCount, documentQuota } = await ownAccount(server, tenant);
      return { documentCount, documentQuota };
    }

    it('[R018] a document beyond the quota is refused with 402, and the quota is shown', async () => {
      const tenant = await account(QUOTA - 1);
      expect((await create(tenant)).status).toBe(201);
      const refused = await create(tenant);
      expect(await refused.json()).toMatchObject({
        status: 402,
        code: 'QUOTA_EXCEEDED',
        type: expect.stringMatching(/\/errors\/quota-exceeded$/),
        detail: expect.stringContaining(`El plan permite ${QUOTA} documentos en este período.`),
      });
      expect(await usage(tenant)).toEqual({ documentCount: QUOTA, documentQuota: QUOTA });
      const stats = await server.request('/v1/documents/stats', { headers: tenant.headers });
      expect(await stats.json()).toMatchObject({
        stats: { quota: { documentCount: QUOTA, documentQuota: QUOTA } },
      });
    });

    it('concurrent documents fill the quota exactly', async () => {
      const tenant = await account(QUOTA - 3);
      const responses = await Promise.all(Array.from({ length: 20 }, () => create(tenant)));
      const statuses = responses.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([...Array(3).fill(201), ...Array(17).fill(402)]);
      expect(await usage(tenant)).toEqual({ documentCount: QUOTA, documentQuota: QUOTA });
      const made = responses.filter(({ status }) => status === 201).map((response) => response.json());
      const numbers = ((await Promise.all(made)) as { document: ShownDocument }[]).map(
        ({ document }) => document.sequential,
      );
      expect(numbers.toSorted()).toEqual(['000000001', '000000002', '000000003']);
      const sequentials = await server.request(`/v1/issuers/${tenant.issuerId}/sequentials`, { headers: tenant.auth });
      expect(await sequentials.json()).toMatchObject({ sequentials: [{ production: { current: 3, next: 4 } }] });
    });

    it('the quota is shared by all issuers of the account', async () => {
      const tenant = await account(QUOTA - 3);
      const added = await postJson(server, '/v1/issuers', tenant.auth, { branchCode: '002', issuePointCode: '001' });
      const { issuer } = (await added.json()) as { issuer: { id: string } };
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => create(tenant, index % 2 === 0 ? {} : { 'x-issuer-id': issuer.id })),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(responses.filter(({ status }) => status === 402)).toHaveLength(17);
      expect((await usage(tenant)).documentCount).toBe(QUOTA);
    });

    it('[R226] a replay does not count, and is answered beyond the quota', async () => {
      const tenant = await account(QUOTA - 1);
      const key = { 'idempotency-key': 'order-1' };
      expect((await create(tenant, key)).status).toBe(201);
      const again = await create(tenant, key);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect((await create(tenant, { 'idempotency-key': 'order-2' })).status).toBe(402);
      expect((await usage(tenant)).documentCount).toBe(QUOTA);
    });

    it('a refused document does not bind an idempotency key', async () => {
      const tenant = await account(QUOTA);
      const key = { 'idempotency-key': 'order-1' };
      expect((await create(tenant, key)).status).toBe(402);
      await changeRows(server, 'document_usage', { tenant_id: tenant.tenantId }, { document_count: QUOTA - 1 });
      const created = await create(tenant, key);
      expect(created.status).toBe(201);
      expect(await created.json()).toMatchObject({ document: { sequential: '000000001' } });
    });

    it('a rebuild does not count, and succeeds beyond the quota', async () => {
      const tenant = await account(QUOTA - 1);
      const { document } = (await (await create(tenant)).json()) as { document: ShownDocument };
      const path = `/v1/documents/${document.accessKey}/rebuild`;
      const rebuilt = await postJson(server, path, tenant.headers, {});
      expect(rebuilt.status).toBe(200);
      expect((await usage(tenant)).documentCount).toBe(QUOTA);
    });

    it('the quota is checked after the document types of the issuer', async () => {
      const tenant = await account(QUOTA);
      const note = { ...SIMPLE_INVOICE, documentType: '04', motivo: 'x', payments: undefined };
      const originalDocument = { documentType: '01', number: '001-002-000000001', issueDate: '21/11/2026' };
      const response = await postJson(server, '/v1/documents', tenant.headers, { ...note, originalDocument });
      expect(await response.json()).toMatchObject({ status: 400, code: 'DOCUMENT_TYPE_NOT_ENABLED' });
    });

    it('the quota restarts with the month in Ecuador', async () => {
      const tenant = await account(QUOTA);
      try {
        server.clock.set('2026-12-01T04:59:59Z');
        expect((await create(tenant)).status).toBe(402);
        server.clock.set('2026-12-01T05:00:00Z');
        expect(await usage(tenant)).toEqual({ documentCount: 0, documentQuota: QUOTA });
        expect((await create(tenant)).status).toBe(201);
      } finally {
        server.clock.set('2026-11-21T15:00:00Z');
      }
    });

    it('the quota rises with the tier', async () => {
      const tenant = await account(QUOTA);
      await changeTenant(server, tenant, { subscription_tier: 'STARTER' });
      expect((await create(tenant)).status).toBe(201);
      expect(await usage(tenant)).toEqual({ documentCount: QUOTA + 1, documentQuota: 200 });
    });
  });

  describeOnDatabases('the enforcement of the quota', await everyDatabaseKind(), (open) => {
    it.each([
      { enforcement: undefined, environment: 'sandbox', status: 201 },
      { enforcement: 'all', environment: 'sandbox', status: 402 },
      { enforcement: 'all', environment: 'production', status: 402 },
      { enforcement: 'off', environment: 'production', status: 201 },
      { enforcement: 'off', environment: 'sandbox', status: 201 },
    ])(
      'a document in $environment with QUOTA_ENFORCEMENT $enforcement gets $status',
      async ({ enforcement, environment, status }) => {
        const settings = { ...plans, ...(enforcement ? { QUOTA_ENFORCEMENT: enforcement } : {}) };
        const server = await open({ settings });
        const tenant = await registerTenant(server);
        await server.services.database.transaction(async (tables) => {
          const { tenantId } = tenant;
          await tables
            .updateTable('tenants')
            .set({ environment, status: 'ACTIVE' })
            .where('id', '=', tenantId)
            .execute();
          await tables.updateTable('api_keys').set({ environment }).where('tenant_id', '=', tenantId).execute();
          await tables
            .insertInto('document_usage')
            .values({ tenant_id: tenantId, environment, period: '2026-11-01', document_count: QUOTA })
            .execute();
        });
        expect((await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE)).status).toBe(status);
        const documentCount = status === 201 ? QUOTA + 1 : QUOTA;
        expect(await ownAccount(server, tenant)).toMatchObject({ documentCount });
      },
    );
  });
});
