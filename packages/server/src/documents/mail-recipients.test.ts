import { afterEach, beforeAll, expect, it } from 'vitest';
import { releaseUnverifiedMails } from '../mail/index.js';
import { retryJob } from '../operator/administer-jobs.js';
import { changeRows, readRows } from '../testing/change-rows.js';
import { type ParsedPart, parseMail, partOf } from '../testing/parse-mail.js';
import { setStatus, verifiedTenant, WEB_SECRET, WEB_SETTINGS } from '../testing/production-tenant.js';
import { openSmtpSink, type SmtpSink } from '../testing/smtp-sink.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, type TestTenant } from '../testing/test-tenant.js';
import { ALL_TYPES, bodyOf } from '../testing/type-bodies.js';

const [FIRST, SECOND, CARRIER] = ['compras@example.com', 'maria@example.com', 'carga@example.com'] as const;
const EVERYBODY = [CARRIER, FIRST, SECOND];

describeOnDatabases('the mails of a delivery guide', await databaseKinds(), (open) => {
  let sink: SmtpSink;
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    sink = await openSmtpSink();
    server = await open({ settings: { SMTP_URL: sink.url, MAIL_FROM: 'Facturas <no@api.ec>', ...WEB_SETTINGS } });
    tenant = await verifiedTenant(server, { documentTypes: ALL_TYPES, language: 'es', email: 'owner@ejemplo.ec' });
    await server.tick();
    sink.mails.length = 0;
    return () => sink.down();
  });
  afterEach(() => {
    sink.modeByRecipient.clear();
    sink.mails.length = 0;
  });

  /** An authorized guide whose mails have been tried once. */
  async function guide(of = tenant, { on = server, body = bodyOf('06') as object } = {}): Promise<string> {
    const documents = documentsOf(on, of);
    const { accessKey } = await documents.authorized(body);
    await on.tick();
    return accessKey;
  }
  const recipientsOf = () => sink.mails.flatMap(({ recipients }) => recipients).toSorted();
  const toEach = (...addresses: readonly string[]) => addresses.map((address) => `RCPT TO:<${address}>`).toSorted();
  const stateOf = async (accessKey: string) => (await documentsOf(server, tenant).show(accessKey))['email'];
  const rowsOf = (accessKey: string, on = server) =>
    readRows(on, 'jobs', { access_key: accessKey }, ['id', 'recipient', 'status']);
  const statuses = async (accessKey: string, on = server) =>
    Object.fromEntries((await rowsOf(accessKey, on)).map(({ recipient, status }) => [recipient, status]));
  const retry = async (accessKey: string, query = '', body = {}) =>
    (await postJson(server, `/v1/documents/${accessKey}/email-retry${query}`, tenant.headers, body)).json();
  const textOf = (mail: ParsedPart) => partOf(mail, 'text/plain')?.content.toString('utf8') ?? '';

  it('a delivery guide is mailed to every recipient and the carrier, without the addresses of the others', async () => {
    const accessKey = await guide();
    expect(recipientsOf()).toEqual(toEach(...EVERYBODY));
    for (const { recipients, content } of sink.mails) {
      expect(recipients).toHaveLength(1);
      const others = EVERYBODY.filter((address) => !recipients[0]?.includes(address));
      const mail = parseMail(content);
      const headers = [...mail.headers.values()].join('\n');
      for (const other of others) expect(`${headers}\n${textOf(mail)}`).not.toContain(other);
      expect(mail.headers.get('subject')).toContain('Guía de remisión 001-002-');
      expect(textOf(mail)).not.toContain('Total');
      expect(textOf(mail)).not.toContain('0.00');
      const isFirst = recipients[0]?.includes(FIRST);
      expect(textOf(mail)).toMatch(isFirst ? /^Hola, Comercial Ñandú & Cía\.:\r?$/m : /^Hola:\r?$/m);
      expect(mail.headers.get('to')).toBe(isFirst ? `Comercial Ñandú & Cía. <${FIRST}>` : recipients[0]?.slice(9, -1));
    }
    expect(await stateOf(accessKey)).toMatchObject({ status: 'SENT' });
  });

  it('a delivery guide shows the mail to its counterparty, and another failed mail is repeated alone', async () => {
    sink.modeByRecipient.set(CARRIER, '5xx');
    const accessKey = await guide();
    expect(await stateOf(accessKey)).toMatchObject({ status: 'SENT' });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await server.tickAfter(60 * 60_000);
    }
    expect(await statuses(accessKey)).toEqual({ [FIRST]: 'SENT', [SECOND]: 'SENT', [CARRIER]: 'FAILED' });
    expect(await stateOf(accessKey)).toMatchObject({ status: 'SENT' });
    const events = await documentsOf(server, tenant).events(accessKey);
    expect(
      events.filter(({ eventType }) => eventType === 'EMAIL_FAILED').map(({ detail }) => detail?.['recipient']),
    ).toEqual([CARRIER]);
    sink.mails.length = 0;
    sink.modeByRecipient.clear();
    expect(await retry(accessKey)).toMatchObject({ result: { sent: true } });
    expect(recipientsOf()).toEqual(toEach(CARRIER));
    expect(await retry(accessKey)).toMatchObject({ result: { sent: false, reason: 'already_sent' } });
    sink.mails.length = 0;
    expect(await retry(accessKey, '?force=true')).toMatchObject({ result: { sent: true } });
    expect(recipientsOf()).toEqual(toEach(...EVERYBODY));
    sink.mails.length = 0;
    expect(await retry(accessKey, '', { email: 'otra@ejemplo.ec' })).toMatchObject({ result: { sent: true } });
    expect(recipientsOf()).toEqual(toEach('otra@ejemplo.ec'));
  });

  it('a restart by the operator repeats the failed mail alone', async () => {
    const accessKey = await guide();
    const failed = (await rowsOf(accessKey)).find(({ recipient }) => recipient === SECOND)?.id ?? '';
    await changeRows(server, 'jobs', { id: failed }, { status: 'FAILED' });
    sink.mails.length = 0;
    await retryJob(server.services, { actor: 'ana', channel: 'CLI' }, failed);
    await server.tick();
    expect(recipientsOf()).toEqual(toEach(SECOND));
  });

  it('a report of the provider changes the document only for the mail to the counterparty', async () => {
    const accessKey = await guide();
    const report = async (recipient: string, event: string) => {
      const [row] = (await rowsOf(accessKey)).filter((each) => each.recipient === recipient);
      const headers = { 'x-internal-service-secret': WEB_SECRET };
      const answer = await postJson(server, '/v1/internal/email-events', headers, { messageId: row?.id, event });
      expect(answer.status).toBe(204);
    };
    await report(CARRIER, 'bounced');
    expect(await stateOf(accessKey)).toMatchObject({ status: 'SENT' });
    await report(FIRST, 'delivered');
    expect(await stateOf(accessKey)).toMatchObject({ status: 'DELIVERED' });
    await report(FIRST, 'bounced');
    expect(await stateOf(accessKey)).toMatchObject({ status: 'FAILED' });
    expect(await statuses(accessKey)).toEqual({ [FIRST]: 'FAILED', [SECOND]: 'SENT', [CARRIER]: 'FAILED' });
  });

  it('a delivery guide shows the state of the first mail alone', async () => {
    for (const address of [FIRST, SECOND]) sink.modeByRecipient.set(address, '4xx');
    const accessKey = await guide();
    await changeRows(server, 'jobs', { access_key: accessKey, recipient: SECOND }, { attempt_count: 4 });
    await server.tickAfter(60_000);
    expect(await statuses(accessKey)).toMatchObject({ [FIRST]: 'PENDING', [SECOND]: 'FAILED' });
    expect(await stateOf(accessKey)).toMatchObject({ status: 'PENDING' });
  });

  it('the mails of an unverified account all wait, and are sent after the verification', async () => {
    const late = await verifiedTenant(server, { documentTypes: ALL_TYPES, email: 'late@ejemplo.ec' });
    await setStatus(server, late, 'PENDING_VERIFICATION');
    await server.tick();
    sink.mails.length = 0;
    const accessKey = await guide(late);
    expect(sink.mails).toEqual([]);
    expect(Object.values(await statuses(accessKey))).toEqual(['UNVERIFIED', 'UNVERIFIED', 'UNVERIFIED']);
    await setStatus(server, late, 'ACTIVE');
    const { database, clock } = server.services;
    await database.transaction((tables) => releaseUnverifiedMails(tables, late.tenantId, clock.now()));
    await server.tick();
    expect(recipientsOf()).toEqual(toEach(...EVERYBODY));
  });

  it('the mails of a delivery guide count towards the limit of a day', async () => {
    const few = await open({ settings: { SMTP_URL: sink.url, SANDBOX_MAILS_PER_DAY: '2' } });
    const poor = await verifiedTenant(few, { documentTypes: ALL_TYPES });
    await few.tick();
    sink.mails.length = 0;
    const accessKey = await guide(poor, { on: few });
    expect(recipientsOf()).toHaveLength(2);
    expect(Object.values(await statuses(accessKey, few)).toSorted()).toEqual(['OVER_LIMIT', 'SENT', 'SENT']);
  });

  it('the mails of the sandbox go to the account alone with SANDBOX_MAIL=own', async () => {
    const own = await open({ settings: { SMTP_URL: sink.url, SANDBOX_MAIL: 'own' } });
    const owner = await verifiedTenant(own, { documentTypes: ALL_TYPES, email: CARRIER });
    await own.tick();
    sink.mails.length = 0;
    const accessKey = await guide(owner, { on: own });
    expect(recipientsOf()).toEqual(toEach(CARRIER));
    const repeated = await postJson(own, `/v1/documents/${accessKey}/email-retry`, owner.headers, {});
    expect(await repeated.json()).toMatchObject({
      result: { sent: false, reason: 'skipped' },
      document: { email: { status: 'SKIPPED' } },
    });
  });

  it('a delivery guide without addresses of recipients is mailed to the carrier, or skipped', async () => {
    const { recipients, carrier, ...rest } = bodyOf('06') as unknown as {
      recipients: readonly { readonly email?: string }[];
      carrier: { readonly email?: string };
    };
    const nameless = recipients.map(({ email: _email, ...recipient }) => recipient);
    const toCarrier = await guide(tenant, { body: { ...rest, carrier, recipients: nameless } });
    expect(recipientsOf()).toEqual(toEach(CARRIER));
    expect(await stateOf(toCarrier)).toMatchObject({ status: 'SENT' });
    const { email: _email, ...silent } = carrier;
    const toNobody = await guide(tenant, { body: { ...rest, carrier: silent, recipients: nameless } });
    expect(await stateOf(toNobody)).toEqual({ status: 'SKIPPED' });
    expect(await retry(toNobody, '?force=true')).toMatchObject({ result: { sent: false, reason: 'skipped' } });
    expect(await rowsOf(toNobody)).toEqual([]);
    expect(await retry(toNobody, '', { email: FIRST })).toMatchObject({ result: { sent: true } });
    expect(await stateOf(toNobody)).toMatchObject({ status: 'SENT' });
  });
});
