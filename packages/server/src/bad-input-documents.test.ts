import { beforeAll, describe, expect, it } from 'vitest';
import { withValue } from './testing/bad-input/places.js';
import { faultOfRefusal, faultOfText, invalidField, see } from './testing/bad-input/refusal.js';
import { sampleOn } from './testing/bad-input/sample.js';
import { storedRows } from './testing/bad-input/stored-rows.js';
import { SENT_TEXTS } from './testing/bad-input/values.js';
import { FULL_CREDIT_NOTE, FULL_INVOICE, wholeBodies } from './testing/bad-input/whole-bodies.js';
import { databaseKinds } from './testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from './testing/test-server.js';
import { postJson, registerTenant, type TestTenant } from './testing/test-tenant.js';

// The library has the rules of single fields: `bad-input-types.test.ts` tries them over HTTP for every type.

describeOnDatabases('bodies of documents', await databaseKinds(), (open, database) => {
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

  it('rejects bodies with too much or too little, and numbers that only JSON allows', async () => {
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

  it('an error names every wrong field at once, up to fifty', async () => {
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

  it.each([
    { name: 'an invoice', body: FULL_INVOICE },
    { name: 'a credit note', body: FULL_CREDIT_NOTE },
  ])('accepts every field of $name unchanged, and stores it', async ({ body }) => {
    const before = await storedRows(server);
    const response = await postJson(server, '/v1/documents', maker.headers, body);
    expect(response.status, await response.clone().text()).toBe(201);
    expect(await response.json()).not.toHaveProperty('warnings');
    const after = await storedRows(server);
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    expect(changed).toEqual(expect.arrayContaining(['sri_documents', 'sri_sequentials', 'document_usage']));
  });

  it('accepts every text that a document may contain', async () => {
    const texts = SENT_TEXTS.filter(({ sort, value }) => sort === 'text' && String(value).length <= 300);
    for (const { name, value } of sample(texts, 'texts')) {
      const body = ['buyer.name', 'items[0].description', 'additionalInfo[0].value'].reduce<unknown>(
        (changed, field) => withValue(changed, field, value),
        FULL_INVOICE,
      );
      const { status, text } = await see(postJson(server, '/v1/documents', maker.headers, body));
      expect([status, faultOfText(text)], name).toEqual([201, null]);
    }
    expect(faults).toEqual([]);
  });
});

describe('the day of issue late in the evening', () => {
  it('the day of issue is the day in Ecuador while UTC has the next one', async () => {
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

const INVALID = { status: 400, code: 'VALIDATION_FAILED' } as const;
