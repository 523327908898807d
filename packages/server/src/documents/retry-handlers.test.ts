import { beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, type TestTenant } from '../testing/test-tenant.js';

describeOnDatabases('manual retries', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server, { ruc: TEST_RUC });
    documents = documentsOf(server, tenant);
  });

  describe('[R102] [R299] retries of one document', () => {
    it.each([
      ['a submission', 'SRI-HTTP-500', 'PENDING_SEND', 'SRI_SEND'],
      ['an authorization', 'SRI-NEVER', 'RECEIVED', 'SRI_AUTHORIZE'],
    ])('a retry restarts the attempts of %s, due at once', async (_name, buyer, status, effectType) => {
      const failed = await documents.failed(buyer);
      expect(failed).toMatchObject({ status, dispatch: { status: 'FAILED', attemptCount: 5 } });
      const response = await documents.postNothing(`${failed.accessKey}/send/retry`);
      expect(response.status).toBe(202);
      expect(await response.json()).toEqual({
        ok: true,
        document: {
          ...failed,
          requestPayload: undefined,
          dispatch: { status: 'PENDING', attemptCount: 0, lastError: null },
        },
        effect: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), effectType, status: 'PENDING', attemptCount: 0 },
      });
      expect((await documents.events(failed.accessKey)).at(-1)).toMatchObject({
        eventType: 'RETRY_REQUESTED',
        detail: { operation: effectType.replace('SRI_', '') },
      });
      await server.tick();
      expect(await documents.show(failed.accessKey)).toMatchObject({ status, dispatch: { attemptCount: 1 } });
    });

    it('a retry refuses a document that is in progress or settled', async () => {
      const { accessKey } = await documents.create();
      const refused = async () => {
        const response = await documents.post(`${accessKey}/send/retry`, {});
        expect(await response.json()).toMatchObject({ status: 409, code: 'NOTHING_TO_RETRY' });
      };
      await refused();
      await documents.post(`${accessKey}/send`, {});
      await refused();
      await server.tick();
      await refused();
      await documents.get(`${accessKey}/authorize`);
      await refused();
    });

    it('concurrent retries of a document succeed once', async () => {
      const failed = await documents.failed('SRI-HTTP-500');
      const statuses = await Promise.all(
        Array.from({ length: 6 }, async () => (await documents.post(`${failed.accessKey}/send/retry`, {})).status),
      );
      expect(statuses.toSorted()).toEqual([202, 409, 409, 409, 409, 409]);
    });

    it('a retry requires an existing document', async () => {
      expect((await documents.post(`${'1'.repeat(49)}/send/retry`, {})).status).toBe(404);
      expect(await (await documents.post('1/send/retry', {})).json()).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        errors: [{ field: 'path:accessKey' }],
      });
    });
  });

  describe('[R305] retries of all failed documents', () => {
    const retry = (body: unknown = {}, of = tenant) =>
      postJson(server, '/v1/tenants/retry-failed-documents', of.auth, body);

    it('a retry of all restarts every failed document of the account, or none', async () => {
      await retry();
      const [send, authorize] = [await documents.failed('SRI-HTTP-500'), await documents.failed('SRI-NEVER')];
      const other = await registerTenant(server);
      expect(await (await retry({}, other)).json()).toEqual({ ok: true, retried: 0, effects: [], remaining: 0 });
      const response = await server.request('/v1/tenants/retry-failed-documents', {
        method: 'POST',
        headers: tenant.auth,
      });
      expect(response.status).toBe(202);
      const answer = (await response.json()) as { effects: { id: string; effectType: string }[] };
      expect(answer).toMatchObject({ ok: true, retried: answer.effects.length, remaining: 0 });
      expect(answer.effects.length).toBeGreaterThanOrEqual(2);
      for (const effect of answer.effects) {
        expect(effect).toEqual({
          id: expect.any(String),
          effectType: expect.stringMatching(/^SRI_(SEND|AUTHORIZE)$/),
          status: 'PENDING',
          attemptCount: 0,
        });
      }
      for (const { accessKey } of [send, authorize]) {
        expect(await documents.show(accessKey)).toMatchObject({ dispatch: { status: 'PENDING', attemptCount: 0 } });
      }
      expect(await (await retry()).json()).toEqual({ ok: true, retried: 0, effects: [], remaining: 0 });
    });

    it('a retry of all can name one issuer and one operation', async () => {
      await documents.failed('SRI-HTTP-500');
      await documents.failed('SRI-NEVER');
      const sends = await retry({ issuerId: tenant.issuerId, operation: 'SEND' });
      const { effects } = (await sends.json()) as { effects: { effectType: string }[] };
      expect(new Set(effects.map(({ effectType }) => effectType))).toEqual(new Set(['SRI_SEND']));
      const rest = (await (await retry({ operation: 'AUTHORIZE' })).json()) as { effects: { effectType: string }[] };
      expect(rest.effects.length).toBeGreaterThan(0);
    });

    it.each([
      [{ issuerId: 7 }, 'issuerId'],
      [{ issuerId: 'x' }, 'issuerId'],
      [{ issuerId: null }, 'issuerId'],
      [{ operation: 'BOTH' }, 'operation'],
      [{ operation: 1 }, 'operation'],
      [[], 'body'],
    ])('a retry of all answers VALIDATION_FAILED to %j', async (body, field) => {
      expect(await (await retry(body)).json()).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        errors: [{ field, message: expect.stringMatching(/./) }],
      });
    });

    it('a retry of all distinguishes an issuer of another account from an unknown issuer', async () => {
      const other = await registerTenant(server);
      const foreign = await retry({ issuerId: other.issuerId });
      expect(await foreign.json()).toMatchObject({ status: 403, code: 'FORBIDDEN', reason: 'ISSUER_FORBIDDEN' });
      const absent = await retry({ issuerId: '00000000-0000-7000-8000-000000000000' });
      expect(await absent.json()).toMatchObject({ status: 404, code: 'NOT_FOUND', reason: 'ISSUER_NOT_FOUND' });
    });
  });
});
