import { createHash } from 'node:crypto';
import { setImmediate as othersTurn, setTimeout as turn } from 'node:timers/promises';
import { silentLogger } from 'sri-core';
import type { OperationAnswer } from 'sri-core/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLoop } from '../platform/jobs/loop.js';
import { readRows } from '../testing/change-rows.js';
import { failingDatabase } from '../testing/failing-database.js';
import { UNKNOWN_ID } from '../testing/issuer-suite.js';
import { ownAccount } from '../testing/own-account.js';
import {
  acceptAgreements,
  asWebApplication,
  setStatus,
  WEB_SECRET,
  WEB_SETTINGS,
} from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, sendJson, type TestTenant } from '../testing/test-tenant.js';
import { acceptAgreements as acceptAllAgreements } from './accept-agreements.js';
import { generateDueAgreements } from './generate-agreements.js';
import { agreementsTask } from './jobs.js';
import { publishAgreement, publishShippedAgreements } from './publish-agreements.js';
import { readOwnAgreements } from './read-agreements.js';
import { putPendingAgreement } from './rows.js';

const PATH = '/v1/tenants/agreements';
const TYPES = ['TERMS', 'PRIVACY', 'DPA'];

describeOnDatabases('agreements', await databaseKinds(), (open) => {
  let server: TestServer;

  async function get(of: TestTenant, path = PATH, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return server.request(path, { headers: { ...of.auth, ...headers } });
  }

  async function standing(of: TestTenant): Promise<Record<string, unknown>> {
    return ((await (await get(of)).json()) as { agreements: Record<string, unknown> }).agreements;
  }

  async function history(of: TestTenant): Promise<OperationAnswer<'listAgreementCopies'>['documents']> {
    return ((await (await get(of, `${PATH}/history`)).json()) as OperationAnswer<'listAgreementCopies'>).documents;
  }

  async function accept(of: TestTenant, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    return postJson(server, PATH, { ...asWebApplication(of.tenantId), ...headers }, body);
  }

  /** The stored rows, in the order of the types. */
  async function stored(of: TestTenant) {
    const rows = await readRows(server, 'tenant_agreements', { tenant_id: of.tenantId });
    return rows.toSorted((a, b) => TYPES.indexOf(a.document_type) - TYPES.indexOf(b.document_type));
  }

  beforeAll(async () => {
    server = await open({ settings: WEB_SETTINGS });
  });

  it('the acceptance of an agreement is no earlier than the generation of its copy', async () => {
    const tenant = await registerTenant(server);
    let now = server.clock.now().getTime();
    const clock = { ...server.services.agreements.clock, now: () => new Date(now++) };
    const request = { termsVersion: '1.0', byName: null, fromAddress: '127.0.0.1', userAgent: null };
    await acceptAllAgreements({ ...server.services.agreements, clock }, tenant.tenantId, request);
    for (const { generatedAt, acceptedAt } of await history(tenant)) {
      expect(Date.parse(acceptedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(generatedAt));
    }
  });

  it('[R143] generates the agreements of an account in the background', async () => {
    const tenant = await registerTenant(server);
    const { agreements } = server.services;
    await readOwnAgreements({ ...agreements, readOnly: true }, tenant.tenantId);
    await generateDueAgreements(agreements, server.services.logger, AbortSignal.abort());
    expect(await stored(tenant)).toEqual([]);
    await server.tick();
    const rows = await stored(tenant);
    expect(rows.map((row) => [row.document_type, row.template_version, row.language, row.status])).toEqual(
      TYPES.map((type) => [type, '1.0', 'es', 'PENDING']),
    );
    for (const row of rows) {
      expect(row.content).toContain('Comercial Ñandú & Hijos S.A.');
      expect(row.content).not.toContain('{{');
      expect(row.content_sha256).toBe(createHash('sha256').update(row.content).digest('hex'));
    }
    expect(await ownAccount(server, tenant)).toMatchObject({ agreementAcceptedAt: null, agreementVersion: null });
  });

  it('[R143] a running server generates agreements within a minute of the registration', async () => {
    const loop = createLoop(agreementsTask(server.services.agreements, silentLogger), server.clock, silentLogger);
    loop.start();
    await server.clock.advance(0);
    const tenant = await registerTenant(server);
    for (let second = 0; second < 60; second += 1) {
      await server.clock.advance(1000);
      await turn();
    }
    await loop.stop();
    expect(await stored(tenant)).toHaveLength(3);
  });

  it('[R304] [R321] a request with any key gets the agreements at once', async () => {
    const tenant = await registerTenant(server);
    expect(await standing(tenant)).toEqual({
      needsAcceptance: true,
      outdated: TYPES.map((documentType) => ({
        documentType,
        currentVersion: '1.0',
        acceptedVersion: null,
        status: 'PENDING',
        url: `/v1/tenants/agreements/${documentType}`,
        acceptUrl: '/v1/tenants/agreements',
      })),
      hasPublishedAgreements: true,
      agreementsEnabled: true,
    });
    const other = await registerTenant(server, { language: 'en' });
    expect(await history(other)).toEqual(
      expect.arrayContaining(
        TYPES.map((documentType) => ({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          documentType,
          templateVersion: '1.0',
          status: 'PENDING',
          generatedAt: expect.stringMatching(/Z$/),
          acceptedAt: null,
          language: 'en',
          contentSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        })),
      ),
    );
  });

  it('[R309] an account reads its own agreements alone, as a page or as Markdown', async () => {
    const tenant = await registerTenant(server, { businessName: '<b>A & *B*</b>' });
    const page = await get(tenant, `${PATH}/terms`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-language')).toBe('es');
    expect(page.headers.get('x-document-status')).toBe('PENDING');
    expect(page.headers.get('x-template-version')).toBe('1.0');
    expect(page.headers.get('x-accepted-at')).toBeNull();
    const html = await page.text();
    expect(html).toContain('<h1>Términos del servicio</h1>');
    expect(html).toContain('&lt;b&gt;A &amp; *B*&lt;/b&gt;');
    const markdown = await get(tenant, `${PATH}/TERMS`, { accept: 'text/markdown' });
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const weighed = await get(tenant, `${PATH}/TERMS`, { accept: 'text/html;q=0.5, Text/Markdown; charset=utf-8' });
    expect(weighed.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const pageTypes = ['text/html, text/markdown;q=0.5', 'text/markdown;q=0.5, text/html', 'text/markdown;q=0', '*/*'];
    for (const accept of [...pageTypes, 'application/json']) {
      const shown = await get(tenant, `${PATH}/TERMS`, { accept });
      expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    const text = await markdown.text();
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      (await history(tenant)).find(({ documentType }) => documentType === 'TERMS')?.contentSha256,
    );
    const bad = await get(tenant, `${PATH}/CONTRACT`);
    expect(await bad.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'path:type' }] });
    expect((await server.request(`${PATH}/TERMS`)).status).toBe(401);
  });

  it('the published agreements are public and contain no account’s data', async () => {
    const list = await server.request('/v1/agreements');
    expect(await list.json()).toEqual({
      ok: true,
      documents: TYPES.map((documentType) => ({
        documentType,
        version: '1.0',
        url: `http://localhost:3000/v1/agreements/${documentType}`,
      })),
    });
    for (const type of TYPES) {
      const spanish = await server.request(`/v1/agreements/${type}`);
      expect(spanish.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await spanish.text()).toContain('[razón social]');
      const english = await server.request(`/v1/agreements/${type}`, {
        headers: { 'accept-language': 'en', accept: 'text/markdown' },
      });
      const text = await english.text();
      expect(text).toContain('business name');
      expect(text).not.toContain('{{');
    }
    const bad = await server.request('/v1/agreements/x', { headers: { accept: 'text/html' } });
    expect([bad.status, bad.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });

  describe('the acceptance of agreements', () => {
    it('[R022] [R304] an acceptance stores version, time, person and address, and shows in the account', async () => {
      const tenant = await registerTenant(server);
      const answer = await accept(
        tenant,
        { termsVersion: '1.0', acceptedByName: ' María Ñacata ' },
        { 'x-forwarded-visitor-ip': '2800:370:1:2::9', 'user-agent': 'Navegador/1.0' },
      );
      expect(answer.status).toBe(200);
      const at = server.clock.now().toISOString();
      expect(await answer.json()).toEqual({
        ok: true,
        agreements: { needsAcceptance: false, outdated: [], hasPublishedAgreements: true, agreementsEnabled: true },
        tenant: expect.objectContaining({
          id: tenant.tenantId,
          agreementAcceptedAt: at,
          agreementVersion: '1.0',
          sandbox: true,
        }),
      });
      for (const row of await stored(tenant)) {
        expect(row).toMatchObject({
          status: 'ACCEPTED',
          template_version: '1.0',
          content_sha256: createHash('sha256').update(row.content).digest('hex'),
          accepted_at: Date.parse(at),
          accepted_by_name: 'María Ñacata',
          accepted_from_address: '2800:370:1:2::9',
          accepted_user_agent: 'Navegador/1.0',
        });
      }
      const own = await get(tenant, `${PATH}/DPA`);
      expect([own.headers.get('x-document-status'), own.headers.get('x-accepted-at')]).toEqual(['ACCEPTED', at]);
      expect(await ownAccount(server, tenant)).toMatchObject({ agreementAcceptedAt: at, agreementVersion: '1.0' });
    });

    it('the text of an accepted agreement never changes', async () => {
      const tenant = await registerTenant(server);
      await acceptAgreements(server, tenant);
      const before = await stored(tenant);
      await server.services.database.transaction((tables) =>
        putPendingAgreement(tables, tenant.tenantId, {
          id: UNKNOWN_ID,
          documentType: 'TERMS',
          templateVersion: '1.0',
          language: 'en',
          content: 'otro texto',
          contentSha256: '0'.repeat(64),
          generatedAt: server.clock.now(),
        }),
      );
      expect(await stored(tenant)).toEqual(before);
    });

    it('an acceptance stores all or nothing, whichever statement fails', async () => {
      const tenant = await registerTenant(server);
      const { agreements } = server.services;
      const request = { termsVersion: '1.0', byName: null, fromAddress: '::1', userAgent: null };
      let statement = 0;
      let outcome = 'failed';
      while (outcome === 'failed' && statement < 100) {
        statement += 1;
        const database = failingDatabase(agreements.database, statement);
        outcome = await acceptAllAgreements({ ...agreements, database }, tenant.tenantId, request).then(
          () => 'done',
          () => 'failed',
        );
        if (outcome === 'failed') expect(await stored(tenant)).toEqual([]);
      }
      expect(outcome).toBe('done');
      expect((await stored(tenant)).map(({ status }) => status)).toEqual(Array(3).fill('ACCEPTED'));
    });

    it('a second acceptance changes nothing, and ten concurrent acceptances count once', async () => {
      const tenant = await registerTenant(server);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => accept(tenant, { termsVersion: '1.0', acceptedByName: `N${index}` })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const before = await stored(tenant);
      expect(new Set(before.map((row) => row.accepted_by_name)).size).toBe(1);
      const agreementAcceptedAt = server.clock.now().toISOString();
      await server.clock.advance(1000);
      const again = await accept(tenant, { termsVersion: '1.0', acceptedByName: 'Otra' });
      expect(await again.json()).toMatchObject({ ok: true, tenant: { agreementAcceptedAt } });
      expect(await stored(tenant)).toEqual(before);
    });

    it.each([
      ['no version', {}, 'termsVersion'],
      ['a version of 51', { termsVersion: 'x'.repeat(51) }, 'termsVersion'],
      ['a number', { termsVersion: 1 }, 'termsVersion'],
      ['a blank version', { termsVersion: ' ' }, 'termsVersion'],
      ['a name of 301', { termsVersion: '1.0', acceptedByName: 'ñ'.repeat(301) }, 'acceptedByName'],
      ['a name with a control character', { termsVersion: '1.0', acceptedByName: 'a\u0000b' }, 'acceptedByName'],
      ['a name that is a list', { termsVersion: '1.0', acceptedByName: [] }, 'acceptedByName'],
    ])('rejects an acceptance with %s', async (_, body, field) => {
      const tenant = await registerTenant(server);
      const answer = await accept(tenant, body);
      expect(await answer.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', errors: [{ field }] });
      expect(await stored(tenant)).toEqual([]);
    });

    it('rejects the acceptance of an unpublished version', async () => {
      const tenant = await registerTenant(server);
      const answer = await accept(tenant, { termsVersion: '0.9' });
      expect(await answer.json()).toMatchObject({ status: 400, code: 'VERSION_MISMATCH' });
      expect(await standing(tenant)).toMatchObject({ needsAcceptance: true });
    });

    it('[R323] an acceptance is reserved to the web application', async () => {
      const tenant = await registerTenant(server);
      const byKey = await postJson(server, PATH, tenant.auth, { termsVersion: '1.0' });
      expect(await byKey.json()).toMatchObject({ status: 403, code: 'INTERNAL_SERVICE_ONLY' });
      const both = { ...tenant.auth, 'x-internal-service-secret': WEB_SECRET };
      expect((await postJson(server, PATH, both, { termsVersion: '1.0' })).status).toBe(200);
    });

    it('[R326] rejects an acceptance by a suspended account, which can still read', async () => {
      const tenant = await registerTenant(server);
      await setStatus(server, tenant, 'SUSPENDED');
      const refused = await accept(tenant, { termsVersion: '1.0' });
      expect(await refused.json()).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
      expect(await standing(tenant)).toMatchObject({ needsAcceptance: true });
      for (const rest of ['/history', '/TERMS']) expect((await get(tenant, PATH + rest)).status).toBe(200);
    });
  });

  it('agreements follow the account’s language until their acceptance', async () => {
    const tenant = await registerTenant(server);
    expect(await (await get(tenant, `${PATH}/TERMS`)).text()).toContain('Términos del servicio');
    const [before] = await stored(tenant);
    const change = (language: string) => sendJson(server, 'PATCH', '/v1/tenants/language', tenant.auth, { language });
    expect((await change('en')).status).toBe(200);
    expect(await (await get(tenant, `${PATH}/TERMS`)).text()).toContain('Terms of service');
    const [after] = await stored(tenant);
    expect(after).toMatchObject({ id: before?.id, language: 'en', status: 'PENDING' });
    expect(after?.content_sha256).not.toBe(before?.content_sha256);
    await acceptAgreements(server, tenant);
    await change('es');
    await server.tick();
    expect((await stored(tenant)).map(({ language, status }) => `${language} ${status}`)).toEqual(
      Array(3).fill('en ACCEPTED'),
    );
  });
});

describeOnDatabases('publishing agreements', await databaseKinds(), (open) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await open({ settings: WEB_SETTINGS });
  });

  async function shown(of: TestTenant) {
    const response = await server.request(PATH, { headers: of.auth });
    return ((await response.json()) as { agreements: Record<string, unknown> }).agreements;
  }

  async function copies(of: TestTenant): Promise<readonly string[]> {
    const response = await server.request(`${PATH}/history`, { headers: of.auth });
    const { documents } = (await response.json()) as OperationAnswer<'listAgreementCopies'>;
    return documents.map((copy) => `${copy.documentType} ${copy.templateVersion} ${copy.status}`);
  }

  it('several processes publish the texts of the server once', async () => {
    const versions = () => readRows(server, 'agreement_versions');
    const before = await versions();
    expect(before.map((row) => `${row.document_type} ${row.version}`).toSorted()).toEqual([
      'DPA 1.0',
      'PRIVACY 1.0',
      'TERMS 1.0',
    ]);
    await Promise.all(Array.from({ length: 5 }, () => publishShippedAgreements(server.services.agreements)));
    expect(await versions()).toEqual(before);
    await server.services.database.transaction((tables) => tables.deleteFrom('agreement_versions').execute());
    await Promise.all(Array.from({ length: 5 }, () => publishShippedAgreements(server.services.agreements)));
    expect(await versions()).toHaveLength(3);
  });

  it('a new version supersedes pending copies and leaves accepted copies', async () => {
    const waiting = await registerTenant(server);
    const accepted = await registerTenant(server);
    await acceptAgreements(server, accepted);
    await server.tick();
    await server.clock.advance(1000);
    const texts = { es: '# Dos\n\nPara {{businessName}}', en: '# Two' };
    await publishAgreement(server.services.agreements, { documentType: 'TERMS', version: '2.0', texts });
    await server.tick();

    expect((await copies(waiting)).toSorted()).toEqual([
      'DPA 1.0 PENDING',
      'PRIVACY 1.0 PENDING',
      'TERMS 1.0 SUPERSEDED',
      'TERMS 2.0 PENDING',
    ]);
    expect((await copies(waiting))[0]).toBe('TERMS 2.0 PENDING');
    expect((await copies(accepted)).toSorted()).toEqual([
      'DPA 1.0 ACCEPTED',
      'PRIVACY 1.0 ACCEPTED',
      'TERMS 1.0 ACCEPTED',
      'TERMS 2.0 PENDING',
    ]);
    expect(await shown(accepted)).toMatchObject({
      needsAcceptance: true,
      outdated: [{ documentType: 'TERMS', currentVersion: '2.0', acceptedVersion: '1.0', status: 'PENDING' }],
    });

    const accept = (termsVersion: string) =>
      postJson(server, PATH, asWebApplication(accepted.tenantId), { termsVersion });
    expect(await (await accept('1.0')).json()).toMatchObject({ code: 'VERSION_MISMATCH' });
    expect(await (await accept('2.0')).json()).toMatchObject({
      agreements: { needsAcceptance: false },
      tenant: { agreementVersion: '2.0', agreementAcceptedAt: server.clock.now().toISOString() },
    });
    expect((await copies(accepted)).every((copy) => copy.endsWith('ACCEPTED'))).toBe(true);
    const list = await server.request('/v1/agreements/TERMS', { headers: { accept: 'text/markdown' } });
    expect([list.headers.get('x-template-version'), await list.text()]).toEqual([
      '2.0',
      '# Dos\n\nPara \\[razón social\\]',
    ]);
  });

  it('publishing and generating concurrently leaves no account without its copy', async () => {
    const tenants = [];
    for (let index = 0; index < 5; index += 1) tenants.push(await registerTenant(server));
    await server.clock.advance(1000);
    const texts = { es: '# P', en: '# P' };
    await Promise.all([
      ...Array.from({ length: 3 }, () => server.tick()),
      publishAgreement(server.services.agreements, { documentType: 'PRIVACY', version: 'carrera', texts }),
      ...tenants.map(shown),
    ]);
    await server.tick();
    for (const tenant of tenants) {
      const own = (await copies(tenant)).filter((copy) => copy.startsWith('PRIVACY') && copy.endsWith('PENDING'));
      expect(own).toEqual(['PRIVACY carrera PENDING']);
    }
  });

  it('puts a version in force although a clock a day ahead published the last version', async () => {
    const publish = (version: string) =>
      publishAgreement(server.services.agreements, { documentType: 'DPA', version, texts: { es: '# D', en: '# D' } });
    const right = server.clock.now();
    server.clock.set(new Date(right.getTime() + 24 * 3_600_000));
    await publish('adelantada');
    server.clock.set(right);
    await publish('corregida');
    const shownNow = await server.request('/v1/agreements/DPA', { headers: { accept: 'text/markdown' } });
    expect(shownNow.headers.get('x-template-version')).toBe('corregida');
  });

  it('the task generates the agreements of an account although those of another fail', async () => {
    const { agreements, database } = server.services;
    await generateDueAgreements(agreements, silentLogger);
    const tenants = [await registerTenant(server), await registerTenant(server)];
    await generateDueAgreements({ ...agreements, database: failingDatabase(database, 1) }, silentLogger);
    const copiesOf = ({ tenantId }: TestTenant) =>
      readRows(server, 'tenant_agreements', { tenant_id: tenantId, status: 'PENDING' });
    const copies = async () => (await Promise.all(tenants.map(copiesOf))).map(({ length }) => length).toSorted();
    expect(await copies()).toEqual([0, 3]);
    await generateDueAgreements(agreements, silentLogger);
    expect(await copies()).toEqual([3, 3]);
  });

  it('serves requests while many accounts get their copies', async () => {
    const tenant = await registerTenant(server);
    const { database, agreements } = server.services;
    await database.transaction(async (tables) => {
      const row = await tables
        .selectFrom('tenants')
        .selectAll()
        .where('id', '=', tenant.tenantId)
        .executeTakeFirstOrThrow();
      for (let index = 0; index < 200; index += 1) {
        const id = agreements.newId(server.clock.now());
        await tables
          .insertInto('tenants')
          .values({ ...row, id, email_key: id, ruc: id })
          .execute();
      }
    });
    let done = false;
    const generating = generateDueAgreements(agreements, server.services.logger).then((count) => {
      done = true;
      return count;
    });
    let answered = 0;
    while (!done) {
      expect((await server.request('/healthz')).status).toBe(200);
      await othersTurn();
      if (!done) answered += 1;
    }
    expect(await generating).toBeGreaterThan(200);
    expect(answered).toBeGreaterThan(100);
  });

  it.each([
    ['a version without a name', { version: ' ' }, 'version'],
    ['a version that no header can carry', { version: '2 — bis' }, 'version'],
    ['a version of 51 characters', { version: 'x'.repeat(51) }, 'version'],
    ['no text', { texts: { es: 'a', en: ' ' } }, 'contentMarkdown'],
    ['a place that does not exist', { texts: { es: '{{password}}', en: 'a' } }, 'contentMarkdown'],
    ['a text that PostgreSQL cannot store', { texts: { es: 'a\0', en: 'a' } }, 'contentMarkdown'],
    ['too long a text', { texts: { es: 'x'.repeat(300_000), en: 'a' } }, 'contentMarkdown'],
  ])('rejects the publication of %s', async (_, change, field) => {
    const good = { documentType: 'DPA', version: '9', texts: { es: 'a', en: 'a' } } as const;
    await expect(publishAgreement(server.services.agreements, { ...good, ...change })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failures: [{ field }] },
    });
  });

  it('rejects a version that is published already', async () => {
    const again = { documentType: 'DPA', version: '1.0', texts: { es: 'a', en: 'a' } } as const;
    await expect(publishAgreement(server.services.agreements, again)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'VERSION_ALREADY_PUBLISHED' },
    });
  });

  it('AGREEMENTS=off publishes no agreements and asks for no acceptance', async () => {
    const off = await open({ settings: { ...WEB_SETTINGS, AGREEMENTS: 'off' } });
    const tenant = await registerTenant(off);
    await off.tick();
    const own = await off.request(PATH, { headers: tenant.auth });
    expect(await own.json()).toEqual({
      ok: true,
      agreements: { needsAcceptance: false, outdated: [], hasPublishedAgreements: false, agreementsEnabled: false },
    });
    expect(await (await off.request('/v1/agreements')).json()).toEqual({ ok: true, documents: [] });
    const missing = { status: 404, code: 'AGREEMENT_NOT_FOUND' };
    expect(await (await off.request('/v1/agreements/TERMS')).json()).toMatchObject(missing);
    expect(await (await off.request(`${PATH}/TERMS`, { headers: tenant.auth })).json()).toMatchObject(missing);
    const accepted = await postJson(off, PATH, asWebApplication(tenant.tenantId), { termsVersion: '1.0' });
    expect(await accepted.json()).toMatchObject({ code: 'VERSION_MISMATCH' });
  });
});
