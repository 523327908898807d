import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationAnswer } from 'sri-core/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeRows } from '../testing/change-rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { createDocument, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';

describeOnDatabases('the way of a document through the SRI', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  beforeAll(async () => {
    server = await open();
    // The simulator, like the SRI, requires the certificate to name the RUC of the issuer.
    tenant = await registerTenant(server, { ruc: TEST_RUC });
    documents = documentsOf(server, tenant);
  });

  const send = (accessKey: string) => documents.post(`${accessKey}/send`, {});
  const responsesOf = async (accessKey: string) =>
    ((await (await documents.get(`${accessKey}/sri-responses`)).json()) as OperationAnswer<'listSriResponses'>)
      .sriResponses;
  /** A document for one of the simulator's special buyers. */
  const createFor = async (buyerId: string) => {
    const buyer = { ...SIMPLE_INVOICE.buyer, idType: '06', id: buyerId };
    return (await createDocument(server, tenant, { ...SIMPLE_INVOICE, buyer })).accessKey;
  };
  /** Advances the clock, half a second at a time, until the work is done. */
  const whileTimePasses = async <T>(work: Promise<T>): Promise<T> => {
    let done = false;
    const watched = work.finally(() => {
      done = true;
    });
    while (!done) {
      await server.clock.advance(500);
      // The database runs in real time, and must not fall minutes behind.
      await sleep(2);
    }
    return watched;
  };
  const received = async (buyerId = 'P-1') => {
    const accessKey = await createFor(buyerId);
    await send(accessKey);
    await server.tick();
    return accessKey;
  };

  it('[R041] [R043] [R096] [R246] [R388] a send answers 202 at once', async () => {
    const { accessKey } = await createDocument(server, tenant);
    const response = await send(accessKey);
    expect(response.status).toBe(202);
    const dispatch = { status: 'PENDING', attemptCount: 0, lastError: null };
    expect(await response.json()).toMatchObject({
      ok: true,
      document: { accessKey, status: 'PENDING_SEND', dispatch },
    });
    expect(await responsesOf(accessKey)).toEqual([]);
  });

  it('[R097] [R103] [R037] [R038] [R079] [R080] [R081] [R250] a document goes from SIGNED to AUTHORIZED', async () => {
    const accessKey = await received();
    expect(await documents.show(accessKey)).toMatchObject({
      status: 'RECEIVED',
      dispatch: { status: 'PENDING', attemptCount: 0 },
    });
    await server.tickAfter(3000);
    const document = await documents.show(accessKey);
    expect(document).toMatchObject({
      status: 'AUTHORIZED',
      authorizationNumber: accessKey,
      authorizationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/),
    });
    expect(document).not.toHaveProperty('dispatch');
    expect(await responsesOf(accessKey)).toEqual([
      {
        operationType: 'AUTHORIZATION',
        status: 'AUTORIZADO',
        messages: [{ identifier: '60', message: expect.any(String), additionalInfo: null, type: 'ADVERTENCIA' }],
        advice: [expect.objectContaining({ identifier: '60', who: 'NOBODY' })],
        createdAt: expect.stringMatching(/Z$/),
      },
      { operationType: 'RECEPTION', status: 'RECIBIDA', messages: null, createdAt: expect.stringMatching(/Z$/) },
    ]);
  });

  it('a date in the old form of the SRI is answered with the offset of Ecuador', async () => {
    const accessKey = await received();
    await server.tickAfter(3000);
    await changeRows(server, 'sri_documents', { access_key: accessKey }, { authorization_date: '25/11/2026 12:00:10' });
    expect(await documents.show(accessKey)).toMatchObject({ authorizationDate: '2026-11-25T12:00:10-05:00' });
  });

  it('[R098] [R081] a refusal at reception ends in RETURNED, with the messages of the SRI', async () => {
    const accessKey = await received('SRI-RETURNED-35');
    expect(await documents.show(accessKey)).toMatchObject({ status: 'RETURNED' });
    const [response] = await responsesOf(accessKey);
    expect(response).toMatchObject({
      operationType: 'RECEPTION',
      status: 'DEVUELTA',
      messages: [{ identifier: '35', message: expect.any(String), type: 'ERROR' }],
    });
    expect(Object.keys(response?.messages?.[0] ?? {}).toSorted()).toEqual([
      'additionalInfo',
      'identifier',
      'message',
      'type',
    ]);
  });

  it('[R100] [R101] [R102] [R043] [R082] [R083] [R342] [R376] a failing SRI is retried five times before the document is given up', async () => {
    const accessKey = await received('SRI-HTTP-500');
    expect(await documents.show(accessKey)).toMatchObject({
      status: 'PENDING_SEND',
      dispatch: { status: 'PENDING', attemptCount: 1, lastError: 'El SRI respondió HTTP 500.' },
    });
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      await server.tickAfter(299_999);
      expect(await documents.show(accessKey)).toMatchObject({ dispatch: { attemptCount: attempt - 1 } });
      await server.tickAfter(1);
    }
    expect(await documents.show(accessKey)).toMatchObject({
      status: 'PENDING_SEND',
      dispatch: { status: 'FAILED', attemptCount: 5 },
    });
    const responses = await responsesOf(accessKey);
    const receptions = responses.filter(({ operationType }) => operationType === 'RECEPTION');
    expect(receptions).toHaveLength(5);
    expect(receptions[0]).toMatchObject({ status: 'HTTP_500', messages: null });
    const events = await documents.events(accessKey);
    const errors = events.filter(({ eventType }) => eventType === 'ERROR');
    expect(errors).toHaveLength(5);
    expect(errors[0]).toMatchObject({
      operation: 'SEND',
      message: 'El SRI respondió HTTP 500.',
      detail: { operation: 'SEND', message: 'El SRI respondió HTTP 500.' },
      fromStatus: null,
      toStatus: null,
    });
  });

  it('[R377] a failing connection is tried four times within one attempt', async () => {
    const accessKey = await createFor('SRI-UNREACHABLE');
    await send(accessKey);
    await whileTimePasses(server.tick());
    const tries = server.simulator.journal.filter((entry) => entry.accessKey === accessKey);
    expect(tries).toHaveLength(4);
    expect(await documents.show(accessKey)).toMatchObject({ status: 'PENDING_SEND', dispatch: { attemptCount: 1 } });
    expect(await responsesOf(accessKey)).toMatchObject([{ status: 'HTTP_503', messages: null }]);
  });

  it('[R247] [R249] [R378] a send requires a signed document, and succeeds once of many concurrent requests', async () => {
    const { accessKey } = await createDocument(server, tenant);
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(accessKey)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([202, ...Array(9).fill(400)]);
    const refused = await send(accessKey);
    expect(await refused.json()).toMatchObject({
      code: 'BAD_REQUEST',
      reason: 'INVALID_STATE_TRANSITION',
      detail: expect.stringContaining('PENDING_SEND'),
    });
    expect((await send('1'.repeat(49))).status).toBe(404);
  });

  describe('[R297] asking for the authorization', () => {
    it('authorize asks the SRI at once, whatever the schedule', async () => {
      const accessKey = await received();
      const response = await documents.get(`${accessKey}/authorize`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        ok: true,
        document: { status: 'AUTHORIZED', authorizationNumber: accessKey },
        sriResponse: { operationType: 'AUTHORIZATION', status: 'AUTORIZADO' },
      });
    });

    it('authorize does not ask the SRI about a settled document', async () => {
      const accessKey = await received();
      await documents.get(`${accessKey}/authorize`);
      const asked = server.simulator.journal.length;
      const response = await documents.get(`${accessKey}/authorize`);
      expect([response.status, await response.json()]).toMatchObject([
        200,
        { document: { status: 'AUTHORIZED' }, sriResponse: null },
      ]);
      expect(server.simulator.journal).toHaveLength(asked);
    });

    it('authorize leaves a document unchanged while the SRI still processes it', async () => {
      const accessKey = await received('SRI-NEVER');
      const response = await documents.get(`${accessKey}/authorize`);
      expect(await response.json()).toMatchObject({
        document: { status: 'RECEIVED', dispatch: { status: 'PENDING', attemptCount: 0, lastError: null } },
        sriResponse: { operationType: 'AUTHORIZATION', status: expect.stringMatching(/^(EN_PROCESO|SIN_RESPUESTA)$/) },
      });
    });

    it('authorize settles a document that the SRI refuses', async () => {
      const accessKey = await received('SRI-REFUSED-39');
      const response = await documents.get(`${accessKey}/authorize`);
      expect(await response.json()).toMatchObject({
        document: { status: 'NOT_AUTHORIZED' },
        sriResponse: { status: 'NO_AUTORIZADO', messages: [{ identifier: '39' }] },
      });
    });

    it('[R376] authorize answers 200 when the SRI fails', async () => {
      const accessKey = await received('SRI-AUTH-HTTP-503');
      const response = await documents.get(`${accessKey}/authorize`);
      expect([response.status, await response.json()]).toMatchObject([
        200,
        { document: { status: 'RECEIVED' }, sriResponse: { status: 'HTTP_503', messages: null } },
      ]);
      const events = await documents.events(accessKey);
      expect(events.at(-1)).toMatchObject({ eventType: 'ERROR', operation: 'AUTHORIZE' });
    });

    it.each([
      ['?wait=0', {}],
      ['', { prefer: 'respond-async' }],
      ['?wait=5', { prefer: 'handling=lenient, respond-async' }],
    ])('authorize with %s %j does not wait, and the check continues', async (query, headers) => {
      const accessKey = await received();
      const response = await documents.get(`${accessKey}/authorize${query}`, headers);
      expect(response.status).toBe(202);
      const body = (await response.json()) as Record<string, unknown>;
      expect(Object.keys(body)).toEqual(['ok', 'document']);
      await server.services.background.idle();
      expect(await documents.show(accessKey)).toMatchObject({ status: 'AUTHORIZED' });
    });

    it('authorize answers 202 when the check exceeds the wait', async () => {
      const accessKey = await received();
      server.simulator.script('authorization', { kind: 'silence' });
      const answer = whileTimePasses(documents.get(`${accessKey}/authorize?wait=2`));
      expect((await answer).status).toBe(202);
      await whileTimePasses(server.services.background.idle());
      expect((await responsesOf(accessKey))[0]?.operationType).toBe('AUTHORIZATION');
    });

    it.each(['wait=-1', 'wait=31', 'wait=x', 'wait=1&wait=2'])(
      'authorize with %s is a VALIDATION_FAILED',
      async (query) => {
        const response = await documents.get(`${'1'.repeat(49)}/authorize?${query}`);
        expect(await response.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'query:wait' }] });
      },
    );

    it('authorize refuses a document before its reception', async () => {
      const { accessKey } = await createDocument(server, tenant);
      for (const query of ['', '?wait=0']) {
        const response = await documents.get(`${accessKey}/authorize${query}`);
        expect(await response.json()).toMatchObject({
          status: 400,
          code: 'BAD_REQUEST',
          reason: 'INVALID_STATE_TRANSITION',
        });
      }
    });

    it('authorize does not ask the SRI for HEAD', async () => {
      const accessKey = await received();
      const asked = server.simulator.journal.length;
      const path = `/v1/documents/${accessKey}/authorize`;
      const response = await server.request(path, { method: 'HEAD', headers: tenant.headers });
      expect([response.status, await response.text()]).toEqual([200, '']);
      expect(server.simulator.journal).toHaveLength(asked);
    });
  });

  describe('[R300] files', () => {
    it('the XML is the signed XML until the document is authorized', async () => {
      const accessKey = await received();
      const before = await documents.get(`${accessKey}/xml`);
      expect(before.headers.get('content-type')).toBe('application/xml; charset=utf-8');
      expect(before.headers.get('content-disposition')).toBe(`attachment; filename="${accessKey}.xml"`);
      const signed = await before.text();
      expect(signed).toContain('<factura id="comprobante"');
      const missing = await documents.get(`${accessKey}/xml?variant=authorized`);
      expect(await missing.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      await documents.get(`${accessKey}/authorize`);
      expect(await (await documents.get(`${accessKey}/xml`)).text()).toContain('<autorizacion>');
      expect(await (await documents.get(`${accessKey}/xml?variant=signed`)).text()).toBe(signed);
      expect((await documents.get(`${accessKey}/xml?variant=both`)).status).toBe(400);
    });

    it('the RIDE is a PDF at every status, with an ETag that saves a repeated transfer', async () => {
      const { accessKey } = await createDocument(server, tenant);
      const response = await documents.get(`${accessKey}/ride`);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="RIDE-${accessKey}.pdf"`);
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      const etag = response.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
      const again = await documents.get(`${accessKey}/ride`, { 'if-none-match': `"other", W/${etag}` });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      await send(accessKey);
      await server.tick();
      await documents.get(`${accessKey}/authorize`);
      expect((await documents.get(`${accessKey}/ride`, { 'if-none-match': etag })).status).toBe(200);
    });

    it('an unknown key has no files, events, responses or authorization', async () => {
      for (const path of ['ride', 'xml', 'events', 'sri-responses', 'authorize']) {
        expect((await documents.get(`${'1'.repeat(49)}/${path}`)).status, path).toBe(404);
      }
    });
  });

  it('[R301] the history of a document is oldest first', async () => {
    const accessKey = await received();
    await documents.get(`${accessKey}/authorize`);
    const events = await documents.events(accessKey);
    expect(events.map(({ fromStatus, toStatus }) => [fromStatus, toStatus])).toEqual([
      [null, 'SIGNED'],
      ['SIGNED', 'PENDING_SEND'],
      ['PENDING_SEND', 'RECEIVED'],
      ['RECEIVED', 'AUTHORIZED'],
    ]);
    expect(events[0]).toEqual({
      id: expect.any(String),
      eventType: 'CREATED',
      fromStatus: null,
      toStatus: 'SIGNED',
      detail: { accessKey, sequential: expect.stringMatching(/^\d{9}$/) },
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(events[2]).toMatchObject({ eventType: 'SENT', detail: { sriStatus: 'RECIBIDA' } });
    const document = await documents.show(accessKey);
    expect(events[3]?.['detail']).toEqual({ authorizationNumber: document.authorizationNumber });
  });
});
