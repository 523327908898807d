import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCertificateEnds, readQueues } from '../../ops/queue-figures.js';
import { changeRows, changeTenant } from '../../testing/change-rows.js';
import { activeTenant } from '../../testing/production-tenant.js';
import { queryPlans } from '../../testing/query-plans.js';
import { databaseKinds } from '../../testing/test-databases.js';
import { describeOnDatabases, openTestServer, TEST_RUC, type TestServer } from '../../testing/test-server.js';
import { createDocument, postJson, registerTenant, type TestTenant } from '../../testing/test-tenant.js';
import { openReceiver } from '../../testing/webhook-receiver.js';

const LOOPBACK = '127.0.0.1';

/** The metrics as a client on this machine reads them: values by name and labels. */
async function readMetrics(server: TestServer): Promise<ReadonlyMap<string, number>> {
  const response = await server.request('/metrics', { headers: { host: 'localhost:3000' } }, LOOPBACK);
  expect(response.status).toBe(200);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

describeOnDatabases('metrics', await databaseKinds(), (open, database) => {
  let server: TestServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    server = await open({ settings: { WEBHOOK_ALLOW_INSECURE: 'true' } });
    tenant = await activeTenant(server, { ruc: TEST_RUC });
  });

  it('the metrics count documents, calls, attempts, requests, mails and webhooks', async () => {
    const receiver = await openReceiver();
    await changeTenant(server, tenant, { status: 'ACTIVE', subscription_tier: 'BUSINESS' });
    await postJson(server, '/v1/webhooks', tenant.auth, { url: receiver.url });
    const { accessKey } = await createDocument(server, tenant);
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    const queued = await readMetrics(server);
    expect(queued.get('sri_queue_jobs{queue="documents",state="due"}')).toBe(1);
    await server.clock.advance(2_000);
    expect((await readMetrics(server)).get('sri_queue_oldest_seconds{queue="documents"}')).toBe(2);
    await server.tick();
    await server.tickAfter(5_000);
    await server.tick();
    receiver.close();

    const seen = await readMetrics(server);
    const of = (name: string, labels: string) => seen.get(`${name}{${labels}}`);
    for (const status of ['SIGNED', 'PENDING_SEND', 'RECEIVED', 'AUTHORIZED']) {
      expect(of('sri_documents_total', `type="01",status="${status}",environment="sandbox"`), status).toBe(1);
    }
    const call = (operation: string) => `operation="${operation}",environment="sandbox",outcome="http_2xx"`;
    expect(of('sri_call_duration_seconds_count', call('reception'))).toBe(1);
    expect(of('sri_call_duration_seconds_count', call('authorization'))).toBe(1);
    expect(of('sri_attempts_total', 'operation="SEND",outcome="RECIBIDA"')).toBe(1);
    expect(of('sri_attempts_total', 'operation="AUTHORIZE",outcome="AUTORIZADO"')).toBe(1);
    expect(of('sri_webhook_attempt_duration_seconds_count', 'outcome="acknowledged"')).toBe(1);
    // The first mail verifies the address, the second goes to the buyer.
    expect(of('sri_mail_attempt_duration_seconds_count', 'outcome="sent"')).toBe(2);
    const created = 'method="POST",route="/v1/documents",status="201"';
    expect(of('sri_http_request_duration_seconds_count', created)).toBe(1);
    expect(of('sri_queue_jobs', 'queue="documents",state="due"')).toBe(0);
    expect(of('sri_queue_oldest_seconds', 'queue="documents"')).toBe(0);
  });

  it('the metrics report queued work, given-up work and the expiry of certificates', async () => {
    const at = server.clock.now().getTime();
    await server.services.database.transaction(async (tables) => {
      const mail = await tables
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', 'MAIL')
        .orderBy('id')
        .executeTakeFirstOrThrow();
      const copies = [
        { id: '00000000-0000-7000-8000-0000000000a1', status: 'PENDING', due_at: at - 9_000 },
        { id: '00000000-0000-7000-8000-0000000000a2', status: 'PENDING', due_at: at + 9_000 },
        { id: '00000000-0000-7000-8000-0000000000a3', status: 'FAILED', due_at: at },
      ];
      for (const copy of copies) {
        await tables
          .insertInto('jobs')
          .values({ ...mail, authorization_of: null, ...copy, ready_at: copy.due_at })
          .execute();
      }
      const delivery = await tables
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', 'WEBHOOK')
        .executeTakeFirstOrThrow();
      for (const [id, due_at] of [
        ['00000000-0000-7000-8000-0000000000d1', at - 1_000],
        ['00000000-0000-7000-8000-0000000000d2', at - 4_000],
        ['00000000-0000-7000-8000-0000000000d3', at + 4_000],
      ] as const) {
        const waiting = { ...delivery, id, due_at, ready_at: due_at, status: 'PENDING' };
        await tables.insertInto('jobs').values(waiting).execute();
      }
    });
    const queues = await server.services.database.read((tables) => readQueues(tables, server.clock.now()));
    expect(queues).toEqual([
      { queue: 'documents', due: 0, later: 0, failed: 0, oldestDueAt: null },
      { queue: 'mails', due: 1, later: 1, failed: 1, oldestDueAt: new Date(at - 9_000) },
      { queue: 'webhooks', due: 2, later: 1, failed: 0, oldestDueAt: new Date(at - 4_000) },
    ]);

    const day = 24 * 3_600_000;
    const end = (validTo: number) => changeRows(server, 'issuer_certificates', {}, { valid_to: validTo });
    await end(at + 10 * day);
    let seen = await readMetrics(server);
    expect(seen.get('sri_certificate_days_left{bound="min"}')).toBe(10);
    expect(seen.get('sri_certificate_days_left{bound="max"}')).toBe(10);
    expect(seen.get('sri_certificates{state="ending"}')).toBe(1);
    await end(at - day);
    seen = await readMetrics(server);
    expect(seen.has('sri_certificate_days_left{bound="min"}')).toBe(false);
    expect(seen.get('sri_certificates{state="ended"}')).toBe(1);
    // A removed issuer is not reported.
    await changeRows(server, 'issuers', {}, { active: 0 });
    expect((await readMetrics(server)).get('sri_certificates{state="ended"}')).toBe(0);
  });

  it.each(['en', 'es'])(
    'the metrics show the limits that the documentation (%s) names, with their maxima',
    async (language) => {
      const page = readFileSync(new URL(`../../../../../docs/${language}/monitoring.md`, import.meta.url), 'utf8');
      const documented = [...page.matchAll(/^\| `([a-z_]+)` \| ([\d.,]+) \|/gm)].map(
        ([, name, most = '']) => [name, Number(most.replaceAll(/[.,]/g, ''))] as const,
      );
      const shown = [...(await readMetrics(server))].flatMap(([name, value]) => {
        const [, limit] = /^sri_limit_max\{limit="([a-z_]+)"\}$/.exec(name) ?? [];
        return limit === undefined ? [] : [[limit, value] as const];
      });
      // The test server has no socket, and SQLite prepares no statements by name.
      const absent = ['connections', 'unread_bytes', ...(database === 'PostgreSQL' ? [] : ['statements'])];
      expect(shown.toSorted()).toEqual(documented.filter(([name = '']) => !absent.includes(name)).toSorted());
    },
  );

  it('the metrics show the connections of a database with a pool', async () => {
    const seen = await readMetrics(server);
    const total = seen.get('sri_database_connections{state="total"}');
    if (database === 'PostgreSQL') expect(total).toBeGreaterThan(0);
    else expect(total).toBeUndefined();
    expect(seen.get('sri_database_up')).toBe(1);
  });
});

describe('metrics', () => {
  it('the metrics take no label from a caller, and contain no data of an account', async () => {
    const server = await openTestServer();
    const tenant = await registerTenant(server);
    const { accessKey } = await createDocument(server, tenant);
    for (const path of ['/nowhere', `/v1/documents/${accessKey}`, `/v1/keys/${tenant.tenantId}/usage`, '/v1/%00']) {
      await server.request(path, { headers: tenant.headers });
    }
    for (const method of ['BREW', 'PROPFIND', 'LINK']) await server.request('/v1/documents', { method });
    const before = await readMetrics(server);
    for (let made = 0; made < 50; made += 1) {
      await server.request(`/v1/stranger-${made}`, { method: `M${made}`, headers: { 'x-issuer-id': String(made) } });
    }
    const after = await readMetrics(server);
    const text = [...after.keys()].join('\n');
    for (const secret of [accessKey, tenant.tenantId, tenant.issuerId, tenant.apiKey, TEST_RUC, 'stranger', 'BREW']) {
      expect(text).not.toContain(secret);
    }
    // One new combination: another method for an unknown route.
    const series = (of: ReadonlyMap<string, number>) =>
      [...of.keys()].filter((name) => name.includes('_request_')).length;
    expect(series(after) - series(before)).toBeLessThanOrEqual(2 * 16);
    await server.close();
  });

  it('the metrics require their token; without a token they answer the same machine alone', async () => {
    const token = 't'.repeat(32);
    const closed = await openTestServer(null, { settings: { METRICS_TOKEN: `${'u'.repeat(40)},${token}` } });
    const ask = async (server: TestServer, headers: Record<string, string> = {}, address = LOOPBACK) =>
      (await server.request('/metrics', { headers: { host: 'localhost', ...headers } }, address)).status;
    expect(await ask(closed)).toBe(401);
    expect(await ask(closed, { authorization: `Bearer ${token}x` })).toBe(401);
    expect(await ask(closed, { authorization: `Basic ${token}` })).toBe(401);
    expect(await ask(closed, { authorization: `Bearer ${token}` }, '190.1.2.3')).toBe(200);
    await closed.close();

    const open = await openTestServer();
    expect(await ask(open)).toBe(200);
    expect(await ask(open, {}, '::1')).toBe(200);
    expect(await ask(open, {}, '::ffff:127.0.0.1')).toBe(200);
    expect(await ask(open, {}, '190.1.2.3')).toBe(404);
    expect(await ask(open, {}, '10.0.0.1')).toBe(404);
    // A request through a proxy on this machine is not local.
    expect(await ask(open, { 'x-forwarded-for': '190.1.2.3' })).toBe(404);
    expect(await ask(open, { forwarded: 'for=190.1.2.3' })).toBe(404);
    // A request of a page whose host name points to this machine is not local.
    expect(await ask(open, { host: 'evil.example' })).toBe(404);
    await open.close();
  });

  it('the metrics omit the queues when the database fails', async () => {
    const server = await openTestServer();
    await registerTenant(server);
    const { services } = server;
    expect((await readMetrics(server)).get('sri_queue_jobs{queue="mails",state="due"}')).toBe(1);
    await services.database.transaction(async (tables) => {
      await tables.schema.alterTable('jobs').renameTo('jobs_gone').execute();
    });
    const seen = await readMetrics(server);
    expect(seen.get('sri_database_up')).toBe(0);
    expect(seen.has('sri_queue_jobs{queue="mails",state="due"}')).toBe(false);
    expect(seen.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    await server.close();
  });

  it('the metrics are read from indexes alone', async () => {
    const server = await openTestServer();
    const { statements, steps } = await queryPlans(server, () =>
      server.services.database.read(async (tables) => {
        await readQueues(tables, server.clock.now());
        await readCertificateEnds(tables, server.clock.now());
      }),
    );
    expect(statements.length).toBeGreaterThanOrEqual(4);
    const scans = steps.filter((step) => /^SCAN (?!counted|ids|ends|first_end|CONSTANT)/.test(step));
    // An index is read only up to the limit of its count.
    expect(scans.filter((step) => !/ USING COVERING INDEX /.test(step))).toEqual([]);
    await server.close();
  });
});
