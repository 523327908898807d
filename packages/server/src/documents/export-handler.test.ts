import { parse } from 'csv-parse/sync';
import { DOCUMENT_TYPES } from 'sri-core';

import { beforeAll, expect, it } from 'vitest';
import { verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { type ShownDocument, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';
import { ALL_TYPES, bodyOf } from '../testing/type-bodies.js';

describeOnDatabases('an export', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  const created: ShownDocument[] = [];

  beforeAll(async () => {
    server = await open();
    tenant = await verifiedTenant(server, { documentTypes: ALL_TYPES, language: 'es', email: 'owner@ejemplo.ec' });
    documents = documentsOf(server, tenant);
    for (const code of DOCUMENT_TYPES) created.push(await documents.authorized(bodyOf(code)));
    created.push(await documents.create({ ...SIMPLE_INVOICE, buyer: { ...SIMPLE_INVOICE.buyer, name: '=1+1, "Ñ"' } }));
  });

  const records = async (response: Response) => {
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    return parse(bytes, { bom: true, columns: true }) as Record<string, string>[];
  };

  it('as CSV has a row for each document, with its amounts by rate', async () => {
    const response = await documents.get('export');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="documentos-2026-11-21.csv"');
    const rows = await records(response);
    expect(rows.map((row) => row['Clave de acceso']).toSorted()).toEqual(
      created.map(({ accessKey }) => accessKey).toSorted(),
    );
  });
});
