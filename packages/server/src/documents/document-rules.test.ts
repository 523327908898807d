import { beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import {
  postJson,
  registerTenant,
  SIMPLE_CREDIT_NOTE,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';

const [item] = SIMPLE_INVOICE.items;
const [tax] = item?.taxes ?? [];
const [payment] = SIMPLE_INVOICE.payments;
const { buyer } = SIMPLE_INVOICE;
const original = SIMPLE_CREDIT_NOTE.originalDocument;

const inBuyer = (change: object) => ({ ...SIMPLE_INVOICE, buyer: { ...buyer, ...change } });
const inItem = (change: object) => ({ ...SIMPLE_INVOICE, items: [{ ...item, ...change }] });
const inTax = (change: object) => inItem({ taxes: [{ ...tax, ...change }] });
const inPayment = (change: object) => ({ ...SIMPLE_INVOICE, payments: [{ ...payment, ...change }] });
const inOriginal = (change: object) => ({ ...SIMPLE_CREDIT_NOTE, originalDocument: { ...original, ...change } });
const gone = undefined;

describeOnDatabases('the rules of creation bodies', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server, { documentTypes: '01,04' });
  });

  it.each<[string, unknown, string]>([
    ['[R045] no type', { ...SIMPLE_INVOICE, documentType: gone }, 'documentType'],
    ['[R045] a type that is not issued', { ...SIMPLE_INVOICE, documentType: '02' }, 'documentType'],
    ['[R047] yesterday', { ...SIMPLE_INVOICE, issueDate: '20/11/2026' }, 'issueDate'],
    ['[R048] tomorrow', { ...SIMPLE_INVOICE, issueDate: '22/11/2026' }, 'issueDate'],
    ['[R049] an ISO date', { ...SIMPLE_INVOICE, issueDate: '2026-11-21' }, 'issueDate'],
    ['[R050] no idType', inBuyer({ idType: gone }), 'buyer.idType'],
    ['[R050] an idType of 1 digit', inBuyer({ idType: '5' }), 'buyer.idType'],
    ['[R051] no id', inBuyer({ id: gone }), 'buyer.id'],
    ['[R051] an id of 21', inBuyer({ id: '1'.repeat(21) }), 'buyer.id'],
    ['[R052] no name', inBuyer({ name: ' ' }), 'buyer.name'],
    ['[R052] a name of 301', inBuyer({ name: 'ñ'.repeat(301) }), 'buyer.name'],
    ['[R053] no email', inBuyer({ email: gone }), 'buyer.email'],
    ['[R053] a bad email', inBuyer({ email: 'a@b' }), 'buyer.email'],
    ['[R054] an address of 301', inBuyer({ address: 'x'.repeat(301) }), 'buyer.address'],
    ['[R055] a guía in another form', { ...SIMPLE_INVOICE, guiaRemision: '1-1-1' }, 'guiaRemision'],
    ['[R056] no items', { ...SIMPLE_INVOICE, items: [] }, 'items'],
    ['[R057] no mainCode', inItem({ mainCode: gone }), 'items[0].mainCode'],
    ['[R058] an auxiliaryCode of 26', inItem({ auxiliaryCode: 'x'.repeat(26) }), 'items[0].auxiliaryCode'],
    ['[R059] no description', inItem({ description: gone }), 'items[0].description'],
    ['[R059] a description of 301', inItem({ description: 'x'.repeat(301) }), 'items[0].description'],
    ['[R060] a quantity as number', inItem({ quantity: 1 }), 'items[0].quantity'],
    ['[R061] a price with a comma', inItem({ unitPrice: '10,00' }), 'items[0].unitPrice'],
    ['[R062] a negative discount', inItem({ discount: '-1.00' }), 'items[0].discount'],
    ['[R063] no taxes', inItem({ taxes: [] }), 'items[0].taxes'],
    ['[R064] no tax code', inTax({ code: gone }), 'items[0].taxes[0].code'],
    ['[R064] no rate code', inTax({ rateCode: gone }), 'items[0].taxes[0].rateCode'],
    ['[R064] no rate', inTax({ rate: gone }), 'items[0].taxes[0].rate'],
    ['[R064] no base', inTax({ taxableBase: gone }), 'items[0].taxes[0].taxableBase'],
    ['[R064] no amount', inTax({ taxAmount: gone }), 'items[0].taxes[0].taxAmount'],
    ['[R065] no payments', { ...SIMPLE_INVOICE, payments: gone }, 'payments'],
    ['[R066] a method that does not exist', inPayment({ method: '99' }), 'payments[0].method'],
    ['[R067] a total as number', inPayment({ total: 11.5 }), 'payments[0].total'],
    ['[R068] a term as text', inPayment({ term: '30' }), 'payments[0].term'],
    ['[R069] a unit that does not exist', inPayment({ termUnit: 'lustros' }), 'payments[0].termUnit'],
    ['[R070] info without a value', { ...SIMPLE_INVOICE, additionalInfo: [{ name: 'x' }] }, 'additionalInfo[0].value'],
    ['[R074] no original type', inOriginal({ documentType: gone }), 'originalDocument.documentType'],
    ['[R075] a number in another form', inOriginal({ number: '1-1-1' }), 'originalDocument.number'],
    ['[R076] no original date', inOriginal({ issueDate: gone }), 'originalDocument.issueDate'],
    ['[R077] no reason', { ...SIMPLE_CREDIT_NOTE, motivo: gone }, 'motivo'],
    ['[R077] a reason of 301', { ...SIMPLE_CREDIT_NOTE, motivo: 'x'.repeat(301) }, 'motivo'],
  ])('%s is a VALIDATION_FAILED of its field', async (_name, body, field) => {
    const response = await postJson(server, '/v1/documents', tenant.headers, body);
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [{ field, code: field.replace(/\[\d+\]/g, ''), rule: expect.any(String), message: expect.any(String) }],
    });
  });

  describe('accepted values of creation bodies', () => {
    it.each<[string, unknown, RegExp]>([
      ['[R046] today', { ...SIMPLE_INVOICE, issueDate: '21/11/2026' }, /<fechaEmision>21\/11\/2026</],
      ['[R054] an address', inBuyer({ address: 'Calle 1' }), /<direccionComprador>Calle 1</],
      ['[R055] a guía', { ...SIMPLE_INVOICE, guiaRemision: '001-001-000000001' }, /<guiaRemision>001-001-000000001</],
      ['[R058] an auxiliary code', inItem({ auxiliaryCode: 'B2' }), /<codigoAuxiliar>B2</],
      [
        '[R068] [R069] a term',
        inPayment({ term: 30, termUnit: 'dias' }),
        /<plazo>30(\.00)?<\/plazo><unidadTiempo>dias</,
      ],
      [
        '[R070] further information',
        { ...SIMPLE_INVOICE, additionalInfo: [{ name: 'Pedido', value: '<7>' }] },
        /<campoAdicional nombre="Pedido">&lt;7&gt;</,
      ],
      [
        '[R073] a guía on a credit note is not part of it',
        { ...SIMPLE_CREDIT_NOTE, guiaRemision: 'x' },
        /<notaCredito /,
      ],
      ['[R072] payments on a credit note are not part of it', { ...SIMPLE_CREDIT_NOTE, payments: 7 }, /<notaCredito /],
      [
        '[R078] a credit note above its invoice',
        {
          ...SIMPLE_CREDIT_NOTE,
          items: [{ ...item, quantity: '100', taxes: [{ ...tax, taxableBase: '1000.00', taxAmount: '150.00' }] }],
        },
        /<valorModificacion>1150.00</,
      ],
    ])('%s: the body is accepted', async (_name, body, expected) => {
      const response = await postJson(server, '/v1/documents', tenant.headers, body);
      const text = await response.text();
      expect(response.status, text).toBe(201);
      const { document } = JSON.parse(text) as { document: { accessKey: string } };
      const xml = await server.request(`/v1/documents/${document.accessKey}/xml`, { headers: tenant.headers });
      expect(await xml.text()).toMatch(expected);
    });
  });
});
