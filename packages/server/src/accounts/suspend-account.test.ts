import type { Selectable } from 'kysely';
import type { CoreTables } from 'sri-storage-adapters';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeRows, readRow } from '../testing/change-rows.js';
import { ownAccount, ownHistory } from '../testing/own-account.js';
import {
  asWebApplication,
  promoted,
  readyTenant,
  setStatus,
  verifiedTenant,
  WEB_SETTINGS,
} from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';
import { ROUTES } from '../v1-routes.js';
import { suspendTenant, unsuspendTenant } from './suspend-account.js';
import type { SuspensionReason } from './tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const MINUTE = 60_000;

describe('the routes of an account', () => {
  it('[R324] [R325] [R326] the routes reject writes and the live question to the SRI for a suspended account', () => {
    const wrong = ROUTES.filter((route) => {
      if (!('suspended' in route)) return false;
      const refused = route.method !== 'GET' || route.path === '/v1/documents/:accessKey/authorize';
      return route.suspended !== (refused ? 'refused' : 'served');
    });
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

describeOnDatabases('a suspension', await databaseKinds(), (open) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await open({ settings: WEB_SETTINGS });
  });

  const suspend = (of: TestTenant, reason: SuspensionReason = 'OTHER') =>
    suspendTenant(server.services.agreements, of.tenantId, reason);
  const unsuspend = (of: TestTenant) => unsuspendTenant(server.services.agreements, of.tenantId);

  async function statusChanges(of: TestTenant): Promise<readonly unknown[]> {
    const events = await ownHistory(server, of);
    return events.filter(({ eventType }) => eventType === 'STATUS_CHANGED').map(({ detail }) => detail);
  }

  it.each(['PENDING_VERIFICATION', 'ACTIVE', 'PAST_DUE'])(
    '[R016] [R114] [R339] suspends a %s account, returns the reason, and restores the status at the end',
    async (status) => {
      const tenant = await registerTenant(server);
      await setStatus(server, tenant, status);
      expect(await suspend(tenant, 'UNPAID_BALANCE')).toMatchObject({
        status: 'SUSPENDED',
        suspensionReason: 'UNPAID_BALANCE',
      });
      expect(await ownAccount(server, tenant)).toMatchObject({
        status: 'SUSPENDED',
        suspensionReasonCode: 'UNPAID_BALANCE',
      });
      expect(await unsuspend(tenant)).toMatchObject({ status, suspensionReason: null });
      expect(await ownAccount(server, tenant)).toMatchObject({ status, suspensionReasonCode: null });
      expect(await statusChanges(tenant)).toEqual([
        { from: status, to: 'SUSPENDED', reasonCode: 'UNPAID_BALANCE' },
        { from: 'SUSPENDED', to: status },
      ]);
    },
  );

  it.each<SuspensionReason>([
    'PAYMENT_REVERSED',
    'FRAUD_SUSPECTED',
    'TERMS_VIOLATION',
    'VOLUNTARY_CLOSURE',
    'UNPAID_BALANCE',
    'OTHER',
  ])('[R016] accepts the reason %s', async (reason) => {
    const tenant = await registerTenant(server);
    await suspend(tenant, reason);
    expect(await ownAccount(server, tenant)).toMatchObject({ suspensionReasonCode: reason });
  });

  it('concurrent requests suspend an account once, and end the suspension once', async () => {
    const tenant = await registerTenant(server);
    const outcomes = async (calls: readonly Promise<unknown>[]) =>
      (await Promise.allSettled(calls)).map((call) =>
        call.status === 'rejected' ? call.reason.details.reason : 'done',
      );
    const starts = await outcomes(Array.from({ length: 5 }, () => suspend(tenant)));
    expect(starts.toSorted()).toEqual([...Array(4).fill('ALREADY_SUSPENDED'), 'done']);
    const ends = await outcomes(Array.from({ length: 5 }, () => unsuspend(tenant)));
    expect(ends.toSorted()).toEqual([...Array(4).fill('NOT_SUSPENDED'), 'done']);
    expect(await statusChanges(tenant)).toHaveLength(2);
  });

  it('rejects the suspension of an unknown account', async () => {
    const unknown = { tenantId: UNKNOWN_ID } as TestTenant;
    await expect(suspend(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(unsuspend(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('[R117] verifying the e-mail does not end a suspension', async () => {
    const tenant = await registerTenant(server, { email: 'suspendida@ejemplo.ec' });
    await server.tick();
    const mail = (await server.mails()).find((text) => text.includes('suspendida@ejemplo.ec')) ?? '';
    const token = /^[0-9a-f]{64}$/m.exec(mail)?.[0];
    await suspend(tenant);
    const verify = () => postJson(server, '/v1/verify-email', {}, { token });
    expect(await (await verify()).json()).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
    await unsuspend(tenant);
    expect((await verify()).status).toBe(200);
    expect(await ownAccount(server, tenant)).toMatchObject({ status: 'ACTIVE' });
  });

  it('[R326] a suspended account can read all its documents', async () => {
    const tenant = await verifiedTenant(server);
    const documents = documentsOf(server, tenant);
    const { accessKey } = await documents.authorized();
    await suspend(tenant);
    const served = ROUTES.filter((route) => 'suspended' in route && route.suspended === 'served');
    const reserved = served.filter(({ access }) => access === 'internal').map(({ path }) => path);
    const paths = served.map(({ path }) =>
      path
        .replace(':accessKey', accessKey)
        .replace('/issuers/:id', `/issuers/${tenant.issuerId}`)
        .replace(':name', 'id-types')
        .replace(':type', 'TERMS'),
    );
    for (const path of paths.filter((path) => !path.includes(':'))) {
      const headers = reserved.includes(path) ? asWebApplication(tenant.tenantId) : tenant.headers;
      expect([path, (await server.request(path, { headers })).status]).toEqual([path, 200]);
    }
    const refused = await documents.get(`${accessKey}/authorize`);
    expect(await refused.json()).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
    const create = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
    expect(await create.json()).toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
  });

  it('[R114] a suspension holds the queue without an attempt, and keeps asking about documents at the SRI', async () => {
    const tenant = await verifiedTenant(server);
    const documents = documentsOf(server, tenant);
    const received = await documents.create();
    expect(await documents.send(received.accessKey)).toMatchObject({ status: 'RECEIVED' });
    const queued = await documents.create();
    await documents.post(`${queued.accessKey}/send`, {});
    await suspend(tenant);
    const submissions = () =>
      server.simulator.journal.filter(
        ({ operation, accessKey }) => operation === 'reception' && accessKey === queued.accessKey,
      ).length;
    for (let minutes = 0; minutes < 30; minutes += 5) {
      await server.tick();
      await server.clock.advance(5 * MINUTE);
    }
    expect(await documents.show(received.accessKey)).toMatchObject({ status: 'AUTHORIZED' });
    expect(await documents.show(queued.accessKey)).toMatchObject({
      status: 'PENDING_SEND',
      dispatch: { status: 'PENDING', attemptCount: 0, lastError: null },
    });
    expect(submissions()).toBe(0);
    await server.tick();
    await server.clock.advance(9 * MINUTE);
    expect(await server.services.engine.tick()).toBe(0);
    await unsuspend(tenant);
    await server.tick();
    expect(submissions()).toBe(1);
    expect(await documents.show(queued.accessKey)).toMatchObject({ status: 'RECEIVED' });
  });

  it('the end of a suspension makes due the sends that it put off, and no other job', async () => {
    const own = await open({ settings: WEB_SETTINGS });
    const [tenant, other] = [await verifiedTenant(own), await verifiedTenant(own)];
    const later = own.clock.now().getTime() + 9 * MINUTE;
    const queue = async (of: TestTenant, state: Partial<Selectable<CoreTables['sri_jobs']>> = {}) => {
      const { accessKey } = await documentsOf(own, of).create();
      await documentsOf(own, of).post(`${accessKey}/send`, {});
      const { id } = await readRow(own, 'sri_documents', { access_key: accessKey });
      await changeRows(own, 'sri_jobs', { document_id: id }, { due_at: later, ready_at: later, ...state });
      return () => readRow(own, 'sri_jobs', { document_id: id }, ['due_at', 'ready_at']);
    };
    const putOff = await queue(tenant);
    const left = [
      await queue(tenant, { status: 'FAILED', due_at: null, ready_at: null }),
      await queue(tenant, { lease_until: later }),
      await queue(tenant, { operation: 'AUTHORIZE' }),
      await queue(other),
    ];
    const before = await Promise.all(left.map((read) => read()));
    await suspendTenant(own.services.agreements, tenant.tenantId, 'OTHER');
    await own.clock.advance(MINUTE);
    await unsuspendTenant(own.services.agreements, tenant.tenantId);
    const now = own.clock.now().getTime();
    expect(await putOff()).toEqual({ due_at: now, ready_at: now });
    expect(await Promise.all(left.map((read) => read()))).toEqual(before);
  });

  it('a suspension does not delay the documents of other accounts', async () => {
    const suspended = await verifiedTenant(server);
    const other = await verifiedTenant(server);
    const held = await createDocument(server, suspended);
    await documentsOf(server, suspended).post(`${held.accessKey}/send`, {});
    await suspend(suspended);
    const { accessKey } = await createDocument(server, other);
    expect(await documentsOf(server, other).send(accessKey)).toMatchObject({ status: 'RECEIVED' });
    expect(await documentsOf(server, suspended).show(held.accessKey)).toMatchObject({ status: 'PENDING_SEND' });
  });
});

describeOnDatabases('other states of an account', await databaseKinds(), (open) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await open({ settings: WEB_SETTINGS });
  });

  it('[R141] [R153] an unverified account issues, voids and reads in the sandbox, and nothing beyond', async () => {
    const tenant = await verifiedTenant(server);
    await setStatus(server, tenant, 'PENDING_VERIFICATION');
    const documents = documentsOf(server, tenant);
    const { accessKey } = await documents.authorized();
    const voided = await documents.post(`${accessKey}/void`, { confirmedSriVoid: true, reason: 'Prueba' });
    expect(voided.status).toBe(200);
    const blocked = [
      ['/v1/issuers', tenant.auth, { branchCode: '005', issuePointCode: '001' }],
      ['/v1/keys', tenant.auth, { label: 'x' }],
      ['/v1/tenants/promote', asWebApplication(tenant.tenantId), {}],
    ] as const;
    for (const [path, headers, body] of blocked) {
      const answer = await postJson(server, path, headers, body);
      expect([path, await answer.json()]).toEqual([
        path,
        expect.objectContaining({ status: 403, code: 'EMAIL_VERIFICATION_REQUIRED' }),
      ]);
    }
    const extra = await postJson(server, '/v1/tenants/agreements', asWebApplication(tenant.tenantId), {
      termsVersion: '1.0',
    });
    expect(extra.status).toBe(200);
  });

  it('a past-due account works with the limits of FREE', async () => {
    const tenant = await promoted(server, await readyTenant(server));
    await setStatus(server, tenant, 'PAST_DUE');
    const documents = documentsOf(server, tenant);
    expect(await documents.authorized()).toMatchObject({ status: 'AUTHORIZED' });
    expect(await ownAccount(server, tenant)).toMatchObject({
      status: 'PAST_DUE',
      subscriptionTier: 'FREE',
      documentQuota: 100,
      suspensionReasonCode: null,
    });
    const issuer = `/v1/issuers/${tenant.issuerId}/document-types`;
    const refused = await postJson(server, issuer, tenant.auth, { documentType: '04' });
    expect(await refused.json()).toMatchObject({ status: 402, code: 'DOCUMENT_TYPE_NOT_IN_TIER' });
  });

  it('a past-due account may move to production', async () => {
    const tenant = await readyTenant(server);
    await setStatus(server, tenant, 'PAST_DUE');
    expect((await promoted(server, tenant)).apiKey).toMatch(/^sri_live_/);
  });

  it('PAST_DUE_MODE=block lets a past-due account only read, and still sends its queue', async () => {
    const strict = await open({ settings: { ...WEB_SETTINGS, PAST_DUE_MODE: 'block' } });
    const tenant = await verifiedTenant(strict);
    const documents = documentsOf(strict, tenant);
    const { accessKey } = await documents.create();
    await documents.post(`${accessKey}/send`, {});
    await setStatus(strict, tenant, 'PAST_DUE');
    await strict.tick();
    expect(await documents.show(accessKey)).toMatchObject({ status: 'RECEIVED' });
    const refused = { status: 403, code: 'ACCOUNT_PAST_DUE' };
    expect(await (await documents.get(`${accessKey}/authorize`)).json()).toMatchObject(refused);
    const create = await postJson(strict, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
    expect(await create.json()).toMatchObject(refused);
    for (const path of [accessKey, `${accessKey}/ride`, `${accessKey}/xml`]) {
      expect((await documents.get(path)).status).toBe(200);
    }
  });
});
