import { beforeAll, expect, it } from 'vitest';
import { changeRows } from '../testing/change-rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import {
  registerTenant,
  type ShownDocument,
  SIMPLE_CREDIT_NOTE,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';

const [item] = SIMPLE_INVOICE.items;

/** A credit note on an invoice, of a given price without tax. */
function noteOn(original: ShownDocument, price = '10.00', buyerId?: string) {
  const taxes = [{ code: '2', rateCode: '0', rate: '0', taxableBase: price, taxAmount: '0.00' }];
  const buyer = buyerId ? { ...SIMPLE_INVOICE.buyer, idType: '06', id: buyerId } : SIMPLE_INVOICE.buyer;
  return {
    ...SIMPLE_CREDIT_NOTE,
    buyer,
    originalDocument: { ...SIMPLE_CREDIT_NOTE.originalDocument, number: `001-002-${original.sequential}` },
    items: [{ ...item, unitPrice: price, taxes }],
  };
}

describeOnDatabases('the credit notes of a document', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server, { ruc: TEST_RUC, documentTypes: '01,04' });
    documents = documentsOf(server, tenant);
  });

  const balance = async (accessKey: string) => (await documents.get(`${accessKey}/credit-notes`)).json();

  it('[R252] [R253] an invoice without credit notes keeps its whole amount', async () => {
    const invoice = await documents.create();
    const response = await documents.get(`${invoice.accessKey}/credit-notes`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ok: true,
      originalDocument: { accessKey: invoice.accessKey, total: '11.50' },
      creditedTotal: '0.00',
      debitedTotal: '0.00',
      remaining: '11.50',
      creditNotes: [],
      debitNotes: [],
    });
  });

  it('[R252] [R253] [R254] [R078] authorized credit notes are summed to the cent, and may exceed the original', async () => {
    const invoice = await documents.authorized();
    const first = await documents.authorized(noteOn(invoice, '0.10'));
    await server.clock.advance(1000);
    const second = await documents.authorized(noteOn(invoice, '0.20'));
    const shown = ({ accessKey, sequential, total }: ShownDocument) => ({
      accessKey,
      sequential,
      total,
      issueDate: '21/11/2026',
    });
    expect(await balance(invoice.accessKey)).toEqual({
      ok: true,
      originalDocument: { accessKey: invoice.accessKey, total: '11.50' },
      creditedTotal: '0.30',
      debitedTotal: '0.00',
      remaining: '11.20',
      creditNotes: [shown(second), shown(first)],
      debitNotes: [],
    });
    await documents.authorized(noteOn(invoice, '11.30'));
    expect(await balance(invoice.accessKey)).toMatchObject({ creditedTotal: '11.60', remaining: '-0.10' });
  });

  it('[R255] [R108] pending, refused and voided credit notes do not count', async () => {
    const invoice = await documents.authorized();
    await documents.create(noteOn(invoice));
    await documents.send((await documents.create(noteOn(invoice))).accessKey);
    const returned = await documents.create(noteOn(invoice, '10.00', 'SRI-RETURNED-35'));
    expect((await documents.send(returned.accessKey)).status).toBe('RETURNED');
    const refused = await documents.create(noteOn(invoice, '10.00', 'SRI-REFUSED-39'));
    await documents.send(refused.accessKey);
    await documents.get(`${refused.accessKey}/authorize`);
    expect((await documents.show(refused.accessKey)).status).toBe('NOT_AUTHORIZED');
    const voided = await documents.authorized(noteOn(invoice));
    expect(await balance(invoice.accessKey)).toMatchObject({ creditedTotal: '10.00' });
    await documents.post(`${voided.accessKey}/void`, { confirmedSriVoid: true, reason: 'Anulada' });
    expect(await balance(invoice.accessKey)).toMatchObject({
      creditedTotal: '0.00',
      remaining: '11.50',
      creditNotes: [],
    });
  });

  it('[R108] a voided invoice still shows its credit notes; a credit note has none', async () => {
    const invoice = await documents.authorized();
    const note = await documents.authorized(noteOn(invoice, '1.00'));
    await documents.post(`${invoice.accessKey}/void`, { confirmedSriVoid: true, reason: 'Anulada' });
    expect(await balance(invoice.accessKey)).toMatchObject({ creditedTotal: '1.00', remaining: '10.50' });
    expect(await balance(note.accessKey)).toMatchObject({ originalDocument: { total: '1.00' }, creditNotes: [] });
  });

  it('credit notes of another account on the same number do not count', async () => {
    const invoice = await documents.create();
    const other = await registerTenant(server, { documentTypes: '01,04' });
    const notes = documentsOf(server, other);
    const note = await notes.create(noteOn(invoice));
    await changeRows(server, 'sri_documents', { access_key: note.accessKey }, { status: 'AUTHORIZED' });
    expect(await balance(invoice.accessKey)).toMatchObject({ creditNotes: [] });
  });

  it('[R256] the balance requires a key of 49 digits of a document of the issuer', async () => {
    const malformed = await documents.get('123/credit-notes');
    expect(await malformed.json()).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'path:accessKey' }],
    });
    const unknown = await documents.get(`${'1'.repeat(49)}/credit-notes`);
    expect(await unknown.json()).toMatchObject({ status: 404, code: 'NOT_FOUND', reason: 'DOCUMENT_NOT_FOUND' });
    const other = await registerTenant(server);
    const foreign = await documentsOf(server, other).create();
    expect((await documents.get(`${foreign.accessKey}/credit-notes`)).status).toBe(404);
  });
});
