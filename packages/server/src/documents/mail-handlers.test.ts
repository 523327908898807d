import { afterAll, beforeAll, expect, it } from 'vitest';
import { listUnsentMails } from '../mail/index.js';
import { activeTenant } from '../testing/production-tenant.js';
import { openSmtpSink, type SmtpSink, type SunkMail } from '../testing/smtp-sink.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { createDocument, postJson, SIMPLE_INVOICE, sendJson, type TestTenant } from '../testing/test-tenant.js';
import { queueAuthorizationMail } from './queue-authorization-mail.js';
import { retryMail } from './retry-mail.js';

/** The first file of a mail with a given content type, decoded. */
function fileOf(mail: SunkMail | undefined, type: string): Buffer {
  const parts = mail?.content.split(/\r\n--[^\r\n]+(?:\r\n|$)/) ?? [];
  const part = parts.find((text) => text.startsWith(`Content-Type: ${type}`)) ?? '';
  return Buffer.from(part.slice(part.indexOf('\r\n\r\n')), 'base64');
}
const header = (mail: SunkMail | undefined, name: string) =>
  new RegExp(`^${name}: ((?:.|\r\n[ \t])*)`, 'm').exec(mail?.content ?? '')?.[1];

describeOnDatabases('the mail to the buyer', await databaseKinds(), (open) => {
  let sink: SmtpSink;
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  beforeAll(async () => {
    sink = await openSmtpSink();
    server = await open({
      settings: {
        SMTP_URL: sink.url.replace('//', '//yo:hunter2@'),
        SMTP_TIMEOUT: '1s',
        MAIL_FROM: 'Facturas <no@api.ec>',
      },
    });
    tenant = await activeTenant(server, { ruc: TEST_RUC });
    documents = documentsOf(server, tenant);
    await server.tick();
  });
  afterAll(() => sink.down());

  const authorized = async (at: TestServer = server, of: TestTenant = tenant, body: unknown = SIMPLE_INVOICE) => {
    const { accessKey } = await createDocument(at, of, body);
    await postJson(at, `/v1/documents/${accessKey}/send`, of.headers, {});
    await at.services.engine.tick();
    await at.clock.advance(3000);
    await at.services.engine.tick();
    return accessKey;
  };
  const mailOf = async (accessKey: string) => (await documents.show(accessKey)).email;
  const eventsOf = async (accessKey: string) =>
    (await documents.events(accessKey)).filter(({ eventType }) => eventType.startsWith('EMAIL'));
  const retry = (path: string, body?: unknown) =>
    sendJson(server, 'POST', `/v1/documents/${path}`, tenant.headers, body);

  it('[R105] [R039] the mail is sent once on authorization, with RIDE and XML', async () => {
    sink.mode = 'ok';
    sink.mails.length = 0;
    const accessKey = await authorized();
    expect(await mailOf(accessKey)).toEqual({ status: 'PENDING' });
    expect(sink.mails).toEqual([]);
    await server.tick();
    await server.tick();
    expect(sink.mails).toHaveLength(1);
    const [mail] = sink.mails;
    expect(mail?.recipients).toEqual(['RCPT TO:<maria@ejemplo.ec>']);
    expect(header(mail, 'From')).toContain('<no@api.ec>');
    expect(header(mail, 'To')).toContain('<maria@ejemplo.ec>');
    expect(header(mail, 'Subject')).toBeDefined();
    expect(mail?.content).toMatch(/001-002-00000000\d/);
    expect(fileOf(mail, 'application/pdf').subarray(0, 5).toString()).toBe('%PDF-');
    const xml = await server.request(`/v1/documents/${accessKey}/xml`, { headers: tenant.headers });
    expect(fileOf(mail, 'application/xml').toString('utf8')).toBe(await xml.text());
    expect(mail?.content).toContain(`RIDE-${accessKey}.pdf`);
    expect(await mailOf(accessKey)).toEqual({ status: 'SENT', sentAt: server.clock.now().toISOString() });
    const [event] = await eventsOf(accessKey);
    expect(event).toMatchObject({ eventType: 'EMAIL_SENT', detail: { recipient: 'maria@ejemplo.ec', attempt: 1 } });
    expect(header(mail, 'Message-ID')).toBe(`<${event?.detail?.['messageId']}@api.ec>`);
  });

  it.each([
    ['4xx', '451 4.3.0 try later'],
    ['5xx', '554 5.7.1 refused'],
    ['drop', 'El servidor de correo no respondió.'],
    ['noRecipient', /550 5\.1\.1 no such mailbox/],
    ['noLogin', 'El servidor de correo rechazó nuestras credenciales.'],
  ] as const)(
    'a mail server that answers %s is tried five times, and the document stays AUTHORIZED',
    async (mode, error) => {
      sink.mode = mode;
      // Older connections are logged in already.
      if (mode === 'noLogin') sink.hangUp();
      const accessKey = await authorized();
      const { email: _pending, ...document } = await documents.show(accessKey);
      for (const waitMs of [60_000, 300_000, 900_000, 3_600_000]) {
        expect(await server.tick()).toBe(1);
        expect(await mailOf(accessKey)).toEqual({ status: 'PENDING' });
        await server.clock.advance(waitMs - 1);
        expect(await server.tick()).toBe(0);
        await server.clock.advance(1);
      }
      expect(await server.tick()).toBe(1);
      const { email, ...after } = await documents.show(accessKey);
      expect(after).toEqual(document);
      expect(email).toEqual({
        status: 'FAILED',
        error: typeof error === 'string' ? error : expect.stringMatching(error),
      });
      expect(document.status).toBe('AUTHORIZED');
      const types = (await eventsOf(accessKey)).map(({ eventType }) => eventType);
      expect(types).toEqual([...Array(4).fill('EMAIL_TEMP_FAILED'), 'EMAIL_FAILED']);

      // On request, it is sent under the same Message-ID.
      sink.mode = 'ok';
      sink.mails.length = 0;
      const answer = (await (await retry(`${accessKey}/email-retry`)).json()) as { result: { messageId: string } };
      expect(answer).toMatchObject({ ok: true, result: { sent: true }, document: { email: { status: 'SENT' } } });
      expect(header(sink.mails[0], 'Message-ID')).toBe(`<${answer.result.messageId}@api.ec>`);
    },
  );

  it('a mail server that is down gets the mail once it is up', async () => {
    await sink.down();
    const accessKey = await authorized();
    expect(await server.tick()).toBe(1);
    expect(await documents.show(accessKey)).toMatchObject({ status: 'AUTHORIZED', email: { status: 'PENDING' } });
    const [event] = await eventsOf(accessKey);
    expect(event?.detail?.['message']).toBe('El servidor de correo no respondió.');
    await sink.up();
    sink.mode = 'ok';
    await server.tickAfter(60_000);
    expect(await mailOf(accessKey)).toMatchObject({ status: 'SENT' });
  });

  it('[R299] email-retry refuses unauthorized documents, repeats only by force, and sends copies', async () => {
    sink.mode = 'ok';
    const { accessKey: signed } = await createDocument(server, tenant);
    const refused = await retry(`${signed}/email-retry`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'BAD_REQUEST', reason: 'DOCUMENT_NOT_AUTHORIZED' });

    const accessKey = await authorized();
    await server.tick();
    sink.mails.length = 0;
    const again = await retry(`${accessKey}/email-retry`, {});
    expect(await again.json()).toMatchObject({ result: { sent: false, reason: 'already_sent' } });
    expect(sink.mails).toEqual([]);
    const limitOf = ({ headers }: Response) =>
      ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
    expect(limitOf(again)).toEqual(['5', '4', '3600']);
    const forced = await retry(`${accessKey}/email-retry?force=true`);
    expect(await forced.json()).toMatchObject({ ok: true, result: { sent: true } });
    const copy = await retry(`${accessKey}/email-retry`, { email: 'contadora@ejemplo.ec' });
    expect(await copy.json()).toMatchObject({ result: { sent: true } });
    expect(sink.mails.map(({ recipients }) => recipients.join())).toEqual([
      'RCPT TO:<maria@ejemplo.ec>',
      'RCPT TO:<contadora@ejemplo.ec>',
    ]);
    for (const email of ['a@b.ec\r\nBcc: c@d.ec', 'a@b.ec, c@d.ec', 'nadie', 7]) {
      expect((await retry(`${accessKey}/email-retry`, { email })).status).toBe(400);
    }
    expect((await retry(`${accessKey}/email-retry?force=1`)).status).toBe(400);
    await retry(`${accessKey}/email-retry?force=true`);
    await retry(`${accessKey}/email-retry?force=true`);
    const tooMany = await retry(`${accessKey}/email-retry?force=true`);
    expect(tooMany.status).toBe(429);
    expect(tooMany.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(limitOf(tooMany).slice(0, 2)).toEqual(['5', '0']);
    await server.clock.advance(3_600_000);
    expect((await retry(`${accessKey}/email-retry`)).status).toBe(200);
  });

  it('email-retry leaves a failed attempt to the schedule, and a failed repeat SENT', async () => {
    sink.mode = '4xx';
    const accessKey = await authorized();
    const answer = await retry(`${accessKey}/email-retry`);
    expect(await answer.json()).toMatchObject({ result: { sent: false, reason: 'queued' } });
    sink.mode = 'ok';
    await server.tickAfter(60_000);
    const sent = await mailOf(accessKey);
    expect(sent).toMatchObject({ status: 'SENT' });
    sink.mode = '5xx';
    await retry(`${accessKey}/email-retry?force=true`);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await server.tickAfter(3_600_000);
    }
    expect((await eventsOf(accessKey)).at(-1)).toMatchObject({ eventType: 'EMAIL_FAILED' });
    expect(await mailOf(accessKey)).toEqual(sent);
  });

  it('[R107] the mail with a voided document mentions that it is voided', async () => {
    sink.mode = 'ok';
    const accessKey = await authorized();
    const scope = { issuerId: tenant.issuerId, environment: 'sandbox' } as const;
    await server.services.engine.void(scope, accessKey, { confirmedSriVoid: true, reason: 'Error' });
    sink.mails.length = 0;
    const answer = await retry(`${accessKey}/email-retry`);
    expect(await answer.json()).toMatchObject({ result: { sent: true }, document: { status: 'VOIDED' } });
    expect(sink.mails[0]?.content).toContain('Este comprobante fue anulado.');
  });

  it('email-retry without a key tries all unsent mails of an issuer', async () => {
    sink.mode = '5xx';
    const keys = [await authorized(), await authorized()];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await server.tick();
      await server.clock.advance(3_600_000);
    }
    keys.push(await authorized());
    for (const key of keys.slice(0, 2)) expect(await mailOf(key)).toMatchObject({ status: 'FAILED' });
    sink.mode = 'ok';
    const answer = await retry('email-retry');
    expect(await answer.json()).toEqual({
      ok: true,
      result: { attempted: 3, sent: 3, succeeded: 3, failed: 0, queued: 0 },
    });
    for (const key of keys) expect(await mailOf(key)).toMatchObject({ status: 'SENT' });
    const none = await retry('email-retry');
    expect(await none.json()).toMatchObject({ result: { attempted: 0 } });
  });

  it('email-retry without a key skips a failed mail whose document was sent as a copy', async () => {
    sink.mode = '5xx';
    const [replaced, failed] = [await authorized(), await authorized()];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await server.tick();
      await server.clock.advance(3_600_000);
    }
    sink.mode = 'ok';
    await retry(`${replaced}/email-retry`, { email: 'contadora@ejemplo.ec' });
    expect(await mailOf(replaced)).toMatchObject({ status: 'SENT' });
    const scope = { issuerId: tenant.issuerId, environment: 'sandbox' } as const;
    const now = server.clock.now();
    const first = await server.services.database.read((tables) => listUnsentMails(tables, scope, { now, limit: 1 }));
    expect(first).toEqual([failed]);
  });

  it('the mail is skipped when mails to buyers are off, and sent on request', async () => {
    sink.mode = 'ok';
    const quiet = await open({ settings: { SMTP_URL: sink.url, MAIL_TO_BUYERS: 'off' } });
    const of = await activeTenant(quiet, { ruc: TEST_RUC });
    const accessKey = await authorized(quiet, of);
    await quiet.tick();
    const scope = { issuerId: of.issuerId, environment: 'sandbox' } as const;
    expect((await quiet.services.engine.get(scope, accessKey)).mail.status).toBe('SKIPPED');
    const events = await quiet.services.engine.events(scope, accessKey);
    expect(events.at(-1)?.eventType).toBe('EMAIL_SKIPPED');
    const answer = await postJson(quiet, `/v1/documents/${accessKey}/email-retry`, of.headers, {});
    expect(await answer.json()).toMatchObject({ result: { sent: true }, document: { email: { status: 'SENT' } } });
  });

  it.each([
    'Ana\r\nBcc: otra@ejemplo.ec',
    'Ana\nTo: otra@ejemplo.ec',
    'Ana <otra@ejemplo.ec>, Eva',
    '"; otra@ejemplo.ec',
    'Ñandú, 東京 \u{1f600} =?utf-8?q?=0D=0ABcc:_otra@ejemplo.ec?=',
  ])('the name %j of a buyer adds no recipient and no header', async (name) => {
    sink.mode = 'ok';
    sink.mails.length = 0;
    const buyer = { ...SIMPLE_INVOICE.buyer, name };
    const response = await postJson(server, '/v1/documents', tenant.headers, { ...SIMPLE_INVOICE, buyer });
    if (response.status === 400) return;
    await authorized(server, tenant, { ...SIMPLE_INVOICE, buyer });
    await server.tick();
    expect(sink.mails).toHaveLength(1);
    const [mail] = sink.mails;
    expect(mail?.recipients).toEqual(['RCPT TO:<maria@ejemplo.ec>']);
    const headers = mail?.content.slice(0, mail.content.indexOf('\r\n\r\n')) ?? '';
    expect(headers.match(/^(bcc|cc):/gim)).toBeNull();
    expect(headers.match(/^to:/gim)).toHaveLength(1);
  });

  it('the mail is not written for a counterparty without an address', async () => {
    const accessKey = await authorized();
    const { engine, database, outbox, clock } = server.services;
    const scope = { issuerId: tenant.issuerId, environment: 'sandbox' } as const;
    const stored = await engine.get(scope, accessKey);
    const document = {
      ...stored,
      id: outbox.newId(clock.now()),
      counterparty: { ...stored.counterparty, email: null },
    };
    const queued = await database.transaction(async (tables) => {
      await queueAuthorizationMail(tables, document, { newId: outbox.newId, now: clock.now() });
      return tables.selectFrom('jobs').select('id').where('document_id', '=', document.id).execute();
    });
    expect(queued).toEqual([]);
    const context = { tenant: { language: 'es' } } as Parameters<typeof retryMail>[1];
    expect(await retryMail(outbox, context, document, { email: null, force: true })).toEqual({});
  });
});
