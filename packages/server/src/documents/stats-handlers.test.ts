import { beforeAll, expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { registerTenant, SIMPLE_CREDIT_NOTE, SIMPLE_INVOICE } from '../testing/test-tenant.js';

describeOnDatabases('figures of documents', await databaseKinds(), (open) => {
  let server: TestServer;
  let documents: TestDocuments;
  beforeAll(async () => {
    server = await open();
    documents = documentsOf(server, await registerTenant(server, { ruc: TEST_RUC, documentTypes: '01,04' }));
  });

  const stats = async (query = '') =>
    ((await (await documents.get(`stats${query}`)).json()) as { stats: Record<string, unknown> }).stats;

  it('[R302] the figures without documents are zero', async () => {
    const response = await documents.get('stats');
    const quota = {
      documentCount: 0,
      documentQuota: expect.any(Number),
      periodStart: '2026-11-01T05:00:00.000Z',
      periodEnd: '2026-12-01T05:00:00.000Z',
    };
    const byStatus = {
      SIGNED: 0,
      PENDING_SEND: 0,
      RECEIVED: 0,
      RETURNED: 0,
      AUTHORIZED: 0,
      NOT_AUTHORIZED: 0,
      VOIDED: 0,
    };
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        ok: true,
        stats: {
          environment: 'sandbox',
          thisMonth: { byType: [] },
          needsAttention: 0,
          today: { count: 0, total: '0.00' },
          daily: expect.toSatisfy(
            (days: { count: number }[]) => days.length === 30 && days.every(({ count }) => count === 0),
          ),
          total: 0,
          byStatus,
          byDocumentType: {},
          authorizedTotal: '0.00',
          creditedTotal: '0.00',
          netTotal: '0.00',
          quota,
        },
      },
    ]);
  });

  it('[R302] [R108] the figures count all documents, sum authorized ones and omit voided ones from the net', async () => {
    await documents.create();
    const returned = await documents.create(SIMPLE_INVOICE, 'SRI-RETURNED-35');
    await documents.send(returned.accessKey);
    await documents.authorized();
    const { accessKey } = await documents.authorized();
    await documents.authorized(SIMPLE_CREDIT_NOTE);
    const before = await stats();
    expect(before).toMatchObject({
      thisMonth: {
        byType: [
          { type: 'FAC', issued: 4, authorizedTotal: '23.00' },
          { type: 'CRE', issued: 1, authorizedTotal: '11.50' },
        ],
      },
      needsAttention: 1,
      today: { count: 5, total: '23.00' },
      total: 5,
      byStatus: { SIGNED: 1, RETURNED: 1, AUTHORIZED: 3, VOIDED: 0 },
      byDocumentType: { '01': { count: 4, total: '23.00' }, '04': { count: 1, total: '11.50' } },
      daily: expect.arrayContaining([{ date: '21/11/2026', count: 5, total: '23.00' }]),
      authorizedTotal: '23.00',
      creditedTotal: '11.50',
      netTotal: '11.50',
      quota: { documentCount: 5 },
    });
    await documents.post(`${accessKey}/void`, { confirmedSriVoid: true, reason: 'Anulada' });
    expect(await stats()).toEqual({
      ...before,
      netTotal: '0.00',
      byStatus: expect.objectContaining({ AUTHORIZED: 2, VOIDED: 1 }),
    });
  });

  it('[R302] the query narrows the selection of the figures, but not the overview', async () => {
    const all = await stats();
    const overview = { thisMonth: all['thisMonth'], needsAttention: all['needsAttention'], today: all['today'] };
    expect(await stats('?documentType=04')).toMatchObject({ ...overview, total: 1, authorizedTotal: '0.00' });
    expect(await stats('?from=21/11/2026&to=21/11/2026')).toEqual(all);
    expect(await stats('?from=22/11/2026')).toMatchObject({ ...overview, total: 0 });
    expect(await stats('?to=20/11/2026&documentType=07')).toMatchObject({ ...overview, total: 0 });
  });

  it.each(['from=2026-11-21', 'to=31/02/2026', 'documentType=99', 'from=1&from=2'])(
    'the figures refuse the query %s',
    async (query) => {
      const response = await documents.get(`stats?${query}`);
      expect(await response.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    },
  );
});
