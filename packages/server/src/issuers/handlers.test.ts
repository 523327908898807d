import { beforeAll, expect, it } from 'vitest';
import { changeRows } from '../testing/change-rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_VALIDITY, type TestServer } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';

describeOnDatabases('GET /v1/issuers/:id', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server, { ruc: '1799999999001' });
  });

  const get = (id: string) => server.request(`/v1/issuers/${id}`, { headers: tenant.auth });

  it('[R025] [R200] shows fifteen fields of an issuer, null where unset', async () => {
    const response = await get(tenant.issuerId);
    expect(await response.json()).toEqual({
      ok: true,
      issuer: {
        id: tenant.issuerId,
        ruc: '1799999999001',
        businessName: 'Comercial Ñandú & Hijos S.A.',
        tradeName: null,
        branchCode: '001',
        issuePointCode: '002',
        mainAddress: null,
        branchAddress: null,
        requiredAccounting: true,
        specialTaxpayer: null,
        withholdingAgent: null,
        rimpe: null,
        certFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        certExpiry: TEST_VALIDITY.validTo.toISOString(),
        canIssue: true,
      },
    });
    expect((await get(tenant.issuerId.toUpperCase())).status).toBe(200);
  });

  it('[R201] refuses an issuer of another account', async () => {
    const other = await registerTenant(server);
    const response = await get(other.issuerId);
    const problem = (await response.json()) as Record<string, unknown>;
    expect(problem).toMatchObject({ status: 403, code: 'FORBIDDEN', reason: 'ISSUER_FORBIDDEN' });
    expect(JSON.stringify(problem)).not.toContain('Comercial');
  });

  it.each([
    { name: '[R202] an unknown issuer', id: '00000000-0000-7000-8000-000000000000' },
    { name: '[R203] the removed route /me', id: 'me' },
    { name: '[R202] an id that is no UUID', id: '%zz' },
    { name: '[R202] an injection', id: "x'%20OR%201=1--" },
  ])('$name is not found', async ({ id }) => {
    expect(await (await get(id)).json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  it('[R202] an inactive issuer is not found', async () => {
    const gone = await registerTenant(server);
    await changeRows(server, 'issuers', { id: gone.issuerId }, { active: 0 });
    const response = await server.request(`/v1/issuers/${gone.issuerId}`, { headers: gone.auth });
    expect(response.status).toBe(404);
    const listed = await server.request('/v1/documents', { headers: gone.headers });
    expect(listed.status).toBe(404);
  });
});
