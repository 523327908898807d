import { createTestP12 } from 'sri-core/testing';
import { FIRST_ID } from 'sri-storage-adapters';
import { beforeAll, describe, expect, it } from 'vitest';
import { listExpiringCertificates } from '../issuers/expiring-certificate-rows.js';
import { listInspectedIssuers } from '../issuers/inspected-rows.js';
import { insertMail } from '../mail/rows.js';
import { reject, verify } from '../operator/administer-payments.js';
import { releaseTenant, unsuspend } from '../operator/administer-tenants.js';
import { readCertificateEnds } from '../ops/queue-figures.js';
import { ADMIN_SETTINGS, ADMIN_TOKEN } from '../testing/admin-access.js';
import { storeReportedPayment } from '../testing/billing-suite.js';
import { changeRows, changeTenant, readRow, readRows } from '../testing/change-rows.js';
import { formOf } from '../testing/form-of.js';
import { setStatus, verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_PASSWORD, TEST_RUC, type TestServer, testP12 } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  register,
  registerTenant,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';

const DAY_MS = 86_400_000;

const OPERATOR = { actor: 'ana', channel: 'HTTP' } as const;

describeOnDatabases('the release of a RUC and an address', await databaseKinds(), (open) => {
  let server: TestServer;
  let made = 0;
  beforeAll(async () => {
    server = await open({ settings: { ONBOARDING_RATE: '1000/1h', ...ADMIN_SETTINGS } });
  });

  interface Holder extends TestTenant {
    readonly email: string;
    readonly ruc: string;
  }

  async function holder(status = 'PENDING_VERIFICATION'): Promise<Holder> {
    made += 1;
    const names = { email: `ocupa${made}@ejemplo.ec`, ruc: `1793${made.toString().padStart(6, '0')}001` };
    const tenant = await registerTenant(server, names);
    if (status !== 'PENDING_VERIFICATION') await setStatus(server, tenant, status);
    return { ...tenant, ...names };
  }

  async function claim(names: { readonly email: string; readonly ruc: string }): Promise<number> {
    made += 1;
    return (await register(server, names, `10.88.${made >> 8}.${made & 255}`)).status;
  }
  const another = () => {
    made += 1;
    return { email: `nuevo${made}@ejemplo.ec`, ruc: `1794${made.toString().padStart(6, '0')}001` };
  };
  const me = async ({ auth }: TestTenant) => (await server.request('/v1/tenants/me', { headers: auth })).status;
  const rowOf = ({ tenantId }: TestTenant) => readRow(server, 'tenants', { id: tenantId });

  it('RUC and address of a never verified account become free exactly when its link expires', async () => {
    const held = await holder();
    await server.clock.advance(DAY_MS - 1);
    expect(await claim({ ...another(), ruc: held.ruc })).toBe(409);
    expect(await me(held)).toBe(200);
    await server.clock.advance(1);
    expect(await claim({ ...another(), ruc: held.ruc })).toBe(201);
    expect(await me(held)).toBe(401);
    expect(await rowOf(held)).toMatchObject({ status: 'SUSPENDED', suspension_reason: 'VOLUNTARY_CLOSURE' });
    // The address becomes free too.
    expect(await claim({ ...another(), email: held.email.toUpperCase() })).toBe(201);
    const events = await readRows(server, 'tenant_events', { tenant_id: held.tenantId });
    const reported = events.at(-1);
    expect(reported?.event_type).toBe('ACCOUNT_RELEASED');
    expect(JSON.parse(reported?.detail ?? '')).toEqual({
      by: 'NEW_REGISTRATION',
      previousStatus: 'PENDING_VERIFICATION',
    });
  });

  it('RUC and address of two accounts become free together or not at all', async () => {
    const [one, two] = [await holder(), await holder()];
    await server.clock.advance(DAY_MS);
    await setStatus(server, two, 'ACTIVE');
    expect(await claim({ ruc: one.ruc, email: two.email })).toBe(409);
    expect(await me(one)).toBe(200);
    await setStatus(server, two, 'PENDING_VERIFICATION');
    expect(await claim({ ruc: one.ruc, email: two.email })).toBe(201);
    expect([await me(one), await me(two)]).toEqual([401, 401]);
  });

  it('concurrent claims get a free RUC once', async () => {
    const held = await holder();
    await server.clock.advance(DAY_MS);
    const claims = [1, 2, 3].map(() => claim({ ...another(), ruc: held.ruc }));
    expect((await Promise.all(claims)).toSorted()).toEqual([201, 409, 409]);
  });

  it.each(['ACTIVE', 'PAST_DUE', 'SUSPENDED'])('an account that is %s keeps its RUC', async (status) => {
    const held = await holder(status);
    await server.clock.advance(30 * DAY_MS);
    expect(await claim({ ...another(), ruc: held.ruc })).toBe(409);
  });

  it('an account that waits after a recovery keeps its address', async () => {
    const held = await holder();
    await changeTenant(server, held, { recovered_at: 1 });
    await server.clock.advance(30 * DAY_MS);
    expect(await claim({ ...another(), email: held.email })).toBe(409);
  });

  it('the address of a recovered and never verified account becomes free like any other', async () => {
    const held = await holder();
    const body = formOf({ cert: await testP12(), certPassword: TEST_PASSWORD, email: held.email });
    expect((await server.request('/v1/recover', { method: 'POST', body })).status).toBe(200);
    expect(await rowOf(held)).toMatchObject({ recovered_at: expect.any(Number) });
    await server.clock.advance(DAY_MS);
    expect(await claim({ ...another(), email: held.email })).toBe(201);
  });

  it('an account with an authorized document keeps its RUC', async () => {
    const tenant = await verifiedTenant(server, { ruc: TEST_RUC, cert: await certificate() });
    await setStatus(server, tenant, 'PENDING_VERIFICATION');
    const { accessKey } = await createDocument(server, tenant);
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    await server.tick();
    await server.tickAfter(2 * DAY_MS);
    expect(await claim({ ...another(), ruc: TEST_RUC })).toBe(409);
  });

  const certificate = () =>
    createTestP12({ ruc: TEST_RUC, password: 'clave', validFrom: new Date('2026-01-01T00:00:00Z') });

  describe('accounts that the operator releases', () => {
    const release = async (of: TestTenant) => {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      const init = { method: 'POST', headers };
      const response = await server.request(`/v1/admin/tenants/${of.tenantId}/release`, init);
      return (await response.json()) as { ok?: boolean; status?: number; reason?: string; tenant?: object };
    };

    const mailsOf = ({ tenantId }: TestTenant) =>
      readRows(server, 'jobs', { tenant_id: tenantId }, ['subject', 'status']);

    it('RUC and address of a released account become free at once, and the record names the operator', async () => {
      const held = await holder('ACTIVE');
      const { newId, clock } = server.services.outbox;
      const about = { tenantId: held.tenantId, recipient: held.email, language: 'es', createdAt: clock.now() } as const;
      await server.services.database.transaction((tables) =>
        insertMail(tables, { ...about, id: newId(clock.now()), kind: 'PRICE_CHANGE', data: {}, token: null }),
      );
      expect(await release(held)).toMatchObject({
        ok: true,
        tenant: { status: 'SUSPENDED', suspensionReasonCode: 'VOLUNTARY_CLOSURE', ruc: held.ruc, email: held.email },
      });
      expect(await claim({ email: held.email, ruc: held.ruc })).toBe(201);
      expect(await me(held)).toBe(401);
      const audit = await readRows(server, 'admin_audit', { target_id: held.tenantId });
      expect(audit.map(({ action, actor }) => [action, actor])).toEqual([['tenant.release', 'ana']]);
      // The queued mails of the account stay there, also a notice to all accounts.
      expect((await mailsOf(held)).map(({ status }) => status)).not.toContain('PENDING');
    });

    it('a search finds a released account by RUC or address, but not by its id', async () => {
      const held = await holder();
      await release(held);
      const found = async (filter: string) => {
        const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
        const response = await server.request(`/v1/admin/tenants?${filter}`, { headers });
        return ((await response.json()) as { pagination: { total: number } }).pagination.total;
      };
      expect([await found(`ruc=${held.ruc}`), await found(`email=${held.email.toUpperCase()}`)]).toEqual([1, 1]);
      const part = held.tenantId.slice(0, 13);
      expect([await found(`ruc=${part}`), await found(`email=${part}`)]).toEqual([0, 0]);
    });

    it('a release wakes the workers after the commit', async () => {
      const held = await holder();
      let woken = 0;
      const wake = () => {
        woken += 1;
      };
      const { promotion } = server.services;
      const parts = { ...server.services, promotion: { ...promotion, billing: { ...promotion.billing, wake } } };
      await releaseTenant(parts, OPERATOR, held.tenantId);
      expect(woken).toBe(1);
    });

    it('a release ends the subscription, so that no mail about it reaches the address', async () => {
      const held = await holder('ACTIVE');
      const { paymentId } = await storeReportedPayment(server, held);
      await verify(server.services, OPERATOR, paymentId);
      expect(await release(held)).toMatchObject({ ok: true, tenant: { subscriptionTier: 'FREE' } });
      await server.tickAfter(45 * DAY_MS);
      expect((await mailsOf(held)).map(({ subject }) => subject)).not.toContain('RENEWAL_DUE');
    });

    it('a release succeeds although the subscription is due to expire', async () => {
      const held = await holder('ACTIVE');
      const { paymentId } = await storeReportedPayment(server, held);
      await verify(server.services, OPERATOR, paymentId);
      // The renewal is due, and the hourly round has not noticed the end of the term.
      await server.tickAfter(25 * DAY_MS);
      await server.clock.advance(20 * DAY_MS);
      expect(await release(held)).toMatchObject({
        ok: true,
        tenant: { status: 'SUSPENDED', subscriptionTier: 'FREE' },
      });
    });

    it('a released account gets no mail about a payment that is rejected afterwards', async () => {
      const held = await holder('ACTIVE');
      const { paymentId } = await storeReportedPayment(server, held);
      await release(held);
      await reject(server.services, OPERATOR, { paymentId, reason: 'AMOUNT_MISMATCH' });
      await server.tick();
      expect(await mailsOf(held)).toContainEqual({ subject: 'PAYMENT_REJECTED', status: 'SKIPPED' });
    });

    it('a released account gets no mail about a document that the SRI refuses afterwards', async () => {
      const held = await holder('ACTIVE');
      const documents = documentsOf(server, held);
      const { accessKey } = await documents.create(SIMPLE_INVOICE, 'SRI-REFUSED-39');
      await documents.send(accessKey);
      await release(held);
      await server.tickAfter(DAY_MS);
      const stored = await readRows(server, 'sri_documents', { access_key: accessKey }, ['status']);
      expect(stored).toEqual([{ status: 'NOT_AUTHORIZED' }]);
      expect(await mailsOf(held)).toContainEqual({ subject: 'DOCUMENT_NOT_AUTHORIZED', status: 'SKIPPED' });
    });

    it('metrics, doctor and notices skip the certificate of a released account', async () => {
      const held = await holder('ACTIVE');
      await release(held);
      const { database, clock } = server.services;
      const reported = () =>
        database.read(async (tables) => ({
          notices: await listExpiringCertificates(tables, { until: clock.now(), after: FIRST_ID, limit: 100 }),
          ended: (await readCertificateEnds(tables, clock.now())).ended,
          inspected: (await listInspectedIssuers(tables, 1_000)).map(({ id }) => id),
        }));
      await database.transaction((tables) =>
        tables.updateTable('issuer_certificates').set({ valid_to: 0 }).where('issuer_id', '=', held.issuerId).execute(),
      );
      expect(await reported()).toMatchObject({
        notices: [],
        ended: 0,
        inspected: expect.not.arrayContaining([held.issuerId]),
      });
    });

    it('a released account is neither released again nor brought back', async () => {
      const held = await holder();
      await release(held);
      expect(await release(held)).toMatchObject({ status: 409, reason: 'ALREADY_RELEASED' });
      await expect(unsuspend(server.services, OPERATOR, held.tenantId)).rejects.toMatchObject({
        details: { reason: 'ALREADY_RELEASED' },
      });
    });

    it('an account with documents in production is not released while its address is verified', async () => {
      const held = await holder();
      await createDocument(server, held);
      await changeRows(server, 'sri_documents', { issuer_id: held.issuerId }, { environment: 'production' });
      await setStatus(server, held, 'ACTIVE');
      expect(await release(held)).toMatchObject({ status: 409, reason: 'HAS_PRODUCTION_DOCUMENTS' });
      expect(await me(held)).toBe(200);
      await setStatus(server, held, 'PENDING_VERIFICATION');
      expect(await release(held)).toMatchObject({ ok: true });
    });
  });
});
