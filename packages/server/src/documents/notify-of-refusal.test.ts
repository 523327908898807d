import type { Notification } from 'sri-core/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRow, readRows } from '../testing/change-rows.js';
import { ownNotifications } from '../testing/own-account.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, SIMPLE_INVOICE, sendJson, type TestTenant } from '../testing/test-tenant.js';
import { openReceiver, type WebhookReceiver } from '../testing/webhook-receiver.js';
import { createWebhookSender } from '../webhooks/webhook-sender.js';
import { MOST_REFUSAL_MAILS } from './queue-refusal-mail.js';

describeOnDatabases('a document that the SRI refuses', await databaseKinds(), (open) => {
  let server: TestServer;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await openReceiver();
    server = await open({
      settings: { WEBHOOK_ALLOW_INSECURE: 'true' },
      webhookSender: createWebhookSender({ timeoutMs: 500, allowInsecure: true }),
    });
  });
  afterAll(() => receiver.close());

  const list = (tenant: TestTenant) => ownNotifications(server, tenant);
  const mails = (tenant: TestTenant) =>
    server.services.database.read((tables) =>
      tables
        .selectFrom('jobs')
        .select(['subject', 'recipient', 'data', 'status'])
        .where('kind', '=', 'MAIL')
        .where('tenant_id', '=', tenant.tenantId)
        .where('subject', 'like', 'DOCUMENT%')
        .execute(),
    );
  const mute = (tenant: TestTenant, type: string, channel: string) =>
    sendJson(server, 'PATCH', '/v1/notifications/preferences', tenant.auth, [{ type, channel, enabled: false }]);
  /** A document that reception returns. */
  const returned = async (tenant: TestTenant, buyer = 'SRI-RETURNED-45') => {
    const documents = documentsOf(server, tenant);
    return documents.send((await documents.create(SIMPLE_INVOICE, buyer)).accessKey);
  };
  /** A document that authorization refuses. */
  const refused = async (tenant: TestTenant) => {
    const documents = documentsOf(server, tenant);
    const { accessKey } = await documents.create(SIMPLE_INVOICE, 'SRI-REFUSED-39');
    await documents.send(accessKey);
    await documents.get(`${accessKey}/authorize`);
    return documents.show(accessKey);
  };

  it.each([
    { name: 'returned', make: returned, status: 'RETURNED', identifier: '45' },
    { name: 'not authorized', make: refused, status: 'NOT_AUTHORIZED', identifier: '39' },
  ])('a refused document has its own notification, mail and webhook: $name', async ({ make, status, identifier }) => {
    const tenant = await verifiedTenant(server);
    await postJson(server, '/v1/webhooks', tenant.auth, { url: receiver.url });
    const before = receiver.seen.length;
    const document = await make(tenant);
    expect(document.status).toBe(status);
    await make(tenant);
    const reported = await list(tenant);
    expect(reported.map(({ type, severity }) => [type, severity])).toEqual([
      [`DOCUMENT_${status}`, 'ERROR'],
      [`DOCUMENT_${status}`, 'ERROR'],
    ]);
    expect(reported[1]).toMatchObject({
      issuerId: tenant.issuerId,
      message: expect.stringContaining(`: ${identifier} `),
    });
    expect(reported[1]?.metadata).toEqual({
      accessKey: document.accessKey,
      documentType: '01',
      sequential: document.sequential,
      buyerName: SIMPLE_INVOICE.buyer.name,
      buyerId: expect.stringMatching(/^SRI-/),
      total: document.total,
      issueDate: document.issueDate,
      messages: [expect.objectContaining({ identifier, type: 'ERROR' })],
      advice: [expect.objectContaining({ identifier, action: expect.any(String) })],
    });
    await server.tick();
    const events = receiver.seen
      .slice(before)
      .map(({ body }) => JSON.parse(body) as { event: string; data: Notification });
    expect(events.map(({ event, data }) => [event, data.id]).toSorted()).toEqual(
      reported.map(({ type, id }) => [type, id]).toSorted(),
    );
    const sent = await mails(tenant);
    const { email } = await readRow(server, 'tenants', { id: tenant.tenantId });
    expect(sent.map(({ subject, recipient, status: state }) => [subject, recipient, state])).toEqual(
      Array.from({ length: 2 }, () => [`DOCUMENT_${status}`, email, 'SENT']),
    );
    const written =
      (await server.mails()).filter((mail) => mail.includes(email) && mail.includes('Mensaje')).at(-1) ?? '';
    expect(written).toContain(`Mensaje del SRI: ${identifier} `);
    expect(written).toMatch(/^Subject: .*Pruebas/m);
    expect(written).toMatch(/comprobante 001-\d{3}-00000000[12]/);
  });

  it('a notification cuts a long name between two characters, and drops its links', async () => {
    const tenant = await verifiedTenant(server);
    const documents = documentsOf(server, tenant);
    const shown = `${'Ñ'.repeat(79)}😀`;
    const name = `https://ladron.ec ${shown} y Cía.`;
    const buyer = { ...SIMPLE_INVOICE.buyer, idType: '06', id: 'SRI-RETURNED-45', name };
    await documents.send((await documents.create({ ...SIMPLE_INVOICE, buyer })).accessKey);
    const [mail] = await mails(tenant);
    expect(JSON.parse(mail?.data ?? '')).toMatchObject({ buyerName: shown });
  });

  it('a mail or list entry that is switched off is not made for a refused document', async () => {
    const tenant = await verifiedTenant(server);
    expect((await mute(tenant, 'DOCUMENT_RETURNED', 'EMAIL')).status).toBe(200);
    await returned(tenant);
    expect(await mails(tenant)).toEqual([]);
    expect(await list(tenant)).toHaveLength(1);
    const muted = (await (await mute(tenant, 'DOCUMENT_RETURNED', 'IN_APP')).json()) as { preferences: unknown[] };
    expect(muted.preferences).toHaveLength(15);
    expect(await list(tenant)).toEqual([]);
    await refused(tenant);
    expect(await mails(tenant)).toMatchObject([{ subject: 'DOCUMENT_NOT_AUTHORIZED' }]);
  });

  it('a refused test document causes no mail if mails about tests are off', async () => {
    const quiet = await open({ settings: { SANDBOX_MAIL: 'off' } });
    const tenant = await verifiedTenant(quiet);
    const documents = documentsOf(quiet, tenant);
    await documents.send((await documents.create(SIMPLE_INVOICE, 'SRI-RETURNED-45')).accessKey);
    await quiet.tick();
    const rows = await readRows(quiet, 'jobs', { kind: 'MAIL', subject: 'DOCUMENT_RETURNED' }, ['status']);
    expect(rows).toEqual([{ status: 'SKIPPED' }]);
    expect((await quiet.mails()).filter((mail) => mail.includes('Mensaje del SRI'))).toEqual([]);
  });

  it('a refused document causes no mail to an unverified address', async () => {
    const tenant = await registerTenant(server);
    await returned(tenant);
    expect(await list(tenant)).toHaveLength(1);
    expect(await mails(tenant)).toEqual([]);
  });

  it('mails about refused documents are limited per day, and notifications are not', async () => {
    const tenant = await verifiedTenant(server);
    const documents = documentsOf(server, tenant);
    for (let index = 0; index < MOST_REFUSAL_MAILS + 2; index += 1) {
      const { accessKey } = await documents.create(SIMPLE_INVOICE, 'SRI-RETURNED-35');
      await documents.post(`${accessKey}/send`, {});
    }
    for (let round = 0; round < 20 && (await list(tenant)).length < MOST_REFUSAL_MAILS + 2; round += 1) {
      await server.tick();
    }
    expect(await list(tenant)).toHaveLength(MOST_REFUSAL_MAILS + 2);
    expect(await mails(tenant)).toHaveLength(MOST_REFUSAL_MAILS);
    await server.clock.advance(25 * 3_600_000);
    await returned(tenant);
    expect(await mails(tenant)).toHaveLength(MOST_REFUSAL_MAILS + 1);
  });

  it('a notification says in the language of the account that the SRI holds another document', async () => {
    const tenant = await verifiedTenant(server);
    const document = await returned(tenant, 'SRI-FOREIGN-43');
    const documents = documentsOf(server, tenant);
    await documents.get(`${document.accessKey}/authorize`);
    const [reported] = await list(tenant);
    const reason =
      'El SRI autorizó otro documento con esta clave de acceso. Busque primero un envío propio anterior; si otro sistema usó el número, corrija el comprobante con uno nuevo.';
    const message = expect.stringContaining(`: ${reason}`);
    expect(reported).toMatchObject({ type: 'DOCUMENT_RETURNED', message, metadata: { messages: [], advice: [] } });
    // The warning with the other document says that no action is needed.
    const [mail] = await mails(tenant);
    expect(JSON.parse(mail?.data ?? '')).toMatchObject({ reason, action: '' });
  });

  it.each([
    ['', 'El SRI no indicó el motivo.'],
    ['<mensaje><mensaje>ALGO PASÓ</mensaje><tipo>ERROR</tipo></mensaje>', 'ALGO PASÓ'],
    [
      '<mensaje><identificador>35</identificador><mensaje>NO CUMPLE</mensaje><informacionAdicional>uno&#10;\tdos</informacionAdicional></mensaje>',
      '35 NO CUMPLE: uno dos',
    ],
  ])('a notification gives the reason in one line, even with less from the SRI: %j', async (messages, reason) => {
    const answer = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><validarComprobanteResponse><RespuestaRecepcionComprobante><estado>DEVUELTA</estado><comprobantes><comprobante><mensajes>${messages}</mensajes></comprobante></comprobantes></RespuestaRecepcionComprobante></validarComprobanteResponse></s:Body></s:Envelope>`;
    const terse = await open({ transport: async () => new Response(answer) });
    const tenant = await verifiedTenant(terse);
    const documents = documentsOf(terse, tenant);
    await documents.send((await documents.create(SIMPLE_INVOICE)).accessKey);
    const [reported] = await ownNotifications(terse, tenant);
    expect(reported?.message.split('): ')).toEqual([expect.any(String), reason]);
  });
});
