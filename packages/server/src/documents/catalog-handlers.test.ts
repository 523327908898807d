import { beforeAll, expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';

describeOnDatabases('catalogs', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server);
  });

  const get = async (path: string, language = 'es') => {
    const headers = { ...tenant.auth, 'accept-language': language };
    const response = await server.request(`/v1/catalogs${path}`, { headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('[R303] are named in one list, and each exists', async () => {
    const { status, body } = await get('');
    expect([status, body]).toEqual([
      200,
      { ok: true, catalogs: ['id-types', 'payment-methods', 'term-units', 'tax-types', 'tax-rates', 'document-types'] },
    ]);
    for (const name of body['catalogs'] as string[]) expect((await get(`/${name}`)).status, name).toBe(200);
  });

  it('[R303] [R069] term units', async () => {
    expect((await get('/term-units')).body).toEqual({
      ok: true,
      termUnits: [
        { code: 'dias', description: 'Días' },
        { code: 'semanas', description: 'Semanas' },
        { code: 'meses', description: 'Meses' },
        { code: 'anios', description: 'Años' },
      ],
    });
    expect((await get('/term-units', 'en')).body).toMatchObject({
      termUnits: [{ code: 'dias', description: 'Days' }, {}, {}, {}],
    });
  });

  it.each([
    ['id-types', 'idTypes', { code: '05', description: 'Cédula' }],
    ['payment-methods', 'paymentMethods', { code: '19', description: 'Tarjeta de crédito', validFrom: '01/06/2016' }],
    ['tax-types', 'taxTypes', { code: '2', description: 'IVA' }],
    ['document-types', 'documentTypes', { code: '04', shortName: 'CRE', description: 'Nota de crédito' }],
    [
      'tax-rates',
      'taxRates',
      { taxCode: '2', rateCode: '4', rate: '15', description: 'IVA 15 %', basis: 'value', validFrom: '01/04/2024' },
    ],
    [
      'tax-rates',
      'taxRates',
      { taxCode: '2', rateCode: '2', rate: '12', description: 'IVA 12 %', basis: 'value', validTo: '31/03/2024' },
    ],
  ])('[R303] %s', async (name, member, row) => {
    const { body } = await get(`/${name}`);
    expect(Object.keys(body)).toEqual(['ok', member]);
    expect(body[member]).toContainEqual(row);
  });

  it.each(['nothing', 'constructor', '__proto__', 'ID-TYPES', '%00'])('%s is not one', async (name) => {
    expect(await get(`/${name}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('need a key', async () => {
    expect((await server.request('/v1/catalogs')).status).toBe(401);
  });
});
