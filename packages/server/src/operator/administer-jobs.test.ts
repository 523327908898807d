import { beforeAll, expect, it } from 'vitest';
import { ADMIN_SETTINGS, askAsOperator, auditOf } from '../testing/admin-access.js';
import { storedRows } from '../testing/bad-input/stored-rows.js';
import { changeRows, readRow } from '../testing/change-rows.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { insertMessages } from '../webhooks/delivery-rows.js';
import { retryJob } from './administer-jobs.js';

describeOnDatabases('the operator and failed jobs', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    server = await open({ settings: { ...ADMIN_SETTINGS, SRI_MAX_ATTEMPTS: '1' } });
    tenant = await verifiedTenant(server);
    await server.tick();
  });

  const ask = (method: string, path: string, body?: unknown) => askAsOperator(server, method, path, body);
  const jobs = async () => (await ask('GET', 'jobs?status=failed')).body.jobs;
  const jobOf = async (id: string) => (await jobs()).find((job) => job.id === id) ?? null;
  const mark = (id: string, status: string) =>
    changeRows(server, 'jobs', { id }, { status, attempt_count: 5, last_error: 'no' });

  const fail = () => {
    throw new Error('no room');
  };

  it('an empty list stays empty, and an unknown job cannot be restarted', async () => {
    expect(await jobs()).toEqual([]);
    expect((await ask('GET', 'jobs?status=running')).status).toBe(400);
    const before = await storedRows(server);
    const answer = await ask('POST', 'jobs/00000000-0000-7000-8000-000000000000/retry');
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(await storedRows(server)).toEqual(before);
  });

  it('a retry sends a document that could not reach the SRI', async () => {
    const { accessKey } = await documentsOf(server, tenant).failed('SRI-HTTP-500');
    const [job] = await jobs();
    expect(job).toMatchObject({
      kind: 'SRI_SEND',
      status: 'FAILED',
      tenantId: tenant.tenantId,
      accessKey,
      attemptCount: 1,
      lastError: 'El SRI respondió HTTP 500.',
    });
    // A retry that fails, or whose entry fails, leaves the job unchanged, and no entry.
    const { engine } = server.services;
    for (const fault of [{ newId: fail }, { engine: { ...engine, retry: fail } }]) {
      const failing = retryJob({ ...server.services, ...fault }, { actor: 'test', channel: 'CLI' }, job?.id ?? '');
      await expect(failing).rejects.toThrow('no room');
      expect([await jobs(), await auditOf(server, job?.id ?? '')]).toEqual([[job], []]);
    }
    const retried = await ask('POST', `jobs/${job?.id}/retry`);
    expect([retried.status, retried.body.job['status']]).toEqual([202, 'PENDING']);
    expect(await jobs()).toEqual([]);
    expect(await auditOf(server, job?.id ?? '')).toEqual([
      expect.objectContaining({
        action: 'job.retry',
        targetType: 'job',
        after: { kind: 'SRI_SEND', subject: null, accessKey, attemptCount: 1 },
      }),
    ]);
    expect((await ask('POST', `jobs/${job?.id}/retry`)).status).toBe(404);
    expect(await auditOf(server, job?.id ?? '')).toHaveLength(1);
  });

  it('a retry writes a failed verification mail again, with a valid link', async () => {
    const fresh = await registerTenant(server);
    const { id } = await readRow(server, 'jobs', { tenant_id: fresh.tenantId });
    await mark(id, 'FAILED');
    expect(await jobOf(id)).toMatchObject({ kind: 'MAIL', subject: 'VERIFICATION', accessKey: null });
    expect((await ask('POST', `jobs/${id}/retry`)).status).toBe(202);
    expect(await jobOf(id)).toBeNull();
    await server.tick();
    const token = /\n([0-9a-f]{64})\n/.exec((await server.mails()).at(-1) ?? '')?.[1] ?? 'none';
    expect((await postJson(server, '/v1/verify-email', {}, { token })).status).toBe(200);
    await mark(id, 'FAILED');
    const refused = await ask('POST', `jobs/${id}/retry`);
    expect([refused.status, refused.body.code]).toEqual([409, 'NOTHING_TO_RETRY']);
    // A recovery mail has lost its link too, and only another recovery makes a link.
    await changeRows(server, 'jobs', { id }, { subject: 'RECOVERY' });
    const recovery = await ask('POST', `jobs/${id}/retry`);
    expect([recovery.status, recovery.body.code]).toEqual([409, 'NOTHING_TO_RETRY']);
    await mark(id, 'SKIPPED');
  });

  it('a retry sends the mail to a buyer again, and its document shows it', async () => {
    const { accessKey } = await documentsOf(server, tenant).authorized();
    await server.tick();
    const mail = await readRow(server, 'jobs', { access_key: accessKey });
    expect(mail.status).toBe('SENT');
    await mark(mail.id, 'FAILED');
    const sentBefore = (await server.mails()).length;
    expect(await jobOf(mail.id)).toMatchObject({ kind: 'MAIL', subject: 'AUTHORIZED', accessKey });
    // A retry that fails at either of its two writes leaves the job unchanged, and no entry.
    const { outbox } = server.services;
    for (const fault of [{ newId: fail }, { outbox: { ...outbox, engine: { ...outbox.engine, get: fail } } }]) {
      const retried = retryJob({ ...server.services, ...fault }, { actor: 'test', channel: 'CLI' }, mail.id);
      await expect(retried).rejects.toThrow('no room');
      expect([await jobOf(mail.id), await auditOf(server, mail.id)]).toEqual([expect.anything(), []]);
    }
    expect((await ask('POST', `jobs/${mail.id}/retry`)).status).toBe(202);
    await server.tick();
    expect(await jobOf(mail.id)).toBeNull();
    const after = await readRow(server, 'jobs', { id: mail.id }, ['status']);
    expect(after.status).toBe('SENT');
    // The repeated mail replaces the file of the same name.
    expect((await server.mails()).length).toBe(sentBefore);
    expect(await auditOf(server, mail.id)).toHaveLength(1);
  });

  it('a retry makes a delivery due again, unless its endpoint was removed', async () => {
    const { database, webhooks } = server.services;
    const created = await postJson(server, '/v1/webhooks', tenant.auth, { url: 'https://hooks.example.com/x' });
    const { endpoint } = (await created.json()) as { endpoint: { id: string } };
    const now = server.clock.now();
    const ids = { message: webhooks.newId(now), delivery: webhooks.newId(now) };
    await database.transaction((tables) =>
      insertMessages(tables, [
        {
          id: ids.message,
          tenantId: tenant.tenantId,
          notificationId: null,
          event: 'TEST',
          data: '{}',
          deliveries: [{ id: ids.delivery, endpointId: endpoint.id }],
          now,
        },
      ]),
    );
    await mark(ids.delivery, 'FAILED');
    expect(await jobOf(ids.delivery)).toMatchObject({ kind: 'WEBHOOK', subject: 'TEST', endpointId: endpoint.id });
    expect((await ask('POST', `jobs/${ids.delivery}/retry`)).status).toBe(202);
    const row = await database.read((tables) =>
      tables.selectFrom('jobs').selectAll().where('id', '=', ids.delivery).executeTakeFirstOrThrow(),
    );
    expect([row.status, row.attempt_count]).toEqual(['PENDING', 0]);
    await server.request(`/v1/webhooks/${endpoint.id}`, { method: 'DELETE', headers: tenant.auth });
    const before = await storedRows(server);
    const refused = await ask('POST', `jobs/${ids.delivery}/retry`);
    expect([refused.status, refused.body.code]).toEqual([409, 'NOTHING_TO_RETRY']);
    expect(await storedRows(server)).toEqual(before);
  });

  it('the list of jobs has pages, newest first', async () => {
    const all = await jobs();
    const { body } = await ask('GET', 'jobs?limit=1');
    expect(body.pagination).toEqual({ total: 2, page: 1, limit: 1 });
    expect([...body.jobs, ...(await ask('GET', 'jobs?page=2&limit=1')).body.jobs]).toEqual(all);
    expect((await ask('GET', 'jobs?page=3&limit=1')).body.jobs).toEqual([]);
  });
});
