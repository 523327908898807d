import type { OperationAnswer } from 'sri-core/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeRows } from '../testing/change-rows.js';
import { activeTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  registerTenant,
  type ShownDocument,
  SIMPLE_CREDIT_NOTE,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';

describeOnDatabases('documents', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server, { documentTypes: '["01","04"]' });
  });

  const create = (body: unknown, headers: Record<string, string> = {}) =>
    postJson(server, '/v1/documents', { ...tenant.headers, ...headers }, body);
  const get = (path: string, of = tenant) => server.request(path, { headers: of.headers });

  describe('creating', () => {
    it('[R036] [R042] [R046] [R095] [R222] [R010] [R009] a create answers 201 with the common fields and no others', async () => {
      const response = await create(SIMPLE_INVOICE);
      expect(response.status).toBe(201);
      expect(await response.json()).toEqual({
        ok: true,
        document: {
          accessKey: expect.stringMatching(/^\d{49}$/),
          documentType: '01',
          sequential: expect.stringMatching(/^\d{9}$/),
          status: 'SIGNED',
          issueDate: '21/11/2026',
          total: '11.50',
          counterparty: { role: 'BUYER', idType: '05', id: '1710034065', name: 'María Ñacata' },
          email: { status: 'PENDING' },
        },
      });
    });

    it('[R071] [R072] [R073] a create makes a credit note with its counterparty and number', async () => {
      expect(await createDocument(server, tenant, SIMPLE_CREDIT_NOTE)).toMatchObject({
        documentType: '04',
        sequential: '000000001',
        counterparty: { role: 'BUYER', id: SIMPLE_CREDIT_NOTE.buyer.id },
      });
    });

    it('a create returns warnings next to the document, in the language of the request', async () => {
      const body = { ...SIMPLE_INVOICE, payments: [{ method: '01', total: '11.00' }] };
      const response = await create(body, { 'accept-language': 'en' });
      expect(response.status).toBe(201);
      expect(response.headers.get('content-language')).toBe('en');
      expect(await response.json()).toMatchObject({
        warnings: [{ code: 'PAYMENTS_MISMATCH', field: expect.any(String), message: expect.stringMatching(/[a-z]/) }],
      });
    });

    it('a create warns of unknown fields, ignores them and stores them with the body', async () => {
      const [line] = SIMPLE_INVOICE.items;
      const body = { ...SIMPLE_INVOICE, color: 'red', items: [{ ...line, descripton: 'x', auxiliaryCode: '' }] };
      const response = await create(body, { 'accept-language': 'en' });
      expect(response.status).toBe(201);
      const { document, warnings } = (await response.json()) as { document: { accessKey: string }; warnings: object };
      expect(warnings).toMatchObject([
        { code: 'UNKNOWN_FIELD', field: 'color' },
        { code: 'UNKNOWN_FIELD', field: 'items[0].descripton', message: expect.stringContaining('«description»') },
      ]);
      const shown = await get(`/v1/documents/${document.accessKey}`);
      expect(await shown.json()).toMatchObject({ document: { requestPayload: body } });
    });

    it('[R047] [R048] [R049] [R060] [R064] a create lists every broken field, in Spanish and in English', async () => {
      const [item] = SIMPLE_INVOICE.items;
      const body = {
        ...SIMPLE_INVOICE,
        issueDate: '20/11/2026',
        items: [{ ...item, quantity: 1, taxes: [{ code: '2', rateCode: '4', rate: '15' }] }],
      };
      const tell = async (language: string) => (await create(body, { 'accept-language': language })).json();
      const spanish = (await tell('es')) as { detail: string; errors: { field: string; message: string }[] };
      const english = (await tell('en')) as typeof spanish;
      expect(spanish).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', detail: '4 campos no son válidos.' });
      expect(spanish.errors.map(({ field }) => field)).toEqual(
        expect.arrayContaining([
          'issueDate',
          'items[0].quantity',
          'items[0].taxes[0].taxableBase',
          'items[0].taxes[0].taxAmount',
        ]),
      );
      expect(english.errors.map(({ field }) => field)).toEqual(spanish.errors.map(({ field }) => field));
      expect(english.errors[0]?.message).not.toBe(spanish.errors[0]?.message);
    });

    it('[R027] [R029] [R231] a create is refused while the issuer is paused, and existing documents continue', async () => {
      const paused = await registerTenant(server);
      const { accessKey } = await createDocument(server, paused);
      await changeRows(server, 'issuers', { id: paused.issuerId }, { can_issue: 0 });
      const response = await postJson(server, '/v1/documents', paused.headers, SIMPLE_INVOICE);
      expect(await response.json()).toMatchObject({ status: 403, code: 'ISSUER_ISSUING_PAUSED' });
      expect((await get(`/v1/documents/${accessKey}`, paused)).status).toBe(200);
      expect((await postJson(server, `/v1/documents/${accessKey}/send`, paused.headers, {})).status).toBe(202);
    });

    it('[R227] a create refuses a type that the issuer has not enabled, and takes no number', async () => {
      const invoicesOnly = await registerTenant(server);
      const response = await postJson(server, '/v1/documents', invoicesOnly.headers, SIMPLE_CREDIT_NOTE);
      expect(await response.json()).toMatchObject({ status: 400, code: 'DOCUMENT_TYPE_NOT_ENABLED' });
      expect(await createDocument(server, invoicesOnly)).toMatchObject({ sequential: '000000001' });
    });

    it('a create refuses an expired certificate, and takes no number', async () => {
      const late = await registerTenant(server);
      server.clock.set('2046-03-01T15:00:00Z');
      const response = await postJson(server, '/v1/documents', late.headers, SIMPLE_INVOICE);
      expect(await response.json()).toMatchObject({ status: 400, code: 'BAD_REQUEST', reason: 'CERTIFICATE_EXPIRED' });
      server.clock.set('2026-11-21T15:00:00Z');
      expect(await createDocument(server, late)).toMatchObject({ sequential: '000000001' });
    });

    it('40 concurrent creates are numbered without a gap or a repeat', async () => {
      const busy = await registerTenant(server);
      const documents = await Promise.all(Array.from({ length: 40 }, () => createDocument(server, busy)));
      const numbers = documents.map(({ sequential }) => Number(sequential)).toSorted((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    });
  });

  describe('idempotency', () => {
    it('[R224] [R226] a repeated key and payload return the existing document', async () => {
      const first = await create(SIMPLE_INVOICE, { 'idempotency-key': 'a-1' });
      const reordered = Object.fromEntries(Object.entries(SIMPLE_INVOICE).toReversed());
      const second = await create(reordered, { 'idempotency-key': 'a-1' });
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(await second.json()).toEqual(await first.json());
    });

    it('[R225] a repeated key with another payload is a conflict', async () => {
      await create(SIMPLE_INVOICE, { 'idempotency-key': 'a-2' });
      const response = await create(
        { ...SIMPLE_INVOICE, guiaRemision: '001-001-000000001' },
        { 'idempotency-key': 'a-2' },
      );
      expect(await response.json()).toMatchObject({ status: 409, code: 'CONFLICT', reason: 'IDEMPOTENCY_KEY_REUSED' });
    });

    it('50 concurrent creates with one key create one document', async () => {
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => create(SIMPLE_INVOICE, { 'idempotency-key': 'a-3' })),
      );
      const created = responses.filter(({ status }) => status === 201);
      expect(created).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(49);
      const keys = await Promise.all(
        responses.map(async (response) => (await response.json()) as { document: ShownDocument }),
      );
      expect(new Set(keys.map(({ document }) => document.accessKey)).size).toBe(1);
    });

    it('a failed create does not bind its key', async () => {
      expect((await create({ ...SIMPLE_INVOICE, buyer: {} }, { 'idempotency-key': 'a-4' })).status).toBe(400);
      expect((await create(SIMPLE_INVOICE, { 'idempotency-key': 'a-4' })).status).toBe(201);
    });

    it('[R223] an idempotency key has 1 to 255 characters', async () => {
      for (const [key, status] of [
        ['x'.repeat(255), 201],
        ['x'.repeat(256), 400],
        ['', 400],
      ] as const) {
        expect((await create(SIMPLE_INVOICE, { 'idempotency-key': key })).status).toBe(status);
      }
      const response = await create(SIMPLE_INVOICE, { 'idempotency-key': ' ' });
      expect(await response.json()).toMatchObject({ code: 'BAD_REQUEST', reason: 'IDEMPOTENCY_KEY_INVALID' });
    });
  });

  describe('reading', () => {
    it('[R040] [R244] [R387] a document is shown with its creation body, including unknown fields', async () => {
      const body = { ...SIMPLE_INVOICE, ours: { kept: true } };
      const { accessKey } = await createDocument(server, tenant, body);
      const response = await get(`/v1/documents/${accessKey}`);
      const { document } = (await response.json()) as { document: ShownDocument };
      expect(document['requestPayload']).toEqual(body);
      expect(document).not.toHaveProperty('dispatch');
      expect(document).not.toHaveProperty('buyer');
    });

    it('[R245] a document with an unknown key is not found', async () => {
      const response = await get(`/v1/documents/${'1'.repeat(49)}`);
      expect(await response.json()).toMatchObject({ status: 404, code: 'NOT_FOUND', reason: 'DOCUMENT_NOT_FOUND' });
    });

    it.each(['', '/send', '/authorize', '/sri-responses', '/ride', '/xml', '/events'])(
      '[R380] [R251] a key without 49 digits is a VALIDATION_FAILED at %j',
      async (rest) => {
        for (const key of ['1'.repeat(48), '1'.repeat(50), `${'1'.repeat(48)}x`, '١'.repeat(49), '%zz', '%00']) {
          const init = { method: rest === '/send' ? 'POST' : 'GET', headers: tenant.headers };
          const response = await server.request(`/v1/documents/${encodeURI(key)}${rest}`, init);
          expect(await response.json(), key).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
        }
      },
    );
  });

  describe('listing', () => {
    let shop: TestTenant;
    const documents: ShownDocument[] = [];
    const list = async (query: string) => {
      const response = await get(`/v1/documents?${query}`, shop);
      return (await response.json()) as OperationAnswer<'listDocuments'>;
    };
    const numbers = async (query: string) => (await list(query)).data.map(({ sequential }) => Number(sequential));

    beforeAll(async () => {
      shop = await registerTenant(server, { documentTypes: '["01","04"]' });
      for (const name of ['Ana Ñato', 'Beto 100%', 'ana_luz', 'Zoé', 'Beto 1000']) {
        const body = { ...SIMPLE_INVOICE, buyer: { ...SIMPLE_INVOICE.buyer, name } };
        documents.push(await createDocument(server, shop, body));
        await server.clock.advance(1000);
      }
      await createDocument(server, shop, SIMPLE_CREDIT_NOTE);
    });

    it('[R242] [R240] the list has pages of ten, newest first, with the common fields', async () => {
      const { data, pagination } = await list('');
      expect(pagination).toEqual({ total: 6, page: 1, limit: 10 });
      expect(data[0]).toMatchObject({ documentType: '04' });
      expect(data[5]).toEqual({ ...documents[0], issuerId: shop.issuerId });
      expect((await list('page=2&limit=4')).data).toHaveLength(2);
      expect((await list('page=9')).data).toEqual([]);
    });

    it.each([
      { name: '[R233] status', query: 'status=SIGNED&documentType=01', expected: [5, 4, 3, 2, 1] },
      { name: '[R233] a status without documents', query: 'status=VOIDED', expected: [] },
      { name: '[R234] type', query: 'documentType=04', expected: [1] },
      { name: '[R234] a type without documents', query: 'documentType=07', expected: [] },
      { name: '[R235] dates', query: 'from=21/11/2026&to=21/11/2026&documentType=01', expected: [5, 4, 3, 2, 1] },
      { name: '[R235] an empty span', query: 'from=22/11/2026&to=20/11/2026', expected: [] },
      { name: '[R236] part of the number', query: 'sequential=0004', expected: [4] },
      { name: '[R237] part of the name in any case', query: 'buyerName=AN', expected: [3, 1] },
      { name: '[R237] Ñ in any case', query: 'buyerName=ñAT', expected: [1] },
      { name: '[R237] % is a character', query: 'buyerName=100%25', expected: [2] },
      { name: '[R237] _ is a character', query: 'buyerName=_', expected: [3] },
      { name: '[R238] by number', query: 'sortBy=sequential&documentType=01', expected: [5, 4, 3, 2, 1] },
      {
        name: '[R239] by number upwards',
        query: 'sortBy=sequential&sortDir=asc&documentType=01',
        expected: [1, 2, 3, 4, 5],
      },
      { name: '[R239] oldest first', query: 'sortDir=asc&documentType=01', expected: [1, 2, 3, 4, 5] },
      { name: '[R241] filters together', query: 'buyerName=beto&sequential=5', expected: [5] },
      { name: 'identification', query: 'buyerId=1710034065&documentType=01', expected: [5, 4, 3, 2, 1] },
      { name: 'part of an identification', query: 'buyerId=171003406', expected: [] },
      { name: 'total', query: 'totalFrom=11.5&totalTo=11.50&documentType=01', expected: [5, 4, 3, 2, 1] },
      { name: 'a higher total', query: 'totalFrom=11.51', expected: [] },
      { name: 'words: a name', query: 'q=ñAT', expected: [1] },
      { name: 'words: a number, or part of a name', query: 'q=1000', expected: [5] },
      { name: 'words: a number', query: 'q=000000004', expected: [4] },
      { name: 'words: a number with its branch and point', query: 'q=001-002-000000004', expected: [4] },
      { name: 'words: the number of another point', query: 'q=001-003-000000004', expected: [] },
      {
        name: 'words: the beginning of an identification',
        query: 'q=1710034&documentType=01',
        expected: [5, 4, 3, 2, 1],
      },
      { name: 'an unknown parameter', query: 'documentType=04&colour=red', expected: [1] },
    ])('$name: the list shows the numbers $expected', async ({ query, expected }) => {
      expect(await numbers(query)).toEqual(expected);
    });

    it('the list finds a document by its access key', async () => {
      const [, second] = documents;
      for (const name of ['accessKey', 'q']) {
        const { data, pagination } = await list(`${name}=${second?.accessKey}`);
        expect([pagination['total'], data[0]?.accessKey]).toEqual([1, second?.accessKey]);
      }
      expect((await list(`accessKey=${'1'.repeat(49)}`)).data).toEqual([]);
    });

    it('the list with issuerId=all has the issuers of the account, and no issuer of another account', async () => {
      const chain = await activeTenant(server);
      const place = { branchCode: '001', issuePointCode: '033' };
      const added = await postJson(server, '/v1/issuers', chain.auth, place);
      const { issuer } = (await added.json()) as { issuer: { id: string } };
      const there = { ...chain, headers: { ...chain.auth, 'x-issuer-id': issuer.id } };
      const first = await createDocument(server, chain);
      await server.clock.advance(1000);
      const second = await createDocument(server, there);
      const all = async (query: string, headers = chain.auth) => {
        const response = await server.request(`/v1/documents?issuerId=all${query}`, { headers });
        const { data, pagination } = (await response.json()) as Awaited<ReturnType<typeof list>>;
        return [pagination['total'], ...data.map(({ accessKey, issuerId }) => [accessKey, issuerId])];
      };
      const [one, other] = [
        [first.accessKey, chain.issuerId],
        [second.accessKey, issuer.id],
      ];
      expect(await all('')).toEqual([2, other, one]);
      expect(await all('&sortBy=sequential&sortDir=asc&limit=1&page=2')).toEqual([2, one]);
      expect(await all('&q=001-033-1')).toEqual([1, other]);
      // An additional issuer header changes nothing, even with an issuer of another account.
      expect(await all('', { ...chain.auth, 'x-issuer-id': shop.issuerId })).toEqual([2, other, one]);
      expect(await all(`&accessKey=${documents[0]?.accessKey}`)).toEqual([0]);
      expect((await get('/v1/documents', chain)).status).toBe(200);
      const figures = await server.request('/v1/documents/stats?issuerId=all', { headers: chain.auth });
      expect(await figures.json()).toMatchObject({ stats: { total: 2, byStatus: { SIGNED: 2 } } });
      const without = await server.request('/v1/documents', { headers: chain.auth });
      expect(await without.json()).toMatchObject({ code: 'BAD_REQUEST', reason: 'ISSUER_ID_REQUIRED' });
    });

    it.each([
      'status=signed',
      'documentType=02',
      'from=2026-11-21',
      'to=31/02/2026',
      'sequential=',
      'buyerName=%20',
      'buyerName=%00',
      'buyerName=%ff',
      'sortBy=total',
      'sortBy=sequential;drop table sri_documents',
      'sortDir=up',
      'page=0',
      'page=-1',
      'page=1.5',
      'page=9e15',
      'limit=0',
      'limit=101',
      'limit=ten',
      'limit=10&limit=20',
      'q=',
      'q=%00',
      'buyerId=%20',
      `buyerId=${'1'.repeat(21)}`,
      'accessKey=1',
      'totalFrom=-1',
      'totalTo=1.125',
      'totalTo=1,5',
      'issuerId=0',
      `buyerName=${'x'.repeat(301)}`,
    ])('[R243] the list answers VALIDATION_FAILED to %s', async (query) => {
      const response = await get(`/v1/documents?${query}`, shop);
      const field = `query:${query.split('=')[0]}`;
      expect(await response.json()).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        errors: [{ field, code: field }],
      });
    });
  });
});
