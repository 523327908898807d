import { DOCUMENT_TYPES, DOCUMENTS } from 'sri-core';
import { beforeAll, expect, it } from 'vitest';
import { storedRows } from '../testing/bad-input/stored-rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';
import { ALL_TYPES, bodyOf } from '../testing/type-bodies.js';

describeOnDatabases('a preview', await databaseKinds(), (open) => {
  let server: TestServer;
  let documents: TestDocuments;
  beforeAll(async () => {
    server = await open();
    documents = documentsOf(server, await registerTenant(server, { documentTypes: ALL_TYPES }));
  });

  it.each(DOCUMENT_TYPES)(
    'a preview shows sums, counterparty, XML and RIDE of a body, and stores nothing: %s',
    async (code) => {
      const before = await storedRows(server);
      const response = await documents.post('preview?ride=true', bodyOf(code));
      expect(response.status, await response.clone().text()).toBe(200);
      const { ridePdf, xml, ...answer } = (await response.json()) as Record<string, unknown>;
      expect(await storedRows(server)).toEqual(before);

      const created = await documents.create(bodyOf(code));
      const { documentType, issueDate, total, counterparty } = created;
      const hasSums = DOCUMENTS[code].texts.total !== null;
      expect(answer).toEqual({
        ok: true,
        document: {
          documentType,
          issueDate,
          total,
          counterparty,
          sums: hasSums ? expect.arrayContaining([{ label: expect.any(String), amount: total }]) : [],
        },
        warnings: [],
      });
      expect(xml).toContain('<secuencial>000000000</secuencial>');
      expect(xml).not.toContain('Signature');
      expect(Buffer.from(String(ridePdf), 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    },
  );

  it.each(DOCUMENT_TYPES)(
    'a preview fills in the sums that a body omits, in the form of a create: %s',
    async (code) => {
      const sums = new Set(['taxableBase', 'taxAmount']);
      // The base of another document is no sum.
      const isOfThis = DOCUMENTS[code].body.withSums !== DOCUMENTS[code].body.optionalSums;
      const body = JSON.parse(
        JSON.stringify(bodyOf(code), (name, value) => (isOfThis && sums.has(name) ? undefined : value)),
      );
      const shown = (await (await documents.post('preview?fill=true', body)).json()) as {
        body: object;
        document: { total: string };
      };
      expect(shown.body).toMatchObject(body);
      const created = await documents.create(shown.body as never);
      expect(created.total).toBe(shown.document.total);
      const refused = await documents.post('preview', body);
      expect(refused.status).toBe(isOfThis ? 400 : 200);
    },
  );

  it('a preview refuses an invalid body whose sums it fills in', async () => {
    const answer = await documents.post('preview?fill=true', { ...bodyOf('01'), buyer: null });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'VALIDATION_FAILED' }]);
  });

  it('a preview has a RIDE only on request, and the same warnings as a create', async () => {
    const body = { ...bodyOf('01'), payments: [{ method: '01', total: '0.01' }] };
    const shown = (await (await documents.post('preview', body)).json()) as Record<string, unknown>;
    const created = (await (await documents.post('', body)).json()) as Record<string, unknown>;
    expect(shown).not.toHaveProperty('ridePdf');
    expect(shown['warnings']).toEqual(created['warnings']);
    expect(created['warnings']).toMatchObject([{ code: 'PAYMENTS_MISMATCH' }]);
  });

  it('a preview takes the day that a corrected document keeps', async () => {
    const [yesterday, today] = ['2026-11-20', '2026-11-21'];
    const body = bodyOf('06', { today: yesterday });
    const { issueDate: _, ...undated } = body as { readonly issueDate?: string };
    const refused = await documents.post('preview', undated);
    expect(await refused.json()).toMatchObject({ errors: [{ field: 'startDate', rule: 'notEarlier' }] });
    for (const each of [body, undated]) {
      const shown = await documents.post('preview?fill=true&issueDate=20/11/2026', each);
      expect([shown.status, await shown.json()]).toMatchObject([200, { document: { issueDate: '20/11/2026' } }]);
    }
    expect((await documents.post('preview?issueDate=20/11/2026', bodyOf('01', { today }))).status).toBe(400);
  });

  it('a preview is answered beyond the quota', async () => {
    const limited = await open({ settings: { QUOTA_ENFORCEMENT: 'all' } });
    const tenant = await registerTenant(limited);
    const counted = { tenant_id: tenant.tenantId, environment: 'sandbox', period: '2026-11-01', document_count: 100 };
    await limited.services.database.transaction((tables) =>
      tables.insertInto('document_usage').values(counted).execute(),
    );
    const own = documentsOf(limited, tenant);
    expect([(await own.post('preview', bodyOf('01'))).status, (await own.post('', bodyOf('01'))).status]).toEqual([
      200, 402,
    ]);
  });
});
