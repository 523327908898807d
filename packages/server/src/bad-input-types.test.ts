import { DOCUMENT_TYPES, DOCUMENTS, type DocumentType } from 'sri-core';
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

/** Mistakes of the field, by type: what is changed in the first example, and what the refusal names. */
const MISTAKES: readonly {
  readonly name: string;
  readonly type: DocumentType;
  readonly set: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}[] = [
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
  { name: 'a purchase settlement without payments', type: '03', set: { payments: undefined }, faults: ['payments'] },
  { name: 'no reasons', type: '05', set: { reasons: [] }, faults: ['reasons'] },
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

it('tries the fields of every type that has no table of its own', () => {
  const types = new Set(FIELDS.map(({ type }) => type));
  // Those of a credit note are all in its table, and the invoice has its variants.
  expect([...types].toSorted()).toEqual(DOCUMENT_TYPES.filter((code) => DOCUMENTS[code] !== DOCUMENTS['04']));
  expect(FIELDS.length).toBeGreaterThan(200);
});

describeOnDatabases('bodies of every type that are wrong', await databaseKinds(), (open, database) => {
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

  it.each(FIELDS)('$type, example $index: $field refuses what is not of its form', async (tried) => {
    const { type, index, field, refused } = tried;
    const body = bodyOf(type, { index });
    const complaints: string[] = [];
    for (const sent of sample(refused, field)) {
      const fault = faultOfRefusal(await send(withValue(body, field, sent.value)), invalidField(field), sent.value);
      if (fault) complaints.push(`${sent.name}: ${fault}`);
    }
    expect(complaints).toEqual([]);
  });

  describe('and mistakes that people make', () => {
    it.each(MISTAKES)('$type: $name', async ({ type, set, faults: expected }) => {
      const body = Object.entries(set).reduce<unknown>(
        (changed, [field, value]) => withValue(changed, field, value),
        bodyOf(type),
      );
      const { status, text } = await send(body);
      expect(status, text).toBe(400);
      const { errors } = JSON.parse(text) as { errors: { field: string }[] };
      expect([...new Set(errors.map(({ field }) => field))].toSorted()).toEqual(expected);
      const preview = await see(postJson(server, '/v1/documents/preview', tenant.headers, body));
      expect([preview.status, JSON.parse(preview.text).errors]).toEqual([400, errors]);
    });
  });

  it('leave nothing stored, and no number taken', async () => {
    expect(await storedRows(server)).toEqual(before);
    expect(faults).toEqual([]);
  });
});
