import { describe, expect, it } from 'vitest';
import { changeTenant } from '../testing/change-rows.js';
import { issuerSuite, UNKNOWN_ID } from '../testing/issuer-suite.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  SIMPLE_CREDIT_NOTE,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';

describeOnDatabases('document types and sequentials', await everyDatabaseKind(), (open) => {
  const at = issuerSuite(open);
  const { verified, get, send } = at;

  describe('document types', () => {
    const pathOf = (of: TestTenant) => `/v1/issuers/${of.issuerId}/document-types`;

    it('[R204] [R205] [R207] [R208] a type is enabled by the tier, and keeps its counter after a removal', async () => {
      const owner = await verified();
      const enable = (documentType: string) => postJson(at.server, pathOf(owner), owner.auth, { documentType });
      for (const tier of ['FREE', 'STARTER']) {
        await changeTenant(at.server, owner, { subscription_tier: tier });
        expect(await (await enable('04')).json()).toMatchObject({ status: 402, code: 'DOCUMENT_TYPE_NOT_IN_TIER' });
        expect(await (await enable('01')).json()).toEqual({ ok: true, documentTypes: ['01'] });
      }
      for (const tier of ['GROWTH', 'BUSINESS']) {
        await changeTenant(at.server, owner, { subscription_tier: tier });
        const enabled = await enable('04');
        expect([enabled.status, await enabled.json()]).toEqual([200, { ok: true, documentTypes: ['01', '04'] }]);
        expect(await (await get(pathOf(owner), owner)).json()).toEqual({ ok: true, documentTypes: ['01', '04'] });
        await createDocument(at.server, owner, SIMPLE_CREDIT_NOTE);
        const removed = await send('DELETE', `${pathOf(owner)}/04`, undefined, owner);
        expect(await removed.json()).toEqual({ ok: true, documentTypes: ['01'] });
        const refused = await postJson(at.server, '/v1/documents', owner.headers, SIMPLE_CREDIT_NOTE);
        expect(await refused.json()).toMatchObject({ status: 400, code: 'DOCUMENT_TYPE_NOT_ENABLED' });
      }
      await enable('04');
      expect(await createDocument(at.server, owner, SIMPLE_CREDIT_NOTE)).toMatchObject({ sequential: '000000003' });
    });

    it.each([
      { tier: 'FREE', added: [] },
      { tier: 'STARTER', added: [] },
      { tier: 'GROWTH', added: ['04', '05', '07'] },
      { tier: 'BUSINESS', added: ['03', '04', '05', '06', '07'] },
      { tier: 'OWN', added: ['03', '04', '05', '06', '07'] },
    ])('[R207] the plan $tier adds $added', async ({ tier, added }) => {
      const owner = await verified({ subscription_tier: tier });
      const answers = await Promise.all(
        ['03', '04', '05', '06', '07'].map(async (documentType) => {
          const { status } = await postJson(at.server, pathOf(owner), owner.auth, { documentType });
          return { documentType, status };
        }),
      );
      expect(answers.filter(({ status }) => status === 200).map(({ documentType }) => documentType)).toEqual(added);
      expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 402)).toBe(true);
    });

    it('[R209] a smaller plan keeps active types', async () => {
      const owner = await verified({ subscription_tier: 'GROWTH' });
      await postJson(at.server, pathOf(owner), owner.auth, { documentType: '04' });
      await changeTenant(at.server, owner, { subscription_tier: 'FREE' });
      const again = await postJson(at.server, pathOf(owner), owner.auth, { documentType: '04' });
      expect([again.status, await again.json()]).toEqual([200, { ok: true, documentTypes: ['01', '04'] }]);
      await createDocument(at.server, owner, SIMPLE_CREDIT_NOTE);
    });

    it.each([
      {},
      { documentType: null },
      { documentType: '02' },
      { documentType: 1 },
      { documentType: '1' },
      { documentType: ['01'] },
    ])('[R206] the body %j enables no type', async (body) => {
      const response = await postJson(at.server, pathOf(at.tenant), at.tenant.auth, body);
      expect(await response.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'documentType' }] });
    });

    it('[R210] [R211] [R212] [R213] the removal of a type has its checks in order', async () => {
      const remove = async (code: string, path = pathOf(at.tenant)) =>
        (await send('DELETE', `${path}/${code}`, undefined)).json();
      for (const code of ['02', '1', 'x', '%00']) {
        expect(await remove(code)).toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
          errors: [{ field: 'path:code' }],
        });
      }
      expect(await remove('04')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect(await remove('01')).toMatchObject({ status: 400, code: 'LAST_DOCUMENT_TYPE_CANNOT_BE_REMOVED' });
      const unknown = await remove('01', `/v1/issuers/${UNKNOWN_ID}/document-types`);
      expect(unknown).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    });

    it('[R212] two concurrent removals leave an issuer one type', async () => {
      const owner = await verified({ subscription_tier: 'GROWTH' });
      await postJson(at.server, pathOf(owner), owner.auth, { documentType: '04' });
      const removals = ['01', '04'].map((code) => send('DELETE', `${pathOf(owner)}/${code}`, undefined, owner));
      expect((await Promise.all(removals)).map(({ status }) => status).toSorted()).toEqual([200, 400]);
    });
  });

  describe('sequentials', () => {
    const pathOf = (of: TestTenant) => `/v1/issuers/${of.issuerId}/sequentials`;
    const move = (of: TestTenant, body: unknown, type = '01') => send('PATCH', `${pathOf(of)}/${type}`, body, of);

    it('[R084] [R085] [R086] [R214] [R218] the next number is shown and set by type and environment', async () => {
      const owner = await verified();
      const shown = async () =>
        ((await (await get(pathOf(owner), owner)).json()) as { sequentials: unknown }).sequentials;
      const fresh = { current: 0, next: 1 };
      expect(await shown()).toEqual([{ documentType: '01', sandbox: fresh, production: fresh }]);
      await createDocument(at.server, owner);
      const set = await move(owner, { environment: 'sandbox', nextSequential: 41 });
      expect([set.status, await set.json()]).toEqual([200, { ok: true }]);
      await move(owner, { environment: 'production', nextSequential: 7 });
      await move(owner, { environment: 'sandbox', nextSequential: 5 }, '04');
      expect(await shown()).toEqual([
        { documentType: '01', sandbox: { current: 40, next: 41 }, production: { current: 6, next: 7 } },
      ]);
      expect((await createDocument(at.server, owner)).sequential).toBe('000000041');
      await changeTenant(at.server, owner, { subscription_tier: 'GROWTH' });
      await postJson(at.server, `/v1/issuers/${owner.issuerId}/document-types`, owner.auth, { documentType: '04' });
      expect((await createDocument(at.server, owner, SIMPLE_CREDIT_NOTE)).sequential).toBe('000000005');
    });

    it('[R219] a counter never goes back', async () => {
      const owner = await verified();
      await move(owner, { environment: 'sandbox', nextSequential: 10 });
      expect((await move(owner, { environment: 'sandbox', nextSequential: 10 })).status).toBe(200);
      for (const nextSequential of [9, 1]) {
        const refused = await move(owner, { environment: 'sandbox', nextSequential });
        expect(await refused.json()).toMatchObject({ status: 400, code: 'SEQUENTIAL_CANNOT_DECREASE' });
      }
      expect((await createDocument(at.server, owner)).sequential).toBe('000000010');
      const used = await move(owner, { environment: 'sandbox', nextSequential: 10 });
      expect(await used.json()).toMatchObject({ code: 'SEQUENTIAL_CANNOT_DECREASE' });
    });

    it('the last number is used once', async () => {
      const owner = await verified();
      await move(owner, { environment: 'sandbox', nextSequential: 999_999_999 });
      expect((await createDocument(at.server, owner)).sequential).toBe('999999999');
      const refused = await postJson(at.server, '/v1/documents', owner.headers, SIMPLE_INVOICE);
      expect(await refused.json()).toMatchObject({ status: 400, code: 'BAD_REQUEST', reason: 'SEQUENTIAL_EXHAUSTED' });
    });

    it.each([
      { body: {}, fields: ['environment', 'nextSequential'] },
      { body: { environment: 'test', nextSequential: 5 }, fields: ['environment'] },
      { body: { environment: 1, nextSequential: 5 }, fields: ['environment'] },
      ...[0, -1, 1.5, '5', null, [], 1e21, 1_000_000_000].map((nextSequential) => ({
        body: { environment: 'sandbox', nextSequential },
        fields: ['nextSequential'],
      })),
      { body: { environment: 'sandbox', nextSequential: 5 }, type: '02', fields: ['path:documentType'] },
      {
        body: { environment: 'x', nextSequential: 'y' },
        type: 'z',
        fields: ['path:documentType', 'environment', 'nextSequential'],
      },
    ])('[R220] a counter refuses $body for type $type', async ({ body, fields, ...rest }) => {
      const response = await move(at.tenant, body, 'type' in rest ? rest.type : '01');
      const problem = (await response.json()) as { errors: { field: string }[] };
      expect(problem).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
      expect(problem.errors.map(({ field }) => field)).toEqual(fields);
    });

    it('[R221] no number is used twice while the counter is moved', async () => {
      const owner = await verified();
      const creating = Array.from({ length: 20 }, () => createDocument(at.server, owner));
      const moving = [5, 30, 12, 60].map((nextSequential) => move(owner, { environment: 'sandbox', nextSequential }));
      const numbers = (await Promise.all(creating)).map(({ sequential }) => sequential);
      const statuses = (await Promise.all(moving)).map(({ status }) => status);
      expect(new Set(numbers).size).toBe(20);
      expect(statuses).toContain(200);
      expect(statuses.every((status) => status === 200 || status === 400)).toBe(true);
      const after = await createDocument(at.server, owner);
      expect(Number(after.sequential)).toBe(Math.max(59, ...numbers.map(Number)) + 1);
    });

    it('[R385] requests for counters are limited to 60 a minute and key', async () => {
      const owner = await verified();
      const ask = () => get(pathOf(owner), owner);
      for (let count = 0; count < 60; count += 1) expect((await ask()).status).toBe(200);
      const refused = await ask();
      expect(await refused.json()).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' });
      const moved = await move(owner, { environment: 'sandbox', nextSequential: 9 });
      expect(moved.status).toBe(429);
      await at.server.clock.advance(60_000);
      expect((await ask()).status).toBe(200);
    });
  });
});
