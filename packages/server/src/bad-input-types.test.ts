import { DOCUMENT_TYPES, type DocumentType } from 'sri-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleFields } from './testing/bad-input/example-fields.js';
import { withValue } from './testing/bad-input/places.js';
import { faultOfRefusal, invalidField, see } from './testing/bad-input/refusal.js';
import { sampleOn } from './testing/bad-input/sample.js';
import { storedRows } from './testing/bad-input/stored-rows.js';
import { databaseKinds } from './testing/test-databases.js';
import { describeOnDatabases, type TestServer } from './testing/test-server.js';
import { postJson, registerTenant, type TestTenant } from './testing/test-tenant.js';
import { ALL_TYPES, bodyOf } from './testing/type-bodies.js';

const FIELDS = exampleFields();

/** The changes to an example of a type. */
interface Change {
  readonly name: string;
  readonly type: DocumentType;
  /** The index of the example; default the first. */
  readonly index?: number;
  readonly set: Readonly<Record<string, unknown>>;
}

/** Invalid changes by type, with the fields that the refusal names. */
const MISTAKES: readonly (Change & { readonly faults: readonly string[] })[] = [
  {
    name: 'an export from a country that does not exist',
    type: '01',
    index: 1,
    set: { 'export.originCountry': '999' },
    faults: ['export.originCountry'],
  },
  {
    name: 'a reimbursement paid in a country that does not exist',
    type: '01',
    index: 2,
    set: { 'reimbursements[0].supplier.country': '999' },
    faults: ['reimbursements[0].supplier.country'],
  },
  {
    name: 'a reimbursement without its totals',
    type: '01',
    index: 2,
    set: { 'reimbursements[0].taxes[0].taxableBase': undefined, 'reimbursements[0].taxes[0].taxAmount': undefined },
    // The amount follows from base and rate.
    faults: ['reimbursements[0].taxes[0].taxableBase'],
  },
  {
    name: 'a reimbursed document of 15 digits',
    type: '01',
    index: 2,
    set: { 'reimbursements[0].number': '001001000000123' },
    faults: ['reimbursements[0].number'],
  },
  {
    name: 'amounts for third parties of no concept and below zero',
    type: '01',
    index: 4,
    set: { 'thirdPartyCharges[0].concept': ' ', 'thirdPartyCharges[1].amount': '-2.50' },
    faults: ['thirdPartyCharges[0].concept', 'thirdPartyCharges[1].amount'],
  },
  {
    name: 'goods that arrive before they leave',
    type: '01',
    index: 4,
    set: { 'deliveryGuide.endDate': '20/11/2026' },
    faults: ['deliveryGuide.endDate'],
  },
  {
    name: 'goods that left before today',
    type: '01',
    index: 4,
    set: { 'deliveryGuide.startDate': '20/11/2026' },
    faults: ['deliveryGuide.startDate'],
  },
  {
    name: 'a supplier without identification',
    type: '03',
    set: { 'supplier.idType': '07' },
    faults: ['supplier.idType'],
  },
  {
    name: 'ICE in a purchase settlement',
    type: '03',
    set: { 'items[0].taxes[0].code': '3' },
    faults: ['items[0].taxes[0].code', 'items[0].taxes[0].rateCode'],
  },
  {
    name: 'a reimbursed expense without its base',
    type: '03',
    index: 2,
    set: { 'reimbursements[0].taxes[0].taxableBase': undefined },
    faults: ['reimbursements[0].taxes[0].taxableBase'],
  },
  { name: 'a purchase settlement without payments', type: '03', set: { payments: undefined }, faults: ['payments'] },
  { name: 'no reasons', type: '05', set: { reasons: [] }, faults: ['reasons'] },
  { name: 'a blank reason', type: '05', set: { 'reasons[0].reason': ' ' }, faults: ['reasons[0].reason'] },
  { name: 'a debit note without payments', type: '05', set: { payments: undefined }, faults: ['payments'] },
  { name: 'a debit note to an unnamed consumer', type: '05', set: { 'buyer.idType': '07' }, faults: ['buyer.idType'] },
  {
    name: 'a number of 15 digits',
    type: '05',
    set: { 'originalDocument.number': '001001000000123' },
    faults: ['originalDocument.number'],
  },
  { name: 'a guide that ends before it starts', type: '06', set: { endDate: '20/11/2026' }, faults: ['endDate'] },
  { name: 'a guide that starts before today', type: '06', set: { startDate: '20/11/2026' }, faults: ['startDate'] },
  { name: 'a carrier without identification', type: '06', set: { 'carrier.idType': '07' }, faults: ['carrier.idType'] },
  { name: 'no recipients', type: '06', set: { recipients: [] }, faults: ['recipients'] },
  {
    name: 'a supporting document of 15 digits',
    type: '06',
    set: { 'recipients[0].supportingDocument.number': '001001000000123' },
    faults: ['recipients[0].supportingDocument.number'],
  },
  { name: 'a subject without identification', type: '07', set: { 'subject.idType': '07' }, faults: ['subject.idType'] },
  {
    name: 'a subject abroad of no kind',
    type: '07',
    set: { 'subject.idType': '08', 'subject.kind': undefined },
    faults: ['subject.kind'],
  },
  {
    name: 'a withholding without payments',
    type: '07',
    set: { 'supportingDocuments[0].payments': undefined },
    faults: ['supportingDocuments[0].payments'],
  },
  {
    name: 'a number of 15 digits in a withholding',
    type: '07',
    set: { 'supportingDocuments[0].number': '001001000000123' },
    faults: ['supportingDocuments[0].number'],
  },
  {
    name: 'a code of form 104',
    type: '07',
    set: { 'supportingDocuments[0].withholdings[0].tax': '2', 'supportingDocuments[0].withholdings[0].code': '725' },
    faults: ['supportingDocuments[0].withholdings[0].code'],
  },
  {
    name: 'a supporting document of tomorrow',
    type: '07',
    set: { 'supportingDocuments[0].issueDate': '22/11/2026' },
    faults: ['supportingDocuments[0].issueDate'],
  },
  {
    name: 'a table 5 code that does not exist',
    type: '07',
    set: { 'supportingDocuments[0].supportCode': '99' },
    faults: ['supportingDocuments[0].supportCode'],
  },
  {
    name: 'a table 4 type that does not exist',
    type: '07',
    set: { 'supportingDocuments[0].documentType': '99' },
    faults: ['supportingDocuments[0].documentType'],
  },
  {
    name: 'a rate of four digits',
    type: '07',
    set: { 'supportingDocuments[0].withholdings[0].rate': '13.25' },
    faults: ['supportingDocuments[0].withholdings[0].rate'],
  },
  {
    name: 'a payment to a country that does not exist',
    type: '07',
    index: 1,
    set: { 'supportingDocuments[0].payment.country': '999' },
    faults: ['supportingDocuments[0].payment.country'],
  },
  {
    name: 'a document for a reimbursement that reimburses nothing',
    type: '07',
    index: 4,
    set: { 'supportingDocuments[1].reimbursements': undefined },
    faults: ['supportingDocuments[1].reimbursements'],
  },
  {
    name: 'a reimbursement without its base',
    type: '07',
    index: 4,
    set: { 'supportingDocuments[1].reimbursements[0].taxes[0].taxableBase': undefined },
    faults: ['supportingDocuments[1].reimbursements[0].taxes[0].taxableBase'],
  },
  {
    name: 'many at once',
    type: '07',
    set: {
      'subject.idType': '07',
      fiscalPeriod: '13/2026',
      'supportingDocuments[0].number': '1',
      'supportingDocuments[0].withholdings[0].code': '',
    },
    faults: [
      'fiscalPeriod',
      'subject.idType',
      'supportingDocuments[0].number',
      'supportingDocuments[0].withholdings[0].code',
    ],
  },
];

/** Suspicious changes: the body is accepted with a warning, and refused by strict checking. */
const DOUBTS: readonly (Change & { readonly field: string; readonly code: string })[] = [
  {
    name: 'an amount withheld that base and percentage do not give',
    type: '07',
    set: { 'supportingDocuments[0].withholdings[0].amount': '2.50' },
    field: 'supportingDocuments[0].withholdings[0].amount',
    code: 'WITHHOLDING_AMOUNT_MISMATCH',
  },
  {
    name: 'a base of which the percentage does not give the amount',
    type: '07',
    set: { 'supportingDocuments[0].withholdings[0].taxableBase': '90.00' },
    field: 'supportingDocuments[0].withholdings[0].amount',
    code: 'WITHHOLDING_AMOUNT_MISMATCH',
  },
  ...(['03', '04', '05'] as const).map((type) => ({
    name: 'amounts for third parties, which only an invoice has',
    type,
    set: { thirdPartyCharges: [{ concept: 'Bomberos', amount: '4.00' }] },
    field: 'thirdPartyCharges',
    code: 'UNKNOWN_FIELD',
  })),
];

it('the table of fields has fields of every type', () => {
  expect([...new Set(FIELDS.map(({ type }) => type))].toSorted()).toEqual(DOCUMENT_TYPES);
  expect(FIELDS.length).toBeGreaterThan(250);
});

describeOnDatabases('wrong bodies of every type', await databaseKinds(), (open, database) => {
  const sample = sampleOn(database);
  let server: TestServer;
  let tenant: TestTenant;
  let before: Awaited<ReturnType<typeof storedRows>>;
  const faults: unknown[] = [];
  beforeAll(async () => {
    const logger = { info: () => {}, warn: () => {}, error: (fields: unknown) => void faults.push(fields) };
    server = await open({ logger });
    tenant = await registerTenant(server, { documentTypes: ALL_TYPES });
    before = await storedRows(server);
  });
  const send = (body: unknown) => see(postJson(server, '/v1/documents', tenant.headers, body));

  it.each(FIELDS)('rejects a wrong form of $field in type $type, example $index', async (tried) => {
    const { type, index, field, refused } = tried;
    const body = bodyOf(type, { index });
    const complaints: string[] = [];
    for (const sent of sample(refused, field)) {
      const fault = faultOfRefusal(await send(withValue(body, field, sent.value)), invalidField(field), sent.value);
      if (fault) complaints.push(`${sent.name}: ${fault}`);
    }
    expect(complaints).toEqual([]);
  });

  describe('mistakes of users', () => {
    it.each(MISTAKES)('rejects a mistake in type $type: $name', async ({ faults: expected, ...change }) => {
      const body = changed(change);
      const { status, text } = await send(body);
      expect(status, text).toBe(400);
      const { errors } = JSON.parse(text) as { errors: { field: string }[] };
      expect([...new Set(errors.map(({ field }) => field))].toSorted()).toEqual(expected);
      const preview = await see(postJson(server, '/v1/documents/preview', tenant.headers, body));
      expect([preview.status, JSON.parse(preview.text).errors]).toEqual([400, errors]);
    });
  });

  it('rejected bodies store nothing and take no number', async () => {
    expect(await storedRows(server)).toEqual(before);
    expect(faults).toEqual([]);
  });
});

describeOnDatabases('doubtful bodies of every type', await databaseKinds(), (open) => {
  let lenient: TestServer;
  let strict: TestServer;
  beforeAll(async () => {
    lenient = await open();
    strict = await open({ settings: { DOCUMENT_STRICT: 'true' } });
  });

  /** The answer to a new account, and the number of its stored documents. */
  async function answerOf(server: TestServer, body: unknown) {
    const { headers } = await registerTenant(server, { documentTypes: ALL_TYPES });
    const response = await postJson(server, '/v1/documents', headers, body);
    const answer = (await response.json()) as Readonly<Record<string, unknown>>;
    const listed = await server.request('/v1/documents', { headers });
    const { pagination } = (await listed.json()) as { pagination: { total: number } };
    return { status: response.status, answer, stored: pagination.total };
  }

  it.each(DOUBTS)(
    'strict checking rejects a doubtful body that otherwise gets a warning: $type, $name',
    async (doubt) => {
      const { field, code } = doubt;
      const body = changed(doubt);
      const taken = await answerOf(lenient, body);
      expect(taken).toMatchObject({ status: 201, answer: { warnings: [{ field, code }] }, stored: 1 });
      const refused = await answerOf(strict, body);
      expect(refused).toMatchObject({ status: 400, answer: { errors: [{ field }] }, stored: 0 });
    },
  );

  it('amounts for third parties give no warning, and the invoice has version 2.1.0', async () => {
    const { headers } = await registerTenant(strict, { documentTypes: ALL_TYPES });
    const xmlOf = async (body: unknown) => {
      const created = await postJson(strict, '/v1/documents', headers, body);
      const { document, warnings } = (await created.json()) as { document: { accessKey: string }; warnings: unknown };
      expect(warnings).toBeUndefined();
      return (await strict.request(`/v1/documents/${document.accessKey}/xml`, { headers })).text();
    };
    const { deliveryGuide: _, thirdPartyCharges, ...ordinary } = bodyOf('01', { index: 4 });
    const total = (amount: string) => ({ payments: [{ method: '20', total: amount, term: 30, termUnit: 'dias' }] });
    expect(await xmlOf({ ...ordinary, ...total('1380.00') })).toContain('version="1.1.0"');
    const charged = await xmlOf({ ...ordinary, thirdPartyCharges, ...total('1386.50') });
    expect(charged).toContain('version="2.1.0"');
    expect(charged).toContain('<otrosRubrosTerceros>');
  });
});

// --- internal ---

function changed({ type, index = 0, set }: Change): unknown {
  return Object.entries(set).reduce<unknown>(
    (body, [field, value]) => withValue(body, field, value),
    bodyOf(type, { index }),
  );
}
