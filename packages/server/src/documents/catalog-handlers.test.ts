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

  it('[R303] the list of catalogs names each catalog, and each name exists', async () => {
    const { status, body } = await get('');
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        catalogs: [
          'id-types',
          'payment-methods',
          'term-units',
          'tax-types',
          'tax-rates',
          'document-types',
          'withholding-taxes',
          'withholding-codes',
          'support-codes',
          'support-document-types',
          'countries',
          'transfer-reasons',
        ],
      },
    ]);
    for (const name of body['catalogs'] as string[]) expect((await get(`/${name}`)).status, name).toBe(200);
  });

  it('[R303] [R069] the catalog of term units has its four units in both languages', async () => {
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
    ['withholding-taxes', 'withholdingTaxes', { code: '1', description: 'Impuesto a la renta' }],
    [
      'withholding-codes',
      'withholdingCodes',
      { tax: '1', code: '312', description: 'Bienes muebles', rate: '2', validFrom: '01/03/2026' },
    ],
    [
      'withholding-codes',
      'withholdingCodes',
      { tax: '1', code: '501', description: 'Pago al exterior: beneficios empresariales' },
    ],
    [
      'support-codes',
      'supportCodes',
      expect.objectContaining({ code: '01', documentTypes: expect.arrayContaining(['01', '03']) }),
    ],
    ['support-document-types', 'supportDocumentTypes', { code: '03', description: 'Liquidación de compra' }],
    ['countries', 'countries', { code: '593', description: 'Ecuador' }],
    ['transfer-reasons', 'transferReasons', 'Venta'],
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
  ])('[R303] the catalog %s has its rows under its own name', async (name, member, row) => {
    const { body } = await get(`/${name}`);
    expect(Object.keys(body)).toEqual(['ok', member]);
    expect(body[member]).toContainEqual(row);
  });

  it.each([
    { date: '31/03/2024', rates: ['0', '12', '0', '0', '8', '13'] },
    { date: '01/04/2024', rates: ['0', '15', '5', '0', '0', '8', '13'] },
  ])('the rates of IVA on $date are the rates in force', async ({ date, rates }) => {
    const { body } = await get(`/tax-rates?date=${date}`);
    const iva = (body['taxRates'] as { taxCode: string; rate: string }[]).filter(({ taxCode }) => taxCode === '2');
    expect(iva.map(({ rate }) => rate)).toEqual(rates);
  });

  it.each([
    { date: '28/02/2026', rate: '1.75' },
    { date: '01/03/2026', rate: '2' },
  ])('the percentage of code 312 on $date is $rate', async ({ date, rate }) => {
    const { body } = await get(`/withholding-codes?date=${date}`);
    const rows = (body['withholdingCodes'] as { tax: string; code: string; rate: string }[]).filter(
      ({ tax, code }) => tax === '1' && code === '312',
    );
    expect(rows).toMatchObject([{ rate }]);
  });

  it.each(['2024-04-01', '31/02/2024', '', '1&date=2'])('a catalog refuses the day %s', async (date) => {
    expect(await get(`/countries?date=${date}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ field: 'query:date' }] },
    });
  });

  it.each(['nothing', 'constructor', '__proto__', 'ID-TYPES', '%00'])(
    'the unknown catalog %s is not found, and the error names the catalogs',
    async (name) => {
      const detail = expect.stringContaining('id-types, payment-methods, ');
      expect(await get(`/${name}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', detail } });
    },
  );

  it('the catalogs require an API key', async () => {
    expect((await server.request('/v1/catalogs')).status).toBe(401);
  });
});
