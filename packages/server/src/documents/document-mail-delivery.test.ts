import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sendDueMails } from '../mail/mail-worker.js';
import type { OutboxWorkerDeps } from '../mail/outbox-worker.js';
import { TEST_PNG } from '../testing/billing-suite.js';
import { readRows } from '../testing/change-rows.js';
import { type ParsedPart, parseMail, partOf } from '../testing/parse-mail.js';
import { activeTenant } from '../testing/production-tenant.js';
import { openSmtpSink, type SmtpSink } from '../testing/smtp-sink.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { type ShownDocument, SIMPLE_INVOICE, sendJson, type TestTenant } from '../testing/test-tenant.js';

describeOnDatabases('the delivery of the mail to the buyer', await databaseKinds(), (open) => {
  let sink: SmtpSink;
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  beforeAll(async () => {
    sink = await openSmtpSink();
    server = await open({ settings: { SMTP_URL: sink.url, SMTP_TIMEOUT: '60s', MAIL_FROM: 'Facturas <no@api.ec>' } });
    tenant = await activeTenant(server, { ruc: TEST_RUC, language: 'en', email: 'owner@ejemplo.ec' });
    documents = documentsOf(server, tenant);
    await server.tick();
    sink.mails.length = 0;
    return () => sink.down();
  });
  afterEach(async () => {
    sink.mode = 'ok';
    sink.modeByRecipient.clear();
    sink.release();
    await server.services.background.idle();
    await server.tick();
    sink.mails.length = 0;
  });

  const mails = (): ParsedPart[] => sink.mails.map(({ content }) => parseMail(content));
  /** An authorized document whose mail was not attempted yet. */
  async function authorized(body: object = SIMPLE_INVOICE): Promise<ShownDocument> {
    const { accessKey } = await documents.create(body);
    await documents.post(`${accessKey}/send`, {});
    await server.services.engine.tick();
    await documents.get(`${accessKey}/authorize`);
    return documents.show(accessKey);
  }
  const outboxOf = (accessKey: string) => readRows(server, 'jobs', { access_key: accessKey });
  async function mailEvents(accessKey: string): Promise<readonly string[]> {
    return (await documents.events(accessKey))
      .map(({ eventType }) => eventType)
      .filter((type) => type.startsWith('EMAIL'));
  }

  it('[R105] [R136] the mail is in the language of the account, with the current files', async () => {
    const buyer = { ...SIMPLE_INVOICE.buyer, name: 'Ñandú & Hijos <S.A.> 東京', email: 'buyer@ejemplo.ec' };
    const { accessKey, sequential } = await authorized({ ...SIMPLE_INVOICE, buyer });
    await server.tick();
    const [mail] = mails();
    expect(sink.mails[0]?.recipients).toEqual(['RCPT TO:<buyer@ejemplo.ec>']);
    expect(mail?.headers.get('subject')).toBe(
      `[PRUEBAS (test), not valid] Invoice 001-002-${sequential} from Comercial Ñandú & Hijos S.A.`,
    );
    expect(mail?.headers.get('to')).toBe(`${buyer.name} <buyer@ejemplo.ec>`);
    expect(mail?.headers.get('reply-to')).toContain('<owner@ejemplo.ec>');
    const text = (mail && partOf(mail, 'text/plain'))?.content.toString('utf8') ?? '';
    expect(text).toContain(`Hello, ${buyer.name},`);
    expect(text).toContain('PRUEBAS (test), without fiscal validity: this document is a rehearsal.');
    for (const line of [`Invoice: 001-002-${sequential}`, 'Issue date: November 21, 2026', 'Total: $11.50']) {
      expect(text).toContain(line);
    }
    expect(text).toContain(`Access key: ${accessKey}`);
    const html = (mail && partOf(mail, 'text/html'))?.content.toString('utf8') ?? '';
    expect(html).toContain('<html lang="en">');
    expect(html).not.toContain('<S.A.>');
    const xml = mail && partOf(mail, 'application/xml');
    expect(xml?.filename).toBe(`${accessKey}.xml`);
    const file = await documents.get(`${accessKey}/xml?variant=authorized`);
    expect(xml?.content.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
    const pdf = mail && partOf(mail, 'application/pdf');
    expect(pdf?.filename).toBe(`RIDE-${accessKey}.pdf`);
    const ride = await documents.get(`${accessKey}/ride`);
    expect(pdf?.content.equals(Buffer.from(await ride.arrayBuffer()))).toBe(true);
    expect(mail && partOf(mail, 'image/png')).toBeNull();
  });

  it('the mail names the company instead of a trade name with an address, and greets no address', async () => {
    const rename = (tradeName: string | null) =>
      sendJson(server, 'PATCH', `/v1/issuers/${tenant.issuerId}`, tenant.headers, { tradeName });
    expect((await rename('@CaféAndino')).status).toBe(200);
    const { sequential } = await authorized({ ...SIMPLE_INVOICE, buyer: { ...SIMPLE_INVOICE.buyer, name: '@maria' } });
    await server.tick();
    await rename(null);
    const [mail] = mails();
    expect(mail?.headers.get('subject')).toContain(`Invoice 001-002-${sequential} from Comercial Ñandú & Hijos S.A.`);
    expect((mail && partOf(mail, 'text/plain'))?.content.toString('utf8')).toMatch(/^Hello,\r?$/m);
  });

  it('the mail shows the logo of the issuer as one of its parts', async () => {
    const logo = { logo: TEST_PNG.toString('base64') };
    const path = `/v1/issuers/${tenant.issuerId}/logo`;
    const change = (body: object) => sendJson(server, 'PATCH', path, tenant.headers, body);
    const stored = await change(logo);
    expect(stored.status, await stored.text()).toBe(200);
    await authorized();
    await server.tick();
    await change({ logo: null });
    const [mail] = mails();
    const picture = mail && partOf(mail, 'image/png');
    expect(picture?.headers.get('content-id')).toBe('<logo>');
    expect(picture?.content.subarray(1, 4).toString()).toBe('PNG');
    expect((mail && partOf(mail, 'text/html'))?.content.toString()).toContain('<img src="cid:logo"');
  });

  describe('a mail whose result is lost after the mail server accepted it', () => {
    it('a mail with a lost result is sent again under the same Message-ID, and ends SENT once', async () => {
      const { accessKey } = await authorized();
      const { database, outbox } = server.services;
      let failures = 1;
      const failing: OutboxWorkerDeps = {
        ...outbox,
        database: {
          ...database,
          changeDocument: (change, also) =>
            database.changeDocument(change, async (tables) => {
              await also(tables);
              if (failures-- > 0) throw new Error('killed');
            }),
        },
      };
      expect(await sendDueMails(failing)).toBe(1);
      expect(sink.mails).toHaveLength(1);
      expect((await documents.show(accessKey))['email']).toEqual({ status: 'PENDING' });
      expect(await mailEvents(accessKey)).toEqual([]);

      expect(await sendDueMails(failing)).toBe(0);
      await server.clock.advance(outbox.leaseMs);
      expect(await sendDueMails(failing)).toBe(1);
      expect(await sendDueMails(failing)).toBe(0);
      const ids = mails().map(({ headers }) => headers.get('message-id'));
      const [row] = await outboxOf(accessKey);
      expect(ids).toEqual([`<${row?.id}@api.ec>`, `<${row?.id}@api.ec>`]);
      expect(row).toMatchObject({ status: 'SENT', attempt_count: 1 });
      expect(await documents.show(accessKey)).toMatchObject({ status: 'AUTHORIZED', email: { status: 'SENT' } });
      expect(await mailEvents(accessKey)).toEqual(['EMAIL_SENT']);
    });
  });

  it('the mail is queued in the commit of the authorization, and rolled back with it', async () => {
    const { accessKey } = await documents.create();
    const { database, engine, clock } = server.services;
    const scope = { issuerId: tenant.issuerId, environment: 'sandbox' } as const;
    const document = await engine.get(scope, accessKey);
    const at = clock.now();
    const change = { document, set: { status: 'AUTHORIZED' as const }, events: [], responses: [], at };
    const undone = database.changeDocument(change, () => Promise.reject(new Error('no space left')));
    await expect(undone).rejects.toThrow('no space left');
    expect(await outboxOf(accessKey)).toEqual([]);
    expect((await documents.show(accessKey)).status).toBe('SIGNED');
    expect(await database.changeDocument({ ...change }, async () => {})).toBe('applied');
    expect(await outboxOf(accessKey)).toEqual([expect.objectContaining({ status: 'PENDING', attempt_count: 0 })]);
    await database.transaction((tables) =>
      tables.updateTable('jobs').set({ status: 'SKIPPED' }).where('access_key', '=', accessKey).execute(),
    );
  });

  it('email-retry waits 10 seconds for a mail, which continues after the answer', async () => {
    const { accessKey } = await authorized();
    sink.mode = 'hang';
    let answered = false;
    const asked = documents.postNothing(`${accessKey}/email-retry`).then((response) => {
      answered = true;
      return response;
    });
    await vi.waitFor(() => expect(sink.waiting).toBe(1), { timeout: 10_000 });
    await server.clock.advance(9_999);
    expect(answered).toBe(false);
    await server.clock.advance(1);
    const [row] = await outboxOf(accessKey);
    expect(await (await asked).json()).toMatchObject({
      ok: true,
      result: { sent: false, messageId: row?.id, reason: 'queued' },
      document: { status: 'AUTHORIZED', email: { status: 'PENDING' } },
    });
    // A second request and the worker leave the mail to the running attempt.
    const again = await documents.postNothing(`${accessKey}/email-retry`);
    expect(await again.json()).toMatchObject({ result: { sent: false, reason: 'queued' } });
    expect(await server.tick()).toBe(0);
    sink.release();
    await server.services.background.idle();
    expect((await documents.show(accessKey))['email']).toMatchObject({ status: 'SENT' });
    expect(sink.mails).toHaveLength(1);
  });

  it('email-retry waits 20 seconds for all unsent mails, and leaves the rest due', async () => {
    const emails = ['uno@ejemplo.ec', 'dos@ejemplo.ec', 'tres@ejemplo.ec'];
    const keys: string[] = [];
    for (const email of emails) {
      keys.push((await authorized({ ...SIMPLE_INVOICE, buyer: { ...SIMPLE_INVOICE.buyer, email } })).accessKey);
    }
    sink.modeByRecipient.set('dos@ejemplo.ec', 'hang');
    let answered = false;
    const asked = documents.postNothing('email-retry').then((response) => {
      answered = true;
      return response;
    });
    await vi.waitFor(() => expect(sink.waiting).toBe(1), { timeout: 10_000 });
    await server.clock.advance(19_999);
    expect(answered).toBe(false);
    await server.clock.advance(1);
    expect(await (await asked).json()).toEqual({
      ok: true,
      result: { attempted: 1, sent: 1, succeeded: 1, failed: 0, queued: 2 },
    });
    expect(await server.tick()).toBe(1);
    expect(sink.mails.map(({ recipients }) => recipients.join())).toEqual([
      'RCPT TO:<uno@ejemplo.ec>',
      'RCPT TO:<tres@ejemplo.ec>',
    ]);
    sink.release();
    await server.services.background.idle();
    for (const key of keys) expect((await documents.show(key))['email']).toMatchObject({ status: 'SENT' });
    expect(sink.mails).toHaveLength(3);
  });

  it('a mail to a hanging server does not delay other mails', async () => {
    const hanging = { ...SIMPLE_INVOICE, buyer: { ...SIMPLE_INVOICE.buyer, email: 'lento@ejemplo.ec' } };
    const slow = await authorized(hanging);
    const others = [await authorized(), await authorized(), await authorized(), await authorized()];
    sink.modeByRecipient.set('lento@ejemplo.ec', 'hang');
    const ticking = server.tick();
    await vi.waitFor(() => expect(sink.mails).toHaveLength(4), { timeout: 10_000 });
    expect(sink.waiting).toBe(1);
    await vi.waitFor(
      async () => {
        for (const { accessKey } of others) {
          expect((await documents.show(accessKey))['email']).toMatchObject({ status: 'SENT' });
        }
      },
      { timeout: 10_000 },
    );
    expect((await documents.show(slow.accessKey))['email']).toEqual({ status: 'PENDING' });
    sink.release();
    expect(await ticking).toBe(5);
    expect((await documents.show(slow.accessKey))['email']).toMatchObject({ status: 'SENT' });
  });
});
