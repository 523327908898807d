import { beforeAll, describe, expect, it } from 'vitest';
import { readRow, readRows } from '../testing/change-rows.js';
import { ownAccount, ownHistory } from '../testing/own-account.js';
import { activeTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { sendMailNow } from './outbox-worker.js';

const SECRET = 's'.repeat(32);
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

describeOnDatabases('reports of the mail provider', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  beforeAll(async () => {
    server = await open({ settings: { INTERNAL_SERVICE_SECRET: SECRET } });
    tenant = await activeTenant(server, { ruc: TEST_RUC });
    documents = documentsOf(server, tenant);
    await server.tick();
  });

  const send = (body: unknown, headers: Record<string, string> = { 'x-internal-service-secret': SECRET }) =>
    postJson(server, '/v1/internal/email-events', headers, body);
  /** Reports an event, a minute after the event before. */
  async function report(messageId: string, event: string): Promise<void> {
    await server.clock.advance(60_000);
    const response = await send({ messageId, event });
    expect([response.status, await response.text()]).toEqual([204, '']);
  }
  async function mailed(): Promise<{ accessKey: string; messageId: string; sentAt: string }> {
    const { accessKey } = await documents.authorized();
    await server.tick();
    const [row] = await rows(accessKey);
    return { accessKey, messageId: row?.id ?? '', sentAt: server.clock.now().toISOString() };
  }
  const rows = (accessKey: string) => readRows(server, 'jobs', { access_key: accessKey });
  const shown = async (accessKey: string) => (await documents.show(accessKey))['email'];
  async function history(accessKey: string): Promise<readonly { eventType: string; detail: unknown }[]> {
    return (await documents.events(accessKey)).filter(({ eventType }) => /^EMAIL_(?!SENT)/.test(eventType));
  }
  const types = async (accessKey: string) => (await history(accessKey)).map(({ eventType }) => eventType);
  const accountHistory = async (of: TestTenant) =>
    (await ownHistory(server, of)).filter(({ eventType }) => eventType.startsWith('VERIFICATION'));

  describe('the mail with a document', () => {
    it('a report of delivery makes the mail DELIVERED, and keeps its time of sending', async () => {
      const { accessKey, messageId, sentAt } = await mailed();
      const { email: _sent, ...before } = await documents.show(accessKey);
      await report(messageId, 'delivered');
      const { email, ...after } = await documents.show(accessKey);
      expect(email).toEqual({ status: 'DELIVERED', sentAt });
      expect(after).toEqual(before);
      expect(await history(accessKey)).toEqual([
        expect.objectContaining({
          eventType: 'EMAIL_DELIVERED',
          fromStatus: null,
          toStatus: null,
          detail: { messageId, recipient: 'maria@ejemplo.ec' },
        }),
      ]);
    });

    it('a deferred mail stays SENT, and a repeated report is not recorded', async () => {
      const { accessKey, messageId, sentAt } = await mailed();
      await report(messageId, 'deferred');
      await report(messageId, 'deferred');
      expect(await shown(accessKey)).toEqual({ status: 'SENT', sentAt });
      expect(await history(accessKey)).toEqual([
        expect.objectContaining({
          eventType: 'EMAIL_TEMP_FAILED',
          detail: { messageId, recipient: 'maria@ejemplo.ec', willRetry: true, message: expect.any(String) },
        }),
      ]);
    });

    it('a bounced mail becomes FAILED, and can be sent again', async () => {
      const { accessKey, messageId } = await mailed();
      await report(messageId, 'bounced');
      const failed = await shown(accessKey);
      expect(failed).toEqual({ status: 'FAILED', error: 'El correo volvió: el destinatario no lo recibe.' });
      expect(await history(accessKey)).toEqual([
        expect.objectContaining({
          eventType: 'EMAIL_FAILED',
          detail: { messageId, recipient: 'maria@ejemplo.ec', willRetry: false, message: expect.any(String) },
        }),
      ]);
      expect((await documents.show(accessKey)).status).toBe('AUTHORIZED');
      const all = await documents.postNothing('email-retry');
      expect(await all.json()).toEqual({
        ok: true,
        result: { attempted: 1, succeeded: 1, failed: 0, queued: 0, sent: 1 },
      });
      expect(await shown(accessKey)).toMatchObject({ status: 'SENT' });
      // Reports of the repeat are counted separately.
      await report(messageId, 'delivered');
      expect(await shown(accessKey)).toMatchObject({ status: 'DELIVERED' });
      await report(messageId, 'bounced');
      const one = await documents.postNothing(`${accessKey}/email-retry`);
      expect(await one.json()).toMatchObject({ result: { sent: true }, document: { email: { status: 'SENT' } } });
    });

    it('a complaint makes the mail COMPLAINED, and only force sends it again', async () => {
      const { accessKey, messageId, sentAt } = await mailed();
      await report(messageId, 'complained');
      expect(await shown(accessKey)).toEqual({ status: 'COMPLAINED', sentAt });
      expect(await types(accessKey)).toEqual(['EMAIL_COMPLAINED']);
      const again = await documents.postNothing(`${accessKey}/email-retry`);
      expect(await again.json()).toMatchObject({ result: { sent: false, reason: 'already_sent' } });
      const forced = await documents.postNothing(`${accessKey}/email-retry?force=true`);
      expect(await forced.json()).toMatchObject({ result: { sent: true }, document: { email: { status: 'SENT' } } });
    });

    it.each([
      { order: ['delivered', 'delivered'], status: 'DELIVERED', reported: ['DELIVERED'] },
      { order: ['delivered', 'deferred'], status: 'DELIVERED', reported: ['DELIVERED'] },
      { order: ['deferred', 'delivered'], status: 'DELIVERED', reported: ['TEMP_FAILED', 'DELIVERED'] },
      { order: ['complained', 'delivered'], status: 'COMPLAINED', reported: ['COMPLAINED', 'DELIVERED'] },
      { order: ['delivered', 'complained'], status: 'COMPLAINED', reported: ['DELIVERED', 'COMPLAINED'] },
      { order: ['delivered', 'bounced'], status: 'FAILED', reported: ['DELIVERED', 'FAILED'] },
      { order: ['bounced', 'delivered'], status: 'FAILED', reported: ['FAILED', 'DELIVERED'] },
      {
        order: ['bounced', 'complained', 'delivered'],
        status: 'COMPLAINED',
        reported: ['FAILED', 'COMPLAINED', 'DELIVERED'],
      },
      { order: ['complained', 'bounced'], status: 'COMPLAINED', reported: ['COMPLAINED', 'FAILED'] },
      { order: ['complained', 'deferred', 'complained'], status: 'COMPLAINED', reported: ['COMPLAINED'] },
    ])('the reports $order result in $status, each recorded once', async ({ order, status, reported }) => {
      const { accessKey, messageId } = await mailed();
      for (const event of order) await report(messageId, event);
      const settled = await shown(accessKey);
      expect(settled).toMatchObject({ status });
      const expected = reported.map((ending) => `EMAIL_${ending}`);
      expect(await types(accessKey)).toEqual(expected);
      for (const event of order) await report(messageId, event);
      expect(await shown(accessKey)).toEqual(settled);
      expect(await types(accessKey)).toEqual(expected);
    });

    it('ten concurrent equal reports are recorded once', async () => {
      const { accessKey, messageId } = await mailed();
      const answers = await Promise.all(Array.from({ length: 10 }, () => send({ messageId, event: 'delivered' })));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204));
      expect(await types(accessKey)).toEqual(['EMAIL_DELIVERED']);
    });

    it('a report on a copy is recorded, and does not change the mail to the buyer', async () => {
      const { accessKey, sentAt } = await mailed();
      const answer = await documents.post(`${accessKey}/email-retry`, { email: 'contadora@ejemplo.ec' });
      const { result } = (await answer.json()) as { result: { messageId: string } };
      await report(result.messageId, 'bounced');
      expect(await shown(accessKey)).toEqual({ status: 'SENT', sentAt });
      expect(await history(accessKey)).toEqual([
        expect.objectContaining({
          eventType: 'EMAIL_FAILED',
          detail: expect.objectContaining({ recipient: 'contadora@ejemplo.ec' }),
        }),
      ]);
    });

    it('the own result of the server does not overwrite an earlier report', async () => {
      const { accessKey } = await documents.authorized();
      const [row] = await rows(accessKey);
      const messageId = row?.id ?? '';
      const { outbox } = server.services;
      const transport = { send: () => report(messageId, 'delivered'), close: () => {} };
      expect(await sendMailNow({ ...outbox, transport }, messageId)).toBe(true);
      expect(await shown(accessKey)).toMatchObject({ status: 'DELIVERED', sentAt: expect.any(String) });
      expect(await rows(accessKey)).toEqual([expect.objectContaining({ status: 'SENT', reports: 'delivered' })]);
    });

    it('a report of deferral does not change the own result of the server', async () => {
      const { accessKey } = await documents.authorized();
      const messageId = (await rows(accessKey))[0]?.id ?? '';
      const transport = { send: () => report(messageId, 'deferred'), close: () => {} };
      expect(await sendMailNow({ ...server.services.outbox, transport }, messageId)).toBe(true);
      expect(await shown(accessKey)).toMatchObject({ status: 'SENT', sentAt: expect.any(String) });
    });

    it.each([
      ['delivered', 'DELIVERED'],
      ['complained', 'COMPLAINED'],
    ])('a report of %s before the mail server falls silent counts the mail as sent', async (event, status) => {
      const { accessKey } = await documents.authorized();
      const [row] = await rows(accessKey);
      const messageId = row?.id ?? '';
      const send = () => report(messageId, event).then(() => Promise.reject(new Error('silence')));
      const parts = { ...server.services.outbox, transport: { send, close: () => {} } };
      expect(await sendMailNow(parts, messageId)).toBe(true);
      expect(await rows(accessKey)).toEqual([expect.objectContaining({ status: 'SENT', last_error: null })]);
      expect(await shown(accessKey)).toMatchObject({ status });
      expect(await types(accessKey)).toEqual([`EMAIL_${status}`]);
    });

    it.each([
      { event: 'delivered', outbox: 'SENT', email: 'DELIVERED' },
      { event: 'bounced', outbox: 'FAILED', email: 'FAILED' },
    ])('a report of $event after a lost commit ends the attempts', async ({ event, outbox, email }) => {
      const { accessKey } = await documents.authorized();
      const [row] = await rows(accessKey);
      await report(row?.id ?? '', event);
      expect(await rows(accessKey)).toEqual([expect.objectContaining({ status: outbox })]);
      expect(await shown(accessKey)).toMatchObject({ status: email });
      const before = (await server.mails()).length;
      await server.tick();
      expect(await server.mails()).toHaveLength(before);
    });
  });

  describe('the mail that verifies an account', () => {
    it.each([
      ['delivered', 'DELIVERED', {}],
      ['deferred', 'TEMP_FAILED', { willRetry: true, message: expect.any(String) }],
      ['bounced', 'FAILED', { attempt: 1, willRetry: false, message: expect.any(String) }],
      ['complained', 'COMPLAINED', {}],
    ])('[R327] a report of %s is recorded once as VERIFICATION_EMAIL_%s', async (event, ending, detail) => {
      const account = await registerTenant(server);
      await server.tick();
      const [sent] = await accountHistory(account);
      const { messageId } = (sent?.detail ?? {}) as { messageId: string };
      expect(sent).toMatchObject({ eventType: 'VERIFICATION_EMAIL_SENT', detail: { messageId } });
      await report(messageId, event);
      await report(messageId, event);
      expect((await accountHistory(account)).slice(1)).toEqual([
        expect.objectContaining({ eventType: `VERIFICATION_EMAIL_${ending}`, detail: { messageId, ...detail } }),
      ]);
      expect(await ownAccount(server, account)).toMatchObject({ status: 'PENDING_VERIFICATION' });
    });

    it.each(['delivered', 'bounced'])(
      'a report of %s before the own result wipes the link of the verification mail',
      async (event) => {
        const { tenantId } = await registerTenant(server);
        const read = () => readRow(server, 'jobs', { tenant_id: tenantId }, ['id', 'sealed_token']);
        const { id, sealed_token: sealed } = await read();
        expect(sealed).not.toBeNull();
        await report(id, event);
        expect((await read()).sealed_token).toBeNull();
      },
    );
  });

  it('a report names its mail by the id or the whole Message-ID', async () => {
    const { accessKey, messageId } = await mailed();
    const forms = [`<${messageId}@api.ec>`, `${messageId}@api.ec`, ` ${messageId.toUpperCase()} `, `<${messageId}>`];
    for (const form of forms) await report(form, 'delivered');
    expect(await types(accessKey)).toEqual(['EMAIL_DELIVERED']);
  });

  it('a report on an unknown mail returns 404', async () => {
    const response = await send({ messageId: UNKNOWN_ID, event: 'delivered' });
    expect(await response.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  it('a report is accepted from the web application only', async () => {
    const { accessKey, messageId } = await mailed();
    const body = { messageId, event: 'complained' };
    for (const headers of [
      {},
      { 'x-internal-service-secret': '' },
      { 'x-internal-service-secret': `${SECRET}x` },
      { ...tenant.headers },
      { ...tenant.headers, 'x-internal-service-secret': 'wrong' },
    ]) {
      const response = await send(body, headers);
      expect(await response.json()).toMatchObject({ status: 403, code: 'INTERNAL_SERVICE_ONLY' });
    }
    expect(await types(accessKey)).toEqual([]);
  });

  it.each([
    [{}, ['messageId required', 'event required']],
    [{ messageId: null, event: null }, ['messageId required', 'event required']],
    [{ messageId: 'x', event: 'delivered' }, ['messageId uuid']],
    [{ messageId: '<a@b@c>', event: 'opened' }, ['messageId uuid', 'event choice']],
    [{ messageId: 7, event: ['delivered'] }, ['messageId uuid', 'event choice']],
    [{ messageId: { $ne: '' }, event: 'DELIVERED' }, ['messageId uuid', 'event choice']],
    [{ messageId: `<${UNKNOWN_ID}@a>\r\n`.repeat(2), event: '__proto__' }, ['messageId uuid', 'event choice']],
    [[], ['body object']],
  ])('the report %j returns every wrong field', async (body, reported) => {
    const response = await send(body);
    const problem = (await response.json()) as { errors: { field: string; rule: string }[] };
    expect(problem).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect(problem.errors.map(({ field, rule }) => `${field} ${rule}`)).toEqual(reported);
  });
});
