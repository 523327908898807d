import { beforeAll, describe, expect, it } from 'vitest';
import { changeKeys, changeRows } from '../testing/change-rows.js';
import { ownAccount } from '../testing/own-account.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import {
  postJson,
  registerTenant,
  SIMPLE_CREDIT_NOTE,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';

const [item] = SIMPLE_INVOICE.items;
/** The simple invoice with its one line twice: 23 dollars. */
const CORRECTED = {
  ...SIMPLE_INVOICE,
  items: [item, { ...item, mainCode: 'A2' }],
  payments: [{ method: '01', total: '23.00' }],
};
const UNKNOWN_KEY = '1'.repeat(49);
const TRANSITION = { status: 400, code: 'BAD_REQUEST', reason: 'INVALID_STATE_TRANSITION' };

describeOnDatabases('correcting documents', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server, { ruc: TEST_RUC, documentTypes: '01,04' });
    documents = documentsOf(server, tenant);
  });

  const pause = (canIssue: number) => changeRows(server, 'issuers', { id: tenant.issuerId }, { can_issue: canIssue });

  describe('[R298] rebuilding', () => {
    const rebuild = (accessKey: string, body: unknown = CORRECTED, headers = {}) =>
      documents.post(`${accessKey}/rebuild`, body, headers);
    const payloadOf = async (accessKey: string) => (await documents.show(accessKey))['requestPayload'];
    const refusedWith = async (buyerId: string) => {
      const { accessKey } = await documents.create(SIMPLE_INVOICE, buyerId);
      await documents.send(accessKey);
      if (buyerId.startsWith('SRI-REFUSED')) await documents.get(`${accessKey}/authorize`);
      return documents.show(accessKey);
    };

    it.each([
      ['RETURNED', 'SRI-RETURNED-35'],
      ['NOT_AUTHORIZED', 'SRI-REFUSED-39'],
    ])('[R099] a %s document is corrected under its key, and then authorized', async (status, buyerId) => {
      const refused = await refusedWith(buyerId);
      expect(refused.status).toBe(status);
      const response = await rebuild(refused.accessKey);
      expect([response.status, await response.json()]).toEqual([
        200,
        {
          ok: true,
          document: {
            accessKey: refused.accessKey,
            documentType: '01',
            sequential: refused.sequential,
            status: 'SIGNED',
            issueDate: '21/11/2026',
            total: '23.00',
            counterparty: { role: 'BUYER', idType: '05', id: '1710034065', name: 'María Ñacata' },
            email: { status: 'PENDING' },
          },
        },
      ]);
      expect(await payloadOf(refused.accessKey)).toEqual(CORRECTED);
      expect((await documents.send(refused.accessKey)).status).toBe('RECEIVED');
      await documents.get(`${refused.accessKey}/authorize`);
      expect((await documents.show(refused.accessKey)).status).toBe('AUTHORIZED');
      expect(await documents.events(refused.accessKey)).toContainEqual(
        expect.objectContaining({ eventType: 'REBUILT', fromStatus: status, toStatus: 'SIGNED' }),
      );
    });

    it('a signed document can still be corrected, with or without its date', async () => {
      const { accessKey } = await documents.create();
      expect((await rebuild(accessKey, { ...CORRECTED, issueDate: '21/11/2026' })).status).toBe(200);
      expect(await documents.show(accessKey)).toMatchObject({ status: 'SIGNED', total: '23.00' });
    });

    it('a rebuild without a body signs the stored body again, with the current data of the issuer', async () => {
      const { accessKey } = await documents.create(CORRECTED);
      await changeRows(server, 'issuers', { id: tenant.issuerId }, { main_address: 'Calle Nueva' });
      const xml = async () => (await documents.get(`${accessKey}/xml`)).text();
      expect(await xml()).not.toContain('Calle Nueva');
      const response = await documents.postNothing(`${accessKey}/rebuild`);
      expect(await response.json()).toMatchObject({ ok: true, document: { accessKey, total: '23.00' } });
      expect(await xml()).toContain('Calle Nueva');
      expect(await payloadOf(accessKey)).toEqual(CORRECTED);
    });

    it('rebuilds are limited to 120 an hour, under either key of the document', async () => {
      const fresh = await open();
      const theirs = documentsOf(fresh, await registerTenant(fresh, { ruc: TEST_RUC }));
      const { accessKey } = await theirs.create();
      const again = () => theirs.postNothing(`${accessKey}/rebuild`);
      for (let times = 0; times < 120; times += 1) expect((await again()).status).toBe(200);
      const refused = await again();
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
      const { accessKey: other } = await theirs.create();
      expect((await theirs.postNothing(`${other}/rebuild`)).status).toBe(200);
      await fresh.clock.advance(3_600_000);
      expect((await again()).status).toBe(200);
      expect((await (await theirs.get(`${accessKey}/events`)).json()) as object).toMatchObject({ ok: true });
    });

    it('a rebuild on another day keeps the date; redate takes that day, and the old key still works', async () => {
      const late = await open({ now: '2026-11-21T15:00:00.000Z' });
      const other = await registerTenant(late, { ruc: TEST_RUC });
      const theirs = documentsOf(late, other);
      const { accessKey } = await theirs.create(SIMPLE_INVOICE, 'SRI-RETURNED-65');
      expect((await theirs.send(accessKey)).status).toBe('RETURNED');
      await late.clock.advance(2 * 24 * 60 * 60_000);
      const kept = await theirs.post(`${accessKey}/rebuild`, { ...CORRECTED, issueDate: '23/11/2026' });
      expect(await kept.json()).toMatchObject({ document: { accessKey, issueDate: '21/11/2026' } });
      const wrong = await theirs.post(`${accessKey}/rebuild`, { ...CORRECTED, issueDate: '22/11/2026' });
      expect(await wrong.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'issueDate' }] });
      const moved = await theirs.post(`${accessKey}/rebuild`, { redate: true });
      const { document } = (await moved.json()) as { document: { accessKey: string } };
      expect(document).toMatchObject({ issueDate: '23/11/2026', status: 'SIGNED', total: '23.00' });
      expect(document.accessKey).toMatch(/^23112026/);
      for (const key of [accessKey, document.accessKey]) {
        expect(await theirs.show(key)).toMatchObject({ accessKey: document.accessKey });
      }
    });

    it('resequence takes the next number, and requires the status RETURNED', async () => {
      const returned = await refusedWith('SRI-RETURNED-45');
      const last = await documents.create();
      const response = await rebuild(returned.accessKey, { ...CORRECTED, resequence: true });
      const { document } = (await response.json()) as { document: { accessKey: string; sequential: string } };
      expect(Number(document.sequential)).toBe(Number(last.sequential) + 1);
      expect(await documents.show(returned.accessKey)).toMatchObject({ accessKey: document.accessKey });
      expect(await payloadOf(document.accessKey)).toEqual(CORRECTED);
      const again = await rebuild(document.accessKey, { resequence: true });
      expect(await again.json()).toMatchObject(TRANSITION);
      expect(Number((await documents.create()).sequential)).toBe(Number(last.sequential) + 2);
    });

    it('a rebuild is refused from PENDING_SEND, RECEIVED, AUTHORIZED and VOIDED', async () => {
      const { accessKey } = await documents.create();
      const refused = async () => {
        expect(await (await rebuild(accessKey)).json()).toMatchObject(TRANSITION);
        expect(await (await documents.postNothing(`${accessKey}/rebuild`)).json()).toMatchObject(TRANSITION);
      };
      await documents.post(`${accessKey}/send`, {});
      await refused();
      await server.tick();
      await refused();
      await documents.get(`${accessKey}/authorize`);
      await refused();
      await documents.post(`${accessKey}/void`, { confirmedSriVoid: true, reason: 'Anulada' });
      await refused();
    });

    it('a rebuild cannot change the type', async () => {
      const { accessKey } = await documents.create();
      expect(await (await rebuild(accessKey, SIMPLE_CREDIT_NOTE)).json()).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        errors: [{ field: 'documentType', rule: 'sameType', message: 'No puede cambiar: el documento es de tipo 01.' }],
      });
    });

    it.each<[string, unknown, readonly string[]]>([
      [
        'no items',
        { ...CORRECTED, items: [], buyer: {} },
        ['buyer.idType', 'buyer.id', 'buyer.name', 'buyer.email', 'items'],
      ],
      ['a redate that is no boolean', { redate: 'yes', resequence: 1 }, ['redate', 'resequence']],
      ['a list', [], ['body']],
    ])(
      'a rebuild with %s is refused before the look-up of the document, and changes nothing',
      async (_name, body, fields) => {
        const { accessKey } = await documents.create();
        for (const key of [accessKey, UNKNOWN_KEY]) {
          const problem = (await (await rebuild(key, body)).json()) as { errors: { field: string }[] };
          expect(problem).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
          expect(problem.errors.map(({ field }) => field).toSorted()).toEqual([...fields].toSorted());
        }
        expect(await documents.show(accessKey)).toMatchObject({ total: '11.50', status: 'SIGNED' });
      },
    );

    it('a rebuild requires a declared JSON body and a known document', async () => {
      const { accessKey } = await documents.create();
      const init = { method: 'POST', headers: { ...tenant.headers, 'content-type': 'text/plain' }, body: '{}' };
      const response = await server.request(`/v1/documents/${accessKey}/rebuild`, init);
      expect(await response.json()).toMatchObject({ errors: [{ field: 'header:Content-Type' }] });
      expect((await rebuild(UNKNOWN_KEY)).status).toBe(404);
      expect((await documents.postNothing(`${UNKNOWN_KEY}/rebuild`)).status).toBe(404);
      expect((await rebuild('1')).status).toBe(400);
    });

    it('[R231] a rebuild is refused while the issuer is paused', async () => {
      const { accessKey } = await documents.create();
      await pause(0);
      for (const response of [await rebuild(accessKey), await documents.postNothing(`${accessKey}/rebuild`)]) {
        expect(await response.json()).toMatchObject({ status: 403, code: 'ISSUER_ISSUING_PAUSED' });
      }
      await pause(1);
    });

    it('[R224] [R225] an idempotency key stays with the first payload after a rebuild', async () => {
      const create = (body: unknown) =>
        postJson(server, '/v1/documents', { ...tenant.headers, 'idempotency-key': 'corregida' }, body);
      const { document } = (await (await create(SIMPLE_INVOICE)).json()) as { document: { accessKey: string } };
      await rebuild(document.accessKey);
      const replayed = await create(SIMPLE_INVOICE);
      expect([replayed.status, await replayed.json()]).toMatchObject([200, { document: { total: '23.00' } }]);
      expect((await create(CORRECTED)).status).toBe(409);
    });

    it('a rebuild returns warnings next to the document', async () => {
      const { accessKey } = await documents.create();
      const body = { ...CORRECTED, payments: [{ method: '01', total: '1.00' }] };
      const response = await rebuild(accessKey, body, { 'accept-language': 'en' });
      expect(await response.json()).toMatchObject({ warnings: [{ code: 'PAYMENTS_MISMATCH' }] });
    });
  });

  describe('voiding a document', () => {
    const annul = (accessKey: string, body: unknown = { confirmedSriVoid: true, reason: 'Error de digitación' }) =>
      documents.post(`${accessKey}/void`, body);

    it('[R044] [R106] [R257] [R261] a void marks an authorized document without a request to the SRI', async () => {
      const { accessKey, sequential } = await documents.authorized();
      const asked = server.simulator.journal.length;
      const response = await annul(accessKey, { confirmedSriVoid: true, reason: '  Error de\ndigitación ' });
      expect([response.status, await response.json()]).toEqual([
        200,
        {
          ok: true,
          document: {
            accessKey,
            documentType: '01',
            sequential,
            status: 'VOIDED',
            issueDate: '21/11/2026',
            total: '11.50',
            authorizationNumber: accessKey,
            authorizationDate: expect.stringMatching(/[+-]\d\d:\d\d$/),
            email: expect.objectContaining({ status: expect.any(String) }),
            counterparty: { role: 'BUYER', idType: '05', id: '1710034065', name: 'María Ñacata' },
            buyer: { id: '1710034065', idType: '05', name: 'María Ñacata', email: 'maria@ejemplo.ec' },
            voidReason: 'Error de\ndigitación',
            voidedAt: server.clock.now().toISOString(),
          },
        },
      ]);
      expect(server.simulator.journal).toHaveLength(asked);
      const shown = await documents.show(accessKey);
      for (const field of ['buyer', 'voidReason', 'voidedAt']) expect(shown).not.toHaveProperty(field);
      expect((await documents.events(accessKey)).at(-1)).toMatchObject({
        eventType: 'VOIDED',
        fromStatus: 'AUTHORIZED',
        toStatus: 'VOIDED',
        detail: { reason: 'Error de\ndigitación' },
      });
    });

    it('[R107] [R108] a voided document keeps RIDE, XML and mail state, and still counts', async () => {
      const count = async () => (await ownAccount(server, tenant))['documentCount'];
      const { accessKey } = await documents.authorized();
      const [xml, counted] = [await (await documents.get(`${accessKey}/xml`)).text(), await count()];
      await annul(accessKey);
      expect(await (await documents.get(`${accessKey}/xml`)).text()).toBe(xml);
      expect((await documents.get(`${accessKey}/ride`)).status).toBe(200);
      expect(await documents.show(accessKey)).toMatchObject({
        status: 'VOIDED',
        email: { status: expect.any(String) },
      });
      expect(await count()).toBe(counted);
    });

    it('[R109] [R260] a void is final, and succeeds once of many concurrent requests', async () => {
      const { accessKey } = await documents.authorized();
      const responses = await Promise.all(Array.from({ length: 8 }, () => annul(accessKey)));
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)]);
      expect(await (await annul(accessKey)).json()).toMatchObject({ status: 400, code: 'DOCUMENT_NOT_AUTHORIZED' });
      for (const path of ['send', 'send/retry', 'rebuild']) {
        expect((await documents.post(`${accessKey}/${path}`, CORRECTED)).status, path).toBeGreaterThanOrEqual(400);
      }
      await server.tick();
      expect((await documents.show(accessKey)).status).toBe('VOIDED');
    });

    it('[R110] [R260] a void requires an authorized document', async () => {
      const { accessKey } = await documents.create();
      const refused = async (key: string) =>
        expect(await (await annul(key)).json()).toMatchObject({ status: 400, code: 'DOCUMENT_NOT_AUTHORIZED' });
      await refused(accessKey);
      await documents.post(`${accessKey}/send`, {});
      await refused(accessKey);
      await server.tick();
      await refused(accessKey);
      const returned = await documents.create(SIMPLE_INVOICE, 'SRI-RETURNED-35');
      await documents.send(returned.accessKey);
      await refused(returned.accessKey);
      const unauthorized = await documents.create(SIMPLE_INVOICE, 'SRI-REFUSED-39');
      await documents.send(unauthorized.accessKey);
      await documents.get(`${unauthorized.accessKey}/authorize`);
      await refused(unauthorized.accessKey);
    });

    it('[R259] a void checks the confirmation before the status', async () => {
      const signed = await documents.create();
      const authorized = await documents.authorized();
      for (const { accessKey } of [signed, authorized]) {
        const response = await annul(accessKey, { confirmedSriVoid: false, reason: 'x' });
        expect(await response.json()).toMatchObject({ status: 400, code: 'DOCUMENT_VOID_CONFIRMATION_REQUIRED' });
      }
      expect((await documents.show(authorized.accessKey)).status).toBe('AUTHORIZED');
    });

    it.each<[string, unknown, readonly string[]]>([
      ['nothing', {}, ['confirmedSriVoid', 'reason']],
      ['a confirmation as text', { confirmedSriVoid: 'true', reason: 'x' }, ['confirmedSriVoid']],
      ['a confirmation as number', { confirmedSriVoid: 1, reason: 'x' }, ['confirmedSriVoid']],
      ['no confirmation', { confirmedSriVoid: null, reason: 'x' }, ['confirmedSriVoid']],
      ['no reason', { confirmedSriVoid: true }, ['reason']],
      ['a blank reason', { confirmedSriVoid: true, reason: ' \n ' }, ['reason']],
      ['a reason of 501', { confirmedSriVoid: true, reason: '🦙'.repeat(501) }, ['reason']],
      ['a reason as number', { confirmedSriVoid: false, reason: 7 }, ['reason']],
      ['a reason with NUL', { confirmedSriVoid: true, reason: 'a\0b' }, ['reason']],
      ['half a character', { confirmedSriVoid: true, reason: 'a\ud83e' }, ['reason']],
    ])(
      '[R258] a void with %s is a VALIDATION_FAILED, whether or not the document exists',
      async (_name, body, fields) => {
        const response = await annul(UNKNOWN_KEY, body);
        const problem = (await response.json()) as { errors: { field: string; message: string }[] };
        expect(problem).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
        expect(problem.errors.map(({ field }) => field)).toEqual(fields);
        for (const { message } of problem.errors) expect(message).toMatch(/^[A-ZÉ].*\.$/);
      },
    );

    it('[R258] [R261] the reason of a void may have 500 characters', async () => {
      const { accessKey } = await documents.authorized();
      const reason = 'ñ🦙'.repeat(250);
      const response = await annul(accessKey, { confirmedSriVoid: true, reason: ` ${reason} ` });
      expect(await response.json()).toMatchObject({ document: { voidReason: reason } });
    });

    it('[R262] [R256] a void requires the account of the issuer, and a key that may write', async () => {
      const { accessKey } = await documents.authorized();
      const other = await registerTenant(server);
      const body = { confirmedSriVoid: true, reason: 'x' };
      const foreign = await documents.post(`${accessKey}/void`, body, other.auth);
      expect(await foreign.json()).toMatchObject({ status: 403, code: 'FORBIDDEN', reason: 'ISSUER_FORBIDDEN' });
      const theirs = await postJson(server, `/v1/documents/${accessKey}/void`, other.headers, body);
      expect(await theirs.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      await changeKeys(server, other, { scopes: '["documents:read"]' });
      const readOnly = await postJson(server, `/v1/documents/${accessKey}/void`, other.headers, body);
      expect(await readOnly.json()).toMatchObject({ status: 403, code: 'FORBIDDEN', requiredScope: 'documents:write' });
      expect((await documents.show(accessKey)).status).toBe('AUTHORIZED');
    });
  });

  it('[R039] the state of the mail has its time once the mail is sent', async () => {
    const { accessKey } = await documents.create();
    expect(await documents.show(accessKey)).toMatchObject({ email: { status: 'PENDING' } });
    const sentAt = new Date('2026-11-21T15:00:05.000Z');
    await changeRows(
      server,
      'sri_documents',
      { access_key: accessKey },
      { mail_status: 'DELIVERED', mail_sent_at: sentAt.getTime() },
    );
    const { email } = await documents.show(accessKey);
    expect(email).toEqual({ status: 'DELIVERED', sentAt: sentAt.toISOString() });
  });
});
