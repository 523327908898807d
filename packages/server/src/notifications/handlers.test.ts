import { createTestP12 } from 'sri-core/testing';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../app.js';
import { noticeCertificates } from '../issuers/notify-of-certificates.js';
import { formOf } from '../testing/form-of.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_PASSWORD, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { registerTenant, sendJson, type TestTenant } from '../testing/test-tenant.js';
import type { NOTIFICATION_TYPES } from './notification-types.js';

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly severity: string;
  readonly title: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly count: number;
    readonly documents: readonly unknown[];
  };
  readonly issuerId: string | null;
  readonly readAt: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOWHERE = '0197f3a0-c5d2-7b1e-8000-000000000001';
const DAY_MS = 86_400_000;

describeOnDatabases('notifications', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server, { ruc: TEST_RUC });
    documents = documentsOf(server, tenant);
  });

  const list = async (query = '', headers: Record<string, string> = {}, whose = tenant) => {
    const response = await server.request(`/v1/notifications${query}`, { headers: { ...whose.auth, ...headers } });
    expect(response.status).toBe(200);
    return (await response.json()) as { notifications: Shown[]; unreadCount: number };
  };
  const read = (id: string, whose = tenant) =>
    server.request(`/v1/notifications/${id}/read`, { method: 'POST', headers: whose.auth });
  const patch = (body: unknown, whose = tenant) =>
    sendJson(server, 'PATCH', '/v1/notifications/preferences', whose.auth, body);
  /** Stores an account-wide notification, like billing. */
  const tell = (whose: TestTenant, type: keyof typeof NOTIFICATION_TYPES, expiresAt: number | null = null) =>
    server.services.database.transaction(async (tables) => {
      const id = server.services.registration.newId(server.clock.now());
      const row = { type, severity: 'INFO', title: 'Título', message: 'Mensaje', metadata: null, read_at: null };
      await tables
        .insertInto('notifications')
        .values({
          ...row,
          id,
          tenant_id: whose.tenantId,
          issuer_id: null,
          environment: null,
          expires_at: expiresAt,
          created_at: 0,
        })
        .execute();
      return id;
    });

  describe('notifications of authorizations', () => {
    beforeEach(() => server.clock.advance(120_000));

    it('[R087] [R088] [R104] [R343] [R344] [R263] [R005] a notification of an authorization describes the document with all its data', async () => {
      const { accessKey } = await documents.authorized();
      const shown = await list();
      expect(Object.keys(shown).toSorted()).toEqual(['notifications', 'unreadCount']);
      const [notification] = shown.notifications;
      expect(Object.keys(notification ?? {})).toEqual([
        ...['id', 'type', 'severity', 'title', 'message', 'metadata', 'issuerId', 'readAt', 'expiresAt', 'createdAt'],
      ]);
      expect(notification).toMatchObject({
        id: expect.stringMatching(UUID_V7),
        type: 'DOCUMENT_AUTHORIZED',
        severity: 'INFO',
        issuerId: tenant.issuerId,
        readAt: null,
        metadata: {
          count: 1,
          documents: [
            {
              accessKey,
              sequential: expect.stringMatching(/^\d{9}$/),
              buyerName: 'María Ñacata',
              buyerId: '1710034065',
              total: '11.50',
              issueDate: '21/11/2026',
              authorizationNumber: accessKey,
            },
          ],
        },
      });
      const shownFor = Date.parse(notification?.expiresAt ?? '') - Date.parse(notification?.createdAt ?? '');
      // Notifications of production expire after `NOTIFICATION_TTL`, 90 days by default.
      expect(shownFor).toBe(7 * DAY_MS);
    });

    it('[R343] [R344] a notification collects authorizations for a minute or until it is read, newest first', async () => {
      const keys: string[] = [];
      for (let round = 0; round < 3; round += 1) keys.unshift((await documents.authorized()).accessKey);
      const [gathered] = (await list()).notifications;
      expect(gathered?.metadata.count).toBe(3);
      expect(gathered?.metadata.documents.map((each) => (each as { accessKey: string }).accessKey)).toEqual(keys);
      expect(gathered?.message).toContain('3');

      // A growing notification does not return to a client that knows it. Reading it returns its last state.
      expect((await list(`?sinceId=${gathered?.id}`)).notifications).toEqual([]);
      const answer = await read(gathered?.id ?? '');
      expect([answer.status, await answer.json()]).toMatchObject([200, { notification: { metadata: { count: 3 } } }]);
      await documents.authorized();
      const [afterReading] = (await list()).notifications;
      expect(afterReading?.id).not.toBe(gathered?.id);
      expect(afterReading?.metadata.count).toBe(1);

      await server.clock.advance(60_001);
      await documents.authorized();
      const [afterAMinute] = (await list()).notifications;
      expect(afterAMinute?.id).not.toBe(afterReading?.id);

      // Authorizations do not join a notification of a clock that was an hour ahead.
      const ahead = server.clock.now();
      server.clock.set(new Date(ahead.getTime() - 3_600_000));
      await documents.authorized();
      const [corrected] = (await list()).notifications;
      expect(corrected?.metadata.count).toBe(1);
      expect([afterAMinute?.id, corrected?.id].toSorted()).toEqual([afterAMinute?.id, corrected?.id]);
      server.clock.set(ahead);
    });

    it('[R344] a notification names fifty documents and counts all', async () => {
      const created = await Promise.all(Array.from({ length: 53 }, () => documents.create()));
      for (const { accessKey } of created) await documents.post(`${accessKey}/send`, {});
      await server.tick();
      await server.tickAfter(5_000);
      const [notification] = (await list()).notifications;
      expect(notification?.metadata.count).toBe(53);
      expect(notification?.metadata.documents).toHaveLength(50);
    });
  });

  describe('notifications of certificates', () => {
    const publishing = () => ({
      newId: server.services.registration.newId,
      notificationTtlMs: 90 * DAY_MS,
      announce: async () => {},
    });
    const notice = () => noticeCertificates({ ...server.services, publishing: publishing() }, server.clock.now());
    const dayIn = (days: number) => new Date(server.clock.now().getTime() + days * DAY_MS);
    const p12Until = (validTo: Date) =>
      createTestP12({ ruc: TEST_RUC, password: TEST_PASSWORD, validFrom: new Date('2026-01-01'), validTo });
    /** An account with a certificate that ends in the given number of days. */
    const expiringIn = async (days: number) => {
      const validTo = dayIn(days);
      const cert = await p12Until(validTo);
      return { account: await registerTenant(server, { cert, certPassword: TEST_PASSWORD }), validTo };
    };

    it('a check of certificates skips an account whose notice cannot be read', async () => {
      const [broken, whole] = [await expiringIn(20), await expiringIn(20)];
      await notice();
      const { database } = server.services;
      await database.transaction((tables) =>
        tables
          .updateTable('notifications')
          .set({ metadata: '{' })
          .where('tenant_id', '=', broken.account.tenantId)
          .execute(),
      );
      await server.clock.advance(14 * DAY_MS);
      await notice();
      expect((await list('', {}, whole.account)).notifications[0]).toMatchObject({ severity: 'ERROR' });
      await database.transaction((tables) =>
        tables.deleteFrom('notifications').where('tenant_id', '=', broken.account.tenantId).execute(),
      );
    });

    it('a repeated check of certificates takes one transaction', async () => {
      await Promise.all([expiringIn(20), expiringIn(20), expiringIn(20)]);
      await notice();
      const database = { ...server.services.database };
      const transaction = vi.spyOn(database, 'transaction');
      await noticeCertificates({ ...server.services, database, publishing: publishing() }, server.clock.now());
      expect(transaction).toHaveBeenCalledTimes(1);
    });

    it.each([
      [30, 'WARNING', 30],
      [7.5, 'WARNING', 8],
      [7, 'ERROR', 7],
      [0.5, 'ERROR', 1],
    ])(
      '[R346] [R350] %d days before the end of a certificate, its notification is a %s',
      async (days, severity, daysRemaining) => {
        const { account, validTo } = await expiringIn(days);
        await notice();
        const { notifications } = await list('', {}, account);
        expect(notifications).toHaveLength(1);
        expect(notifications[0]).toMatchObject({ type: 'CERT_EXPIRING', severity, issuerId: account.issuerId });
        expect(notifications[0]?.metadata).toEqual({
          issuerId: account.issuerId,
          certExpiry: new Date(Math.floor(validTo.getTime() / 1000) * 1000).toISOString(),
          daysRemaining,
          branchCode: '001',
          issuePointCode: '002',
        });
      },
    );

    it('[R346] no notification comes earlier than 30 days before the end of a certificate', async () => {
      const { account } = await expiringIn(30.1);
      await notice();
      expect((await list('', {}, account)).notifications).toEqual([]);
    });

    it('[R347] [R349] a certificate has one unread notification, updated daily until the end', async () => {
      const { account } = await expiringIn(9);
      await notice();
      await notice();
      const [first] = (await list('', {}, account)).notifications;
      await server.clock.advance(3 * DAY_MS);
      await notice();
      const later = (await list('', {}, account)).notifications;
      expect(later).toHaveLength(1);
      expect(later[0]).toMatchObject({ id: first?.id, severity: 'ERROR', metadata: { daysRemaining: 6 } });
      await server.clock.advance(7 * DAY_MS);
      await notice();
      const ended = (await list('', {}, account)).notifications;
      expect(ended).toHaveLength(1);
      expect(ended[0]).toMatchObject({
        id: first?.id,
        type: 'CERT_EXPIRED',
        severity: 'ERROR',
        metadata: { daysRemaining: 0 },
      });
    });

    it('a read notification of a certificate returns only with a higher severity', async () => {
      const { account } = await expiringIn(9);
      await notice();
      const [first] = (await list('', {}, account)).notifications;
      await read(first?.id ?? '', account);
      await server.clock.advance(DAY_MS);
      await notice();
      expect((await list('', {}, account)).notifications).toHaveLength(1);
      await server.clock.advance(2 * DAY_MS);
      await notice();
      expect((await list('', {}, account)).unreadCount).toBe(1);
    });

    it.each([
      [40, 0],
      [20, 1],
    ])('[R348] a renewed certificate with %d days left has %d notifications', async (days, left) => {
      const { account } = await expiringIn(5);
      await notice();
      const body = formOf({ cert: await p12Until(dayIn(days)), certPassword: TEST_PASSWORD });
      const path = `/v1/issuers/${account.issuerId}/certificate`;
      const renewed = await server.request(path, { method: 'PATCH', headers: account.auth, body });
      expect(renewed.status).toBe(200);
      expect((await list('', {}, account)).notifications).toHaveLength(left);
      await notice();
      expect((await list('', {}, account)).notifications).toHaveLength(left);
    });
  });

  describe('the list of notifications', () => {
    let other: TestTenant;
    beforeAll(async () => {
      other = await registerTenant(server);
    });

    it('[R089] [R264] [R265] [R266] [R369] the list can be filtered by issuer and from an id on', async () => {
      for (let index = 0; index < 2; index += 1) {
        await server.clock.advance(120_000);
        await documents.authorized();
      }
      const own = (await list()).notifications.length;
      const id = await tell(tenant, 'PRICE_CHANGE_ANNOUNCED');
      const all = await list();
      expect(all.notifications.map(({ issuerId }) => issuerId)).toContain(null);
      expect(all.notifications).toHaveLength(own + 1);
      expect(all.notifications.map((each) => each.id)).toEqual(
        all.notifications
          .map((each) => each.id)
          .toSorted()
          .reverse(),
      );
      const ofIssuer = await list('', { 'x-issuer-id': tenant.issuerId });
      expect(ofIssuer.notifications).toHaveLength(own + 1);
      const ofOther = await list('', { 'x-issuer-id': other.issuerId });
      expect(ofOther.notifications.map((each) => each.id)).toEqual([id]);
      const since = await list(`?sinceId=${all.notifications[2]?.id}`);
      expect(since.notifications.map((each) => each.id)).toEqual(all.notifications.slice(0, 2).map((each) => each.id));
      expect(since.unreadCount).toBe(all.unreadCount);
      expect((await list(`?sinceId=${NOWHERE}`)).notifications).toHaveLength(own + 1);
      expect((await list('', {}, other)).notifications).toEqual([]);
    });

    it('the list can be limited, newest first, with the count of all unread notifications', async () => {
      const account = await registerTenant(server);
      const ids: string[] = [];
      for (let index = 0; index < 45; index += 1) ids.unshift(await tell(account, 'PAYMENT_VERIFIED'));
      const idsOf = async (query: string) => {
        const { notifications, unreadCount } = await list(query, {}, account);
        expect(unreadCount).toBe(45);
        return notifications.map(({ id }) => id);
      };
      expect(await idsOf('')).toEqual(ids);
      for (const limit of [1, 19, 20, 21, 40, 45, 1000])
        expect(await idsOf(`?limit=${limit}`)).toEqual(ids.slice(0, limit));
      expect(await idsOf(`?limit=3&sinceId=${ids[10]}`)).toEqual(ids.slice(0, 3));
      for (const limit of ['0', '1001', 'x', '-1', '1.5']) {
        const refused = await server.request(`/v1/notifications?limit=${limit}`, { headers: account.auth });
        expect(await refused.json()).toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
          errors: [{ field: 'query:limit', rule: 'integer' }],
        });
      }
      const head = await server.request('/v1/notifications', { method: 'HEAD', headers: account.auth });
      expect([head.status, await head.text()]).toEqual([200, '']);
    });

    it('the server reads the list from the database at the speed of the client', async () => {
      const account = await registerTenant(server);
      const id = (index: number) => `0197f3a0-c5d2-7b1e-8000-${index.toString(16).padStart(12, '0')}`;
      const row = { type: 'PAYMENT_VERIFIED', severity: 'INFO', title: 'Título', metadata: null, read_at: null };
      const rows = Array.from({ length: 400 }, (_, index) => ({
        ...row,
        id: id(index),
        tenant_id: account.tenantId,
        issuer_id: null,
        environment: null,
        message: 'x'.repeat(1000),
        expires_at: null,
        created_at: 0,
      }));
      await server.services.database.transaction((tables) => tables.insertInto('notifications').values(rows).execute());
      const taken = vi.spyOn(server.services.callerSlots, 'take');
      // Not through the test server, which reads every answer to check it.
      const response = await createApp(server.services).request('/v1/notifications', { headers: account.auth });
      const reader = response.body?.getReader();
      for (let piece = 0; piece < 3; piece += 1) await reader?.read();
      const turn = () => new Promise((resolve) => setImmediate(resolve));
      for (let times = 0; times < 50; times += 1) await turn();
      // The request itself, and the batches that were taken.
      expect(taken.mock.calls.length).toBeLessThan(6);
      await reader?.cancel();
      for (let times = 0; times < 50; times += 1) await turn();
      expect(taken.mock.calls.length).toBeLessThan(6);
      taken.mockRestore();
      expect((await list('', {}, account)).notifications).toHaveLength(400);
    });

    it('[R090] the list excludes expired notifications', async () => {
      const account = await registerTenant(server);
      await tell(account, 'PRICE_CHANGE_ANNOUNCED', server.clock.now().getTime());
      const id = await tell(account, 'PRICE_CHANGE_ANNOUNCED', server.clock.now().getTime() + 1);
      const { notifications, unreadCount } = await list('', {}, account);
      expect(notifications.map((each) => each.id)).toEqual([id]);
      expect(unreadCount).toBe(1);
    });

    it('[R119] [R269] [R271] an account reads a notification once', async () => {
      const account = await registerTenant(server);
      const id = await tell(account, 'PAYMENT_VERIFIED');
      const response = await read(id, account);
      expect(response.status).toBe(200);
      const now = server.clock.now().toISOString();
      expect(await response.json()).toMatchObject({ notification: { id, readAt: now } });
      const { notifications, unreadCount } = await list('', {}, account);
      expect([unreadCount, notifications[0]?.readAt]).toEqual([0, now]);
      for (const again of [await read(id, account), await read(id, other), await read(NOWHERE, account)]) {
        expect(again.status).toBe(404);
        expect(await again.json()).toMatchObject({ code: 'NOT_FOUND' });
      }
    });

    it('[R119] concurrent requests mark a notification read once', async () => {
      const account = await registerTenant(server);
      const id = await tell(account, 'PAYMENT_VERIFIED');
      const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await read(id, account)).status));
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    });

    it('[R268] [R270] rejects invalid ids', async () => {
      const failures = [
        await server.request('/v1/notifications', { headers: { ...tenant.auth, 'x-issuer-id': 'none' } }),
        await server.request('/v1/notifications?sinceId=none', { headers: tenant.auth }),
        await server.request('/v1/notifications?sinceId=', { headers: tenant.auth }),
      ];
      for (const response of failures) {
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ code: 'ISSUER_ID_INVALID' });
      }
      const response = await read('none');
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'path:id' }] });
    });
  });

  describe('the preferences', () => {
    const get = async (whose: TestTenant) => {
      const response = await server.request('/v1/notifications/preferences', { headers: whose.auth });
      return (await response.json()) as { preferences: { type: string; channel: string; enabled: boolean }[] };
    };

    it('[R005] [R272] [R273] [R274] [R275] [R280] the preferences have thirteen pairs, all switched on', async () => {
      const account = await registerTenant(server);
      const body = await get(account);
      expect(Object.keys(body)).toEqual(['preferences']);
      const both = ['PAYMENT_VERIFIED', 'PAYMENT_REJECTED', 'SUBSCRIPTION_RENEWAL_DUE'];
      const more = ['SUBSCRIPTION_PAST_DUE_WARNING', 'SUBSCRIPTION_EXPIRED'];
      expect(body.preferences).toEqual([
        ...['DOCUMENT_AUTHORIZED', 'CERT_EXPIRING', 'CERT_EXPIRED'].map((type) => ({
          type,
          channel: 'IN_APP',
          enabled: true,
        })),
        ...[...both, ...more].flatMap((type) =>
          ['IN_APP', 'EMAIL'].map((channel) => ({ type, channel, enabled: true })),
        ),
      ]);
    });

    it('[R006] [R276] [R359] a change applies to the listed pairs only, and the last entry of a pair wins', async () => {
      const account = await registerTenant(server);
      const off = { type: 'PAYMENT_REJECTED', channel: 'EMAIL', enabled: false };
      const reserved = { type: 'QUOTA_WARNING', channel: 'IN_APP', enabled: true };
      const response = await patch([{ ...off, enabled: true }, off, reserved], account);
      expect(response.status).toBe(200);
      const body = (await response.json()) as { preferences: unknown[] };
      expect(Object.keys(body)).toEqual(['preferences']);
      expect(body.preferences).toHaveLength(14);
      expect(body.preferences).toContainEqual(off);
      expect(body.preferences).toContainEqual(reserved);
      expect(await get(account)).toEqual(body);
      expect(await (await patch([], account)).json()).toEqual(body);
      expect((await get(tenant)).preferences).toHaveLength(13);
    });

    it('[R267] [R277] a switched-off type is hidden from the list, while its notifications are still made', async () => {
      const account = await registerTenant(server);
      const id = await tell(account, 'PAYMENT_VERIFIED');
      await patch([{ type: 'PAYMENT_VERIFIED', channel: 'IN_APP', enabled: false }], account);
      expect(await list('', {}, account)).toEqual({ notifications: [], unreadCount: 0 });
      await patch([{ type: 'PAYMENT_VERIFIED', channel: 'IN_APP', enabled: true }], account);
      expect((await list('', {}, account)).notifications.map((each) => each.id)).toEqual([id]);
    });

    it.each<[string, unknown, string]>([
      ['an object', {}, 'body'],
      ['a text', 'DOCUMENT_AUTHORIZED', 'body'],
      ['null', null, 'body'],
      ['more than 200 entries', Array(200).fill({ type: 'CERT_EXPIRED', channel: 'IN_APP', enabled: false }), 'body'],
      ['a null entry', [null], '[0]'],
      ['an unknown type', [{ type: 'OTHER', channel: 'IN_APP', enabled: true }], '[0].type'],
      ['a name every object has', [{ type: 'toString', channel: 'IN_APP', enabled: true }], '[0].type'],
      ['a mandatory type', [{ type: 'PRICE_CHANGE_ANNOUNCED', channel: 'IN_APP', enabled: false }], '[0].type'],
      ['an unknown channel', [{ type: 'CERT_EXPIRED', channel: 'SMS', enabled: true }], '[0].channel'],
      ['a channel the type has not', [{ type: 'CERT_EXPIRED', channel: 'EMAIL', enabled: true }], '[0].channel'],
      ['a reserved type by mail', [{ type: 'QUOTA_WARNING', channel: 'EMAIL', enabled: true }], '[0].channel'],
      ['a text for a flag', [{ type: 'CERT_EXPIRED', channel: 'IN_APP', enabled: 'true' }], '[0].enabled'],
      ['no flag', [{ type: 'CERT_EXPIRED', channel: 'IN_APP' }], '[0].enabled'],
    ])('[R279] rejects %s, and then applies nothing of the list', async (_, body, field) => {
      const account = await registerTenant(server);
      const good = { type: 'CERT_EXPIRING', channel: 'IN_APP', enabled: false };
      const response = await patch(Array.isArray(body) ? [...body, good] : body, account);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field }] });
      expect((await get(account)).preferences.every(({ enabled }) => enabled)).toBe(true);
    });

    it('the rejection of a channel names the channels of its type', async () => {
      const response = await patch([{ type: 'CERT_EXPIRED', channel: 'SMS', enabled: true }]);
      expect(JSON.stringify(await response.json())).toMatch(/^(?!.*EMAIL).*IN_APP/);
    });
  });
});
