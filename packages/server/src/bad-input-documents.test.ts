import { DOCUMENT_TYPES } from 'sri-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  COMMON_FIELDS,
  CREDIT_NOTE_FIELDS,
  FULL_CREDIT_NOTE,
  FULL_INVOICE,
  INVOICE_FIELDS,
} from './testing/bad-input/document-fields.js';
import type { FieldKind } from './testing/bad-input/field-kinds.js';
import { withValue } from './testing/bad-input/places.js';
import { faultOfRefusal, faultOfText, invalidField, see } from './testing/bad-input/refusal.js';
import { oneIn, sampleOn } from './testing/bad-input/sample.js';
import { storedRows } from './testing/bad-input/stored-rows.js';
import { SENT_VALUES, type SentValue } from './testing/bad-input/values.js';
import { wholeBodies } from './testing/bad-input/whole-bodies.js';
import { databaseKinds } from './testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from './testing/test-server.js';
import { postJson, registerTenant, type TestTenant } from './testing/test-tenant.js';

const BODIES = [
  { name: 'an invoice', body: FULL_INVOICE, fields: INVOICE_FIELDS },
  { name: 'a credit note', body: FULL_CREDIT_NOTE, fields: CREDIT_NOTE_FIELDS },
] as const;

const COUNT = BODIES.reduce(
  (sum, { body, fields }) =>
    sum + Object.entries(fields).reduce((inner, [field, kind]) => inner + valuesFor(body, field, kind).length, 0),
  wholeBodies().length,
);

it('tries more than fifteen hundred bodies on SQLite in every test run', () => {
  const sample = sampleOn('SQLite');
  const tried = BODIES.flatMap(({ body, fields }) =>
    Object.entries(fields).flatMap(([field, kind]) => sample(valuesFor(body, field, kind), field)),
  );
  expect(tried.length).toBeGreaterThan(1500);
});

describeOnDatabases(`${COUNT} bodies of documents`, await databaseKinds(), (open, database) => {
  const sample = sampleOn(database);
  let server: TestServer;
  let tenant: TestTenant;
  /** A second account that creates the documents, so that the first one stores little. */
  let maker: TestTenant;
  const faults: unknown[] = [];

  beforeAll(async () => {
    const logger = { info: () => {}, warn: () => {}, error: (fields: unknown) => void faults.push(fields) };
    server = await open({ logger });
    const documentTypes = '["01","04"]';
    tenant = await registerTenant(server, { documentTypes });
    maker = await registerTenant(server, { documentTypes });
  });

  it('the tables name every field', () => {
    for (const { body, fields } of BODIES) {
      expect(fieldsOf(body).filter((field) => !Object.hasOwn(fields, field))).toEqual([]);
    }
  });

  it('too much, too little, and numbers as only JSON writes them', async () => {
    const bodies = sample(wholeBodies(), 'whole');
    const send = (json: string, by: TestTenant) =>
      server.request('/v1/documents', {
        method: 'POST',
        headers: { ...by.headers, 'content-type': 'application/json' },
        body: json,
      });
    const before = await storedRows(server);
    for (const { name, json, field } of bodies) {
      if (field === null) continue;
      const expected = field === '' ? INVALID : invalidField(field);
      expect(faultOfRefusal(await see(send(json, tenant)), expected), name).toBeNull();
    }
    expect(await storedRows(server)).toEqual(before);
    for (const { name, json, field } of bodies) {
      if (field === null) expect((await send(json, maker)).status, name).toBe(201);
    }
    expect(faults).toEqual([]);
  });

  it('every field that is wrong is named at once, fifty of them at most', async () => {
    const fields = [
      'buyer.idType',
      'buyer.email',
      'items[0].quantity',
      'items[0].taxes[0].rate',
      'payments[0].method',
      'tip',
    ];
    const body = fields.reduce<unknown>((changed, field) => withValue(changed, field, '\u0000'), FULL_INVOICE);
    const named = async (sent: unknown) => {
      const { status, text } = await see(postJson(server, '/v1/documents', tenant.headers, sent));
      expect(status).toBe(400);
      return (JSON.parse(text) as { errors: { field: string }[] }).errors.map(({ field }) => field);
    };
    expect((await named(body)).toSorted()).toEqual(fields.toSorted());
    const items = Array.from({ length: 200 }, () => ({ ...FULL_INVOICE.items[0], quantity: '-1', description: '' }));
    expect(await named({ ...FULL_INVOICE, items })).toHaveLength(50);
  });

  describe.each(BODIES)('of $name', ({ body, fields }) => {
    it('the whole body is accepted unchanged, and is stored', async () => {
      const before = await storedRows(server);
      const response = await postJson(server, '/v1/documents', maker.headers, body);
      expect(response.status, await response.clone().text()).toBe(201);
      expect(await response.json()).not.toHaveProperty('warnings');
      const after = await storedRows(server);
      const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
      expect(changed).toEqual(expect.arrayContaining(['sri_documents', 'sri_sequentials', 'document_usage']));
    });

    it.each(Object.entries(fields))('%s', async (field, kind) => {
      const values = sample(valuesFor(body, field, kind), field);
      const complaints: string[] = [];
      const before = await storedRows(server);
      for (const sent of values.filter((value) => !kind.takes(value))) {
        const response = postJson(server, '/v1/documents', tenant.headers, withValue(body, field, sent.value));
        // With the type of another document, the body lacks that type's fields.
        const isOther = field === 'documentType' && DOCUMENT_TYPES.some((code) => code === sent.value);
        const expected = isOther ? INVALID : invalidField(field);
        const fault = faultOfRefusal(await see(response), expected, sent.value);
        if (fault) complaints.push(`${sent.name}: ${fault}`);
      }
      expect(complaints).toEqual([]);
      expect(await storedRows(server)).toEqual(before);
      for (const sent of values.filter((value) => kind.takes(value))) {
        const response = postJson(server, '/v1/documents', maker.headers, withValue(body, field, sent.value));
        const { status, text } = await see(response);
        const fault = status === 201 ? faultOfText(text) : `got ${status} ${text.slice(0, 300)}`;
        if (fault) complaints.push(`${sent.name}: ${fault}`);
      }
      expect(complaints).toEqual([]);
      expect(faults).toEqual([]);
    });
  });
});

describe('the day of issue, while it is tomorrow in UTC', () => {
  it('is the one in Ecuador', async () => {
    const server = await openTestServer(null, { now: '2026-11-22T04:59:00.000Z' });
    const tenant = await registerTenant(server);
    const statuses: number[] = [];
    for (const issueDate of ['21/11/2026', '22/11/2026', undefined]) {
      statuses.push((await postJson(server, '/v1/documents', tenant.headers, { ...FULL_INVOICE, issueDate })).status);
    }
    await server.clock.advance(60_000);
    for (const issueDate of ['21/11/2026', '22/11/2026']) {
      statuses.push((await postJson(server, '/v1/documents', tenant.headers, { ...FULL_INVOICE, issueDate })).status);
    }
    await server.close();
    expect(statuses).toEqual([201, 400, 201, 400, 201]);
  });
});

// --- internal ---

/** The invoice tries all values of fields that both documents have; the credit note tries a part of them. */
function valuesFor(body: { readonly documentType: string }, field: string, kind: FieldKind): readonly SentValue[] {
  const all = [...SENT_VALUES, ...kind.edges];
  return body.documentType === '04' && COMMON_FIELDS.has(field) ? oneIn(4, all, field) : all;
}

const INVALID = { status: 400, code: 'VALIDATION_FAILED' } as const;

/** `a`, `a.b`, `a[0].b` … for every field of a body. */
function fieldsOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const field = Array.isArray(value) ? `${prefix}[${key}]` : prefix === '' ? key : `${prefix}.${key}`;
    return [field, ...fieldsOf(entry, field)];
  });
}
