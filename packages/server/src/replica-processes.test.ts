import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { systemClock } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from './config/config.js';
import { type OpenedDatabase, openDatabase } from './open-database.js';
import { type ChildServer, startChildServer } from './testing/child-server.js';
import { openOwnPostgres } from './testing/own-postgres.js';
import { openSharedSri, type SharedSri } from './testing/shared-sri.js';
import { openSmtpSink, type SmtpSink } from './testing/smtp-sink.js';
import { testFolder } from './testing/test-folder.js';
import {
  postJson,
  registerTenant,
  type ShownDocument,
  SIMPLE_INVOICE,
  type TestTenant,
} from './testing/test-tenant.js';
import { openReceiver, type WebhookReceiver } from './testing/webhook-receiver.js';

const SERVERS = 3;
const LEASE_MS = 3_000;
const DAY_MS = 86_400_000;
const DATABASE_SCHEMA = 'celda_norte';
const postgres = await openOwnPostgres();

describe.skipIf(!postgres)('three server processes on one PostgreSQL', { timeout: 120_000 }, () => {
  const url = postgres?.url ?? '';
  const dataDir = testFolder('replicas');
  let sri: SharedSri;
  let sink: SmtpSink;
  let receiver: WebhookReceiver;
  let opened: OpenedDatabase;
  let servers: ChildServer[];
  let tenant: TestTenant;

  const start = (number: number) =>
    startChildServer({
      settings: {
        ...sri.settings(number),
        DATA_DIR: dataDir,
        DATABASE_URL: url,
        DATABASE_SCHEMA,
        LEASE_SECONDS: `${LEASE_MS / 1000}s`,
        SRI_AUTH_FIRST_DELAY: '10ms',
        SRI_RETRY_INTERVAL: '500ms',
        ONBOARDING_RATE: '1000/1h',
        SMTP_URL: sink.url,
        MAIL_TO_BUYERS: 'on',
        WEBHOOK_ALLOW_INSECURE: 'true',
      },
    });

  beforeAll(async () => {
    [sri, sink, receiver] = [await openSharedSri(SERVERS), await openSmtpSink(), await openReceiver()];
    const first = await start(0);
    opened = await openDatabase(readConfig({ DATA_DIR: dataDir, DATABASE_URL: url, DATABASE_SCHEMA }), systemClock);
    // A certificate that expires soon is one of the events that the first server to check reports once.
    const ruc = '1790012345001';
    const validTo = new Date(Date.now() + 5 * DAY_MS);
    tenant = await registerTenant(first, { ruc, cert: await createTestP12({ ruc, validTo }), certPassword: 'prueba' });
    await activate(tenant);
    await first.kill();
    // As if an hour had passed: the first server to check does the due work, for all three.
    await opened.database.transaction((tables) =>
      tables
        .updateTable('jobs')
        .set({ due_at: 0, ready_at: 0, lease_until: null })
        .where('kind', '=', 'TIMER')
        .execute(),
    );
    servers = await Promise.all([0, 1, 2].map(start));
  });
  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server.kill()));
    await opened?.close();
    await sink?.down();
    receiver?.close();
    sri?.close();
    await postgres?.remove();
  });

  const activate = ({ tenantId }: TestTenant) =>
    opened.database.transaction((tables) =>
      tables
        .updateTable('tenants')
        .set({ status: 'ACTIVE', subscription_tier: 'BUSINESS' })
        .where('id', '=', tenantId)
        .execute(),
    );
  const serverOf = (number: number): ChildServer => {
    const server = servers[number % SERVERS];
    if (!server) throw new Error('There is no such server.');
    return server;
  };

  async function create(order: string, from: ChildServer) {
    const headers = { ...tenant.headers, 'idempotency-key': order };
    const response = await postJson(from, '/v1/documents', headers, SIMPLE_INVOICE);
    const { document } = (await response.json()) as { document?: ShownDocument };
    return { status: response.status, accessKey: document?.accessKey ?? '', sequential: Number(document?.sequential) };
  }

  /** Creates and sends like a client that retries a lost answer or a 503. */
  async function issue(order: string, from: number): Promise<{ accessKey: string; sequential: number }> {
    for (let turn = from; ; turn += 1) {
      try {
        const made = await create(order, serverOf(turn));
        if (made.status === 201 || made.status === 200) {
          const sent = await postJson(serverOf(turn), `/v1/documents/${made.accessKey}/send`, tenant.headers, {});
          await sent.arrayBuffer();
          if (sent.status < 500) return made;
        } else expect(made.status).toBe(503);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      await sleep(50);
    }
  }

  const statusesOf = async (accessKeys: readonly string[]) => {
    const rows = await opened.database.read((tables) =>
      tables
        .selectFrom('sri_documents')
        .select('status')
        .where('access_key', 'in', [...accessKeys])
        .execute(),
    );
    return new Set(rows.map(({ status }) => status));
  };
  const untilAuthorized = (accessKeys: readonly string[]) =>
    expect.poll(() => statusesOf(accessKeys), { timeout: 60_000, interval: 50 }).toEqual(new Set(['AUTHORIZED']));
  const notificationsOf = (type: string) =>
    opened.database.read((tables) =>
      tables
        .selectFrom('notifications')
        .select(['id', 'metadata'])
        .where('tenant_id', '=', tenant.tenantId)
        .where('type', '=', type)
        .execute(),
    );
  /** The mail that verifies the account's address leaves before the kill of its server, or much later. */
  const mailsToBuyers = () =>
    sink.mails.filter(({ recipients }) => recipients.join().includes(SIMPLE_INVOICE.buyer.email));
  const statusOf = async (server: ChildServer, path: string) => {
    const response = await server.request(path);
    await response.arrayBuffer();
    return response.status;
  };

  it('[R347] three servers do timed work once', async () => {
    await expect.poll(() => notificationsOf('CERT_EXPIRING')).toHaveLength(1);
    const rows = await opened.database.read((tables) => tables.selectFrom('tenant_agreements').selectAll().execute());
    const kinds = rows.map((row) => `${row.tenant_id} ${row.document_type} ${row.language} ${row.template_version}`);
    expect(new Set(kinds).size).toBe(kinds.length);
    // Each server has checked by now.
    await sleep(500);
    expect(await notificationsOf('CERT_EXPIRING')).toHaveLength(1);
  });

  it('three servers number, submit, query, notify, deliver and mail each document once', async () => {
    const hook = await postJson(serverOf(0), '/v1/webhooks', tenant.auth, { url: receiver.url });
    expect(hook.status).toBe(201);
    const made = await Promise.all(Array.from({ length: 30 }, (_, index) => issue(`order ${index}`, index)));
    const accessKeys = made.map(({ accessKey }) => accessKey);
    const numbers = made.map(({ sequential }) => sequential).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    await untilAuthorized(accessKeys);
    await expect.poll(() => mailsToBuyers().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(30);
    const rises = (await notificationsOf('DOCUMENT_AUTHORIZED'))
      .map(({ metadata }) => (JSON.parse(metadata ?? '{}') as { count: number }).count)
      .reduce((sum, count) => sum + count, 0);
    expect(rises).toBe(30);
    await expect.poll(() => receiver.seen.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(30);
    await sleep(300);

    const submitted = sri.calls.filter(({ operation }) => operation === 'reception').map(({ accessKey }) => accessKey);
    expect(submitted.toSorted()).toEqual(accessKeys.toSorted());
    expect(sri.mostAtOnce).toBe(1);
    expect(new Set(sri.calls.map(({ server }) => server)).size).toBeGreaterThan(1);
    const mailIds = mailsToBuyers().map(({ content }) => /^Message-ID: (.*)$/im.exec(content)?.[1]);
    expect([mailIds.length, new Set(mailIds).size]).toEqual([30, 30]);
    const deliveries = receiver.seen.map(({ headers }) => headers['x-service-delivery']);
    expect(deliveries).toHaveLength(30);
  });

  it('other servers take over from a server frozen beyond its lease, and its late writes fail', async () => {
    const holding = sri.holdSubmission();
    const { accessKey } = await issue('frozen', 0);
    const held = await holding;
    expect(held.accessKey).toBe(accessKey);
    const frozen = serverOf(held.server);
    process.kill(frozen.pid, 'SIGSTOP');
    try {
      await untilAuthorized([accessKey]);
    } finally {
      process.kill(frozen.pid, 'SIGCONT');
    }
    held.answer(REFUSAL.replaceAll('KEY', accessKey));
    await expect.poll(() => statusOf(frozen, '/readyz')).toBe(200);
    await sleep(500);
    const response = await serverOf(0).request(`/v1/documents/${accessKey}/events`, { headers: tenant.headers });
    const { events } = (await response.json()) as { events: { toStatus?: string; eventType: string }[] };
    expect(events.filter(({ toStatus }) => toStatus === 'AUTHORIZED')).toHaveLength(1);
    expect(events.filter(({ toStatus }) => toStatus === 'RETURNED')).toEqual([]);
    expect(await statusesOf([accessKey])).toEqual(new Set(['AUTHORIZED']));
    const submissions = sri.calls.filter((call) => call.operation === 'reception' && call.accessKey === accessKey);
    expect(submissions.map(({ server }) => server === held.server)).toEqual([true, false]);
  });

  it('three servers lose nothing while their connections are dropped repeatedly', async () => {
    const drop = async () => {
      for (let time = 0; time < 8; time += 1) {
        await sleep(150);
        await dropConnections(url);
      }
    };
    const orders = Array.from({ length: 40 }, (_, index) => index);
    const [made] = await Promise.all([Promise.all(orders.map((order) => issue(`dropped ${order}`, order))), drop()]);
    const numbers = made.map(({ sequential }) => sequential).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 32));
    await untilAuthorized(made.map(({ accessKey }) => accessKey));
  });

  it('three servers report a lost database, and continue when it is back', async () => {
    const before = await Promise.all(Array.from({ length: 10 }, (_, index) => issue(`before ${index}`, index)));
    await postgres?.crash();
    const readiness = () => Promise.all(servers.map((server) => statusOf(server, '/readyz')));
    await expect.poll(readiness, { timeout: 2_000, interval: 50 }).toEqual([503, 503, 503]);
    for (const server of servers) expect((await create('meanwhile', server)).status).toBe(503);
    await postgres?.start();
    await expect.poll(readiness, { timeout: 5_000, interval: 50 }).toEqual([200, 200, 200]);
    const after = await issue('meanwhile', 0);
    expect(after.sequential).toBe(82);
    await untilAuthorized([after, ...before].map(({ accessKey }) => accessKey));
  });
});

// --- internal ---

/** The answer of a reception that rejects the document. */
const REFUSAL = `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><ns2:validarComprobanteResponse xmlns:ns2="http://ec.gob.sri.ws.recepcion"><RespuestaRecepcionComprobante><estado>DEVUELTA</estado><comprobantes><comprobante><claveAcceso>KEY</claveAcceso><mensajes><mensaje><identificador>35</identificador><mensaje>ARCHIVO NO CUMPLE ESTRUCTURA XML</mensaje><tipo>ERROR</tipo></mensaje></mensajes></comprobante></comprobantes></RespuestaRecepcionComprobante></ns2:validarComprobanteResponse></soap:Body></soap:Envelope>`;

async function dropConnections(url: string): Promise<void> {
  const client = new Client({ connectionString: url }).on('error', () => {});
  await client.connect();
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
  await client.end();
}
