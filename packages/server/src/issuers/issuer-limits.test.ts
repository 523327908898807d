import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { findTenant } from '../accounts/rows.js';
import type { Tenant } from '../accounts/tenant.js';
import { activeTenant } from '../testing/production-tenant.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, type TestTenant } from '../testing/test-tenant.js';
import { addIssuer } from './add-issuer.js';
import { enableDocumentType } from './administer-issuers.js';

describeOnDatabases('a plan with its own limits', await everyDatabaseKind(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sri-plans-'));
    const path = join(folder, 'plans.json');
    const plan = { maxBranches: 2, maxIssuePointsPerBranch: 2, documentTypes: ['01', '04'], maxApiKeys: 2 };
    await writeFile(path, JSON.stringify({ FREE: plan }));
    server = await open({ settings: { PLANS_FILE: path } });
    await rm(folder, { recursive: true });
  });

  /** An account whose one issuer is 001-002. */
  async function account(): Promise<TestTenant> {
    return await activeTenant(server);
  }

  const add = (tenant: TestTenant, place: string) =>
    postJson(server, '/v1/issuers', tenant.auth, {
      branchCode: place.slice(0, 3),
      issuePointCode: place.slice(3),
    });

  it('a branch or a point beyond the plan is refused with 402', async () => {
    const tenant = await account();
    expect((await add(tenant, '001003')).status).toBe(201);
    expect(await (await add(tenant, '001004')).json()).toMatchObject({
      status: 402,
      code: 'ISSUE_POINT_LIMIT_REACHED',
      type: expect.stringMatching(/\/errors\/payment-required$/),
    });
    expect((await add(tenant, '002001')).status).toBe(201);
    expect(await (await add(tenant, '003001')).json()).toMatchObject({ status: 402, code: 'BRANCH_LIMIT_REACHED' });
    expect((await add(tenant, '002002')).status).toBe(201);
  });

  it('concurrent requests get the last branch of the plan once', async () => {
    const tenant = await account();
    const places = Array.from({ length: 10 }, (_, index) => `${String(index + 10).padStart(3, '0')}001`);
    const responses = await Promise.all(places.map((place) => add(tenant, place)));
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 402)]);
  });

  it('a removed issuer does not count, and returns only while the plan has room', async () => {
    const tenant = await account();
    const { issuer } = (await (await add(tenant, '001003')).json()) as { issuer: { id: string } };
    const change = (method: string, path: string) => server.request(path, { method, headers: tenant.auth });
    expect((await change('DELETE', `/v1/issuers/${issuer.id}`)).status).toBe(200);
    expect((await add(tenant, '001004')).status).toBe(201);
    const refused = await change('PATCH', `/v1/issuers/${issuer.id}/activate`);
    expect(await refused.json()).toMatchObject({ status: 402, code: 'ISSUE_POINT_LIMIT_REACHED' });
  });

  it('the plan limits the document types and keys of an account, also after its change', async () => {
    const tenant = await account();
    const path = `/v1/issuers/${tenant.issuerId}/document-types`;
    const enabled = await postJson(server, path, tenant.auth, { documentType: '04' });
    expect(await enabled.json()).toEqual({ ok: true, documentTypes: ['01', '04'] });
    // The request may have read the account before a change of its plan.
    const known = await server.services.database.read((tables) => findTenant(tables, tenant.tenantId));
    if (!known) throw new Error('The account is missing.');
    const larger: Tenant = { ...known, subscriptionTier: 'BUSINESS' };
    const context = { tenant: larger, environment: known.environment, keyId: null, scopes: [] };
    const late = enableDocumentType(server.services.issuers, { context, id: tenant.issuerId }, '05');
    await expect(late).rejects.toMatchObject({ code: 'DOCUMENT_TYPE_NOT_IN_TIER' });
    const request = { branchCode: '001', issuePointCode: '009', tradeName: null, branchAddress: null, p12: null };
    const added = addIssuer(server.services.issuers, context, {
      ...request,
      documentTypes: ['05'],
      initialSequentials: [],
      sourceIssuerId: null,
    });
    await expect(added).rejects.toMatchObject({ code: 'DOCUMENT_TYPE_NOT_IN_TIER' });
    expect((await postJson(server, '/v1/keys', tenant.auth, {})).status).toBe(201);
    expect((await postJson(server, '/v1/keys', tenant.auth, {})).status).toBe(402);
  });
});
