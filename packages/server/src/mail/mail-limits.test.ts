import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Environment, ecuadorDate } from 'sri-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ServerDatabase } from '../platform/database/tables.js';
import { changeJobs, claimJob } from '../platform/jobs/job-rows.js';
import { sessionsBehind } from '../testing/blocked-sessions.js';
import { changeTenant, readRow } from '../testing/change-rows.js';
import { failingDatabase } from '../testing/failing-database.js';
import { setStatus, verifiedTenant } from '../testing/production-tenant.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  type RegistrationFields,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';
import { countMail } from './held-mail-rows.js';
import { releaseDueHolds } from './mail-admission.js';
import { recordReport } from './record-report.js';
import { insertMailsOnce, requeueMails } from './rows.js';

const DAY_MS = 86_400_000;
const SANDBOX_MAILS_A_DAY = 50;
const OVER = /ya envió hoy todos los correos que puede/;

describeOnDatabases('mails of documents', await everyDatabaseKind(), (open) => {
  let server: TestServer;
  let made = 0;
  beforeAll(async () => {
    server = await open({ settings: { PLANS_FILE: await plansFile({ FREE: { mailsPerDay: 3 } }) } });
  });

  async function plansFile(content: unknown): Promise<string> {
    const path = join(await mkdtemp(join(tmpdir(), 'sri-plans-')), 'plans.json');
    await writeFile(path, JSON.stringify(content));
    return path;
  }

  /** Authorized documents with one mail attempt each, to different addresses. */
  async function mailed(of: TestTenant, count = 1, { on = server, to = '' } = {}): Promise<readonly Mailed[]> {
    const sent: Mailed[] = [];
    for (let index = 0; index < count; index += 1) {
      made += 1;
      const email = to || `comprador${made}@ejemplo.ec`;
      const buyer = { ...SIMPLE_INVOICE.buyer, email };
      const { accessKey } = await createDocument(on, of, { ...SIMPLE_INVOICE, buyer });
      await postJson(on, `/v1/documents/${accessKey}/send`, of.headers, {});
      sent.push({ accessKey, email });
    }
    await on.tick();
    await on.tickAfter(10_000);
    return sent;
  }
  interface Mailed {
    readonly accessKey: string;
    readonly email: string;
  }

  async function emailOf(of: TestTenant, { accessKey }: Mailed, on = server) {
    const response = await on.request(`/v1/documents/${accessKey}`, { headers: of.headers });
    const { document } = (await response.json()) as { document: { email: { status: string; error: string | null } } };
    return document.email;
  }
  const statusesOf = async (of: TestTenant, documents: readonly Mailed[], on = server) =>
    Promise.all(documents.map(async (each) => (await emailOf(of, each, on)).status));
  /** The mails to an address. */
  const mailsTo = async (email: string, on = server) =>
    (await on.mails()).filter((mail) => mail.includes(email) && mail.includes('RIDE-'));
  const retry = (of: TestTenant, { accessKey }: Mailed, query = '') =>
    postJson(server, `/v1/documents/${accessKey}/email-retry${query}`, of.headers, {});
  /** Sets the count of the account's mails today. */
  const countUp = (of: TestTenant, environment: Environment, count: number) =>
    server.services.database.transaction((tables) =>
      tables
        .insertInto('mail_days')
        .values({ tenant_id: of.tenantId, environment, day: ecuadorDate(server.clock.now()), mail_count: count })
        .execute(),
    );
  async function countedToday(of: TestTenant): Promise<number> {
    const day = ecuadorDate(server.clock.now());
    const row = await server.services.database.read((tables) =>
      tables
        .selectFrom('mail_days')
        .select('mail_count')
        .where('tenant_id', '=', of.tenantId)
        .where('day', '=', day)
        .executeTakeFirst(),
    );
    return row?.mail_count ?? 0;
  }

  describe('mails of an account whose address is not verified', () => {
    /** An account with a certificate of its RUC, so that its documents are authorized. */
    async function unverified(fields: RegistrationFields = {}): Promise<TestTenant> {
      const tenant = await verifiedTenant(server, fields);
      await setStatus(server, tenant, 'PENDING_VERIFICATION');
      return tenant;
    }

    async function verify(email: string): Promise<void> {
      const own = (await server.mails()).filter((mail) => mail.includes(`To: ${email}`));
      const tokens = own.flatMap((mail) => /\n([0-9a-f]{64})\n/.exec(mail)?.[1] ?? []);
      expect((await postJson(server, '/v1/verify-email', {}, { token: tokens.at(-1) })).status).toBe(200);
    }

    it('mails of an unverified account wait with a reason, and are sent after the verification', async () => {
      const email = 'espera1@ejemplo.ec';
      const tenant = await unverified({ email });
      const [first] = (await mailed(tenant)) as [Mailed];
      expect(await emailOf(tenant, first)).toEqual({
        ...(await emailOf(tenant, first)),
        status: 'PENDING',
        error: 'El correo espera hasta que se verifique el correo de la cuenta.',
      });
      const inEnglish = await server.request(`/v1/documents/${first.accessKey}`, {
        headers: { ...tenant.headers, 'accept-language': 'en' },
      });
      expect(await inEnglish.json()).toMatchObject({
        document: { email: { error: "The mail waits until the account's e-mail is verified." } },
      });
      // The mail is not sent after days or on request.
      await server.tickAfter(2 * DAY_MS);
      const asked = await retry(tenant, first);
      expect(await asked.json()).toMatchObject({
        result: { sent: false, reason: 'queued' },
        document: { email: { status: 'PENDING', error: expect.stringContaining('verifique') } },
      });
      const bulk = await postJson(server, '/v1/documents/email-retry', tenant.headers, {});
      expect(await bulk.json()).toMatchObject({ result: { attempted: 1, succeeded: 0 } });
      const copy = await postJson(server, `/v1/documents/${first.accessKey}/email-retry`, tenant.headers, {
        email: 'extrano@ejemplo.ec',
      });
      expect(await copy.json()).toMatchObject({ result: { sent: false, reason: 'queued' } });
      expect([await mailsTo(first.email), await mailsTo('extrano@ejemplo.ec')]).toEqual([[], []]);
      await postJson(server, '/v1/resend-verification', {}, { email });
      await server.services.background.idle();
      await server.tick();
      await verify(email);
      await server.tick();
      expect(await emailOf(tenant, first)).toMatchObject({ status: 'SENT', sentAt: expect.any(String) });
      expect(await mailsTo(first.email)).toHaveLength(1);
      expect(await mailsTo('extrano@ejemplo.ec')).toHaveLength(1);
    });

    it('mails of an unverified account to its own address are sent', async () => {
      const tenant = await unverified({ email: 'Espera2@ejemplo.ec' });
      const own = await mailed(tenant, 1, { to: 'espera2@ejemplo.ec' });
      expect(await statusesOf(tenant, own)).toEqual(['SENT']);
    });

    it('mails of an unverified account also wait during a suspension', async () => {
      const suspended = await unverified();
      const change = (values: Record<string, string | null>) => changeTenant(server, suspended, values);
      const { accessKey } = await createDocument(server, suspended);
      await postJson(server, `/v1/documents/${accessKey}/send`, suspended.headers, {});
      await server.services.engine.tick();
      await change({ status: 'SUSPENDED', status_before_suspension: 'PENDING_VERIFICATION' });
      await server.tickAfter(10_000);
      expect(await emailOf(suspended, { accessKey, email: '' })).toMatchObject({
        status: 'PENDING',
        error: expect.stringContaining('verifique'),
      });
    });
  });

  it('mails of the sandbox start with a mark in both languages', async () => {
    for (const [language, subject, line] of [
      ['es', '[PRUEBAS,', 'PRUEBAS, sin validez tributaria'],
      ['en', '[PRUEBAS (test), not valid]', 'PRUEBAS (test), without fiscal validity'],
    ] as const) {
      const tenant = await verifiedTenant(server, { language });
      const [{ email }] = (await mailed(tenant)) as [Mailed];
      const [mail = ''] = await mailsTo(email);
      const raw = /^Subject: (.*(?:\n .*)*)$/m.exec(mail)?.[1] ?? '';
      const toCharacter = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
      const decoded = raw.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, toCharacter);
      expect(decoded).toContain(subject);
      expect(mail.split(line)).toHaveLength(3);
    }
  });

  it('mails of production have no sandbox mark', async () => {
    const tenant = await inProduction();
    const [{ email }] = (await mailed(tenant)) as [Mailed];
    const [mail] = await mailsTo(email);
    expect(mail).toBeDefined();
    expect(mail).not.toContain('PRUEBAS');
  });

  /** An account in production, by its rows only. */
  async function inProduction(): Promise<TestTenant> {
    const tenant = await verifiedTenant(server);
    await server.services.database.transaction(async (tables) => {
      const production = { environment: 'production' };
      await tables.updateTable('tenants').set(production).where('id', '=', tenant.tenantId).execute();
      await tables.updateTable('api_keys').set(production).where('tenant_id', '=', tenant.tenantId).execute();
    });
    return tenant;
  }

  it('an account sends 50 mails of the sandbox a day, and the rest on the next day', async () => {
    const tenant = await verifiedTenant(server);
    await countUp(tenant, 'sandbox', SANDBOX_MAILS_A_DAY - 1);
    const documents = await mailed(tenant, 3);
    expect((await statusesOf(tenant, documents)).toSorted()).toEqual(['PENDING', 'PENDING', 'SENT']);
    const held = [];
    for (const each of documents) if ((await emailOf(tenant, each)).status === 'PENDING') held.push(each);
    const [first] = held as [Mailed];
    expect((await emailOf(tenant, first)).error).toMatch(OVER);
    // A request on the same day still waits, and another account is not affected.
    expect(await (await retry(tenant, first)).json()).toMatchObject({
      result: { sent: false, reason: 'queued' },
      document: { email: { status: 'PENDING', error: expect.stringMatching(OVER) } },
    });
    const neighbour = await verifiedTenant(server);
    expect(await statusesOf(neighbour, await mailed(neighbour))).toEqual(['SENT']);
    await server.tickAfter(DAY_MS);
    expect(await statusesOf(tenant, documents)).toEqual(['SENT', 'SENT', 'SENT']);
    expect(await mailsTo(first.email)).toHaveLength(1);
  });

  it('mails of production are limited by the plan', async () => {
    const tenant = await inProduction();
    const documents = await mailed(tenant, 8);
    const sentOn = async () => (await statusesOf(tenant, documents)).filter((status) => status === 'SENT').length;
    const counts = [await sentOn()];
    for (let day = 0; day < 3; day += 1) {
      await server.tickAfter(DAY_MS);
      counts.push(await sentOn());
    }
    expect(counts).toEqual([3, 6, 8, 8]);
  });

  it('a waiting mail is sent on request under a larger plan', async () => {
    const tenant = await inProduction();
    const documents = await mailed(tenant, 4);
    await changeTenant(server, tenant, { subscription_tier: 'STARTER' });
    const bulk = await postJson(server, '/v1/documents/email-retry', tenant.headers, {});
    expect(await bulk.json()).toMatchObject({ result: { attempted: 1, succeeded: 1 } });
    expect(await statusesOf(tenant, documents)).toEqual(['SENT', 'SENT', 'SENT', 'SENT']);
  });

  it('a mail counts once for all attempts, and again when it is repeated', async () => {
    const tenant = await verifiedTenant(server);
    const [document] = (await mailed(tenant)) as [Mailed];
    expect(await countedToday(tenant)).toBe(1);
    const row = await readRow(server, 'jobs', { access_key: document.accessKey }, ['id']);
    const day = ecuadorDate(server.clock.now());
    const again = (of = day, limit = 1) =>
      server.services.database.transaction((tables) =>
        countMail(tables, row.id, { tenantId: tenant.tenantId, environment: 'sandbox', day: of, limit }),
      );
    expect([await again(), await again(), await countedToday(tenant)]).toEqual([true, true, 1]);
    expect(await again('2099-01-01', 0)).toBe(false);
    expect(await (await retry(tenant, document, '?force=true')).json()).toMatchObject({ result: { sent: true } });
    expect(await countedToday(tenant)).toBe(2);
  });

  it('a requested repeat over the limit is sent later, also after a report on the first sending', async () => {
    const tenant = await verifiedTenant(server);
    const [document] = (await mailed(tenant)) as [Mailed];
    const { database, outbox } = server.services;
    await database.transaction((tables) =>
      tables
        .updateTable('mail_days')
        .set({ mail_count: SANDBOX_MAILS_A_DAY })
        .where('tenant_id', '=', tenant.tenantId)
        .execute(),
    );
    expect(await (await retry(tenant, document, '?force=true')).json()).toMatchObject({ result: { sent: false } });
    const row = () =>
      database.read((tables) =>
        tables
          .selectFrom('jobs')
          .select(['id', 'status', 'done_at'])
          .where('access_key', '=', document.accessKey)
          .executeTakeFirstOrThrow(),
      );
    const { id } = await row();
    expect(await recordReport(outbox, id, 'delivered')).toBe(true);
    expect(await emailOf(tenant, document)).toMatchObject({ status: 'DELIVERED' });
    expect(await row()).toMatchObject({ status: 'OVER_LIMIT' });
    await server.clock.advance(DAY_MS);
    const before = server.clock.now().getTime();
    await server.tick();
    const sent = await row();
    expect(sent.status).toBe('SENT');
    expect(sent.done_at).toBeGreaterThanOrEqual(before);
  });

  it('a commit queues three thousand mails once', async () => {
    const { tenantId, issuerId } = await verifiedTenant(server);
    const { database, webhooks } = server.services;
    const now = server.clock.now();
    const id = webhooks.newId(now);
    const document = {
      ...{ id, issuerId, environment: 'sandbox' as const, accessKey: '1'.repeat(49) },
      ...{ automatic: true, requested: false },
    };
    const mails = Array.from({ length: 3_000 }, (_, index) => ({
      ...{ id: webhooks.newId(now), tenantId, kind: 'AUTHORIZED' as const, recipient: `comprador${index}@ejemplo.ec` },
      ...{ language: 'es' as const, data: {}, token: null, document, createdAt: now },
    }));
    const queued = await database.transaction(async (tables) => {
      for (let time = 0; time < 2; time += 1) await insertMailsOnce(tables, mails);
      const rows = await tables.deleteFrom('jobs').where('authorization_of', '=', id).returning('id').execute();
      return rows.length;
    });
    expect(queued).toBe(3_000);
  });

  it('waiting mails are postponed in parts, however many there are', async () => {
    const tenant = await verifiedTenant(server);
    await countUp(tenant, 'sandbox', SANDBOX_MAILS_A_DAY - 5);
    const { tenantId, issuerId } = tenant;
    const { database, outbox, webhooks } = server.services;
    const now = server.clock.now();
    const document = {
      ...{ id: webhooks.newId(now), issuerId, environment: 'sandbox' as const, accessKey: '1'.repeat(49) },
      ...{ automatic: true, requested: false },
    };
    const mails = Array.from({ length: 2_500 }, (_, index) => ({
      ...{ id: webhooks.newId(now), tenantId, kind: 'AUTHORIZED' as const, recipient: `comprador${index}@ejemplo.ec` },
      ...{ language: 'es' as const, data: {}, token: null, document, createdAt: now },
    }));
    const ofTenant = sql<boolean>`tenant_id = ${tenantId}`;
    await database.transaction(async (tables) => {
      await insertMailsOnce(tables, mails);
      await changeJobs(tables, sql`${ofTenant} and document_id = ${document.id}`, {
        status: 'OVER_LIMIT',
        due_at: now.getTime() - 1,
      });
    });
    const due = () =>
      database.read(async (tables) => {
        const rows = tables.selectFrom('jobs').select('id').where(ofTenant).where('status', '=', 'OVER_LIMIT');
        return (await rows.where('due_at', '<=', now.getTime()).execute()).length;
      });
    const left: number[] = [];
    const watched: ServerDatabase = {
      ...database,
      async transaction(work) {
        const result = await database.transaction(work);
        left.push(await due());
        return result;
      },
    };
    await releaseDueHolds({ ...outbox, database: watched });
    await database.transaction((tables) => tables.deleteFrom('jobs').where('document_id', '=', document.id).execute());
    expect(left).toEqual([2_495, 1_495, 495, 0]);
  });

  it('waiting mails are sent although the release of another account fails', async () => {
    const on = await open({});
    const { database, outbox } = on.services;
    const tenants = [await verifiedTenant(on), await verifiedTenant(on)];
    const documents: Mailed[] = [];
    for (const tenant of tenants) documents.push(...(await mailed(tenant, 1, { on })));
    await database.transaction((tables) =>
      changeJobs(tables, sql`document_id is not null and kind = 'MAIL'`, {
        ...{ status: 'OVER_LIMIT', due_at: on.clock.now().getTime() - 1 },
      }),
    );
    await releaseDueHolds({ ...outbox, database: failingDatabase(database, 1) });
    const held = await database.read((tables) =>
      tables.selectFrom('jobs').select('id').where('status', '=', 'OVER_LIMIT').execute(),
    );
    expect(documents).toHaveLength(2);
    expect(held).toHaveLength(1);
  });

  it('two processes share the limit', async () => {
    const other = await open({ beside: server });
    const tenant = await verifiedTenant(server);
    await countUp(tenant, 'sandbox', SANDBOX_MAILS_A_DAY - 5);
    const keys: Mailed[] = [];
    for (let index = 0; index < 12; index += 1) {
      const { accessKey } = await createDocument(server, tenant);
      await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
      keys.push({ accessKey, email: '' });
    }
    await server.services.engine.tick();
    await server.clock.advance(10_000);
    await server.services.engine.tick();
    await Promise.all([server.tick(), other.tick()]);
    expect((await statusesOf(tenant, keys)).filter((status) => status === 'SENT')).toHaveLength(5);
    await server.clock.advance(DAY_MS);
    await Promise.all([server.tick(), other.tick()]);
    await Promise.all([server.tick(), other.tick()]);
    expect(new Set(await statusesOf(tenant, keys))).toEqual(new Set(['SENT']));
    expect(await countedToday(tenant)).toBe(7);
  });

  it.each([
    { mode: 'own', statuses: ['SENT', 'SKIPPED'] },
    { mode: 'off', statuses: ['SKIPPED', 'SKIPPED'] },
  ])('SANDBOX_MAIL=$mode skips mails of the sandbox to other addresses', async ({ mode, statuses }) => {
    const on = await open({ settings: { SANDBOX_MAIL: mode } });
    const tenant = await verifiedTenant(on, { email: 'propio@ejemplo.ec' });
    const documents = [
      ...(await mailed(tenant, 1, { on, to: 'PROPIO@ejemplo.ec' })),
      ...(await mailed(tenant, 1, { on })),
    ];
    expect(await statusesOf(tenant, documents, on)).toEqual(statuses);
    const [, stranger] = documents as [Mailed, Mailed];
    await postJson(on, `/v1/documents/${stranger.accessKey}/email-retry`, tenant.headers, {});
    expect(await mailsTo(stranger.email, on)).toEqual([]);
  });
});

// SQLite runs one transaction at a time.
const concurrentKinds = (await everyDatabaseKind()).filter(({ name }) => name !== 'SQLite');

describeOnDatabases('a mail that waits for the next day', concurrentKinds, (open) => {
  it('the release of a waiting mail keeps the lease of another process', async () => {
    const server = await open({});
    const other = await open({ beside: server });
    const { tenantId, issuerId } = await verifiedTenant(server);
    const { database, outbox, webhooks } = server.services;
    const now = server.clock.now();
    const id = webhooks.newId(now);
    const document = { id: webhooks.newId(now), issuerId, environment: 'sandbox' as const, accessKey: '1'.repeat(49) };
    await database.transaction(async (tables) => {
      const words = { kind: 'AUTHORIZED', recipient: 'a@ejemplo.ec', language: 'es', data: {}, token: null } as const;
      const about = { ...document, automatic: true, requested: false };
      await insertMailsOnce(tables, [{ id, tenantId, ...words, document: about, createdAt: now }]);
      await changeJobs(tables, sql`id = ${id}`, { status: 'OVER_LIMIT', due_at: now.getTime() - 1 });
    });
    let released = Promise.resolve();
    await other.services.database.transaction(async (tables) => {
      await requeueMails(tables, document.id, { now, language: 'es', sentToo: false });
      await claimJob(tables, database.traits, 'MAIL', id, { now, leaseMs: 60_000 });
      released = releaseDueHolds(outbox);
      await sessionsBehind(server, tables);
    });
    await released;
    const row = await database.read((tables) =>
      tables.selectFrom('jobs').select(['status', 'lease_until']).where('id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(row).toEqual({ status: 'PENDING', lease_until: now.getTime() + 60_000 });
  });
});
