import { describe, expect, it } from 'vitest';
import { issuerSuite } from '../testing/issuer-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { createDocument } from '../testing/test-tenant.js';

describeOnDatabases('removal of issuers', await databaseKinds(), (open) => {
  const at = issuerSuite(open);
  const { verified, get, send, add, listed } = at;

  describe('removal and activation', () => {
    it('[R202] [R217] an issuer without documents is removed, and is not found until it is activated', async () => {
      const owner = await verified();
      const branch = await add(owner);
      const activate = () => send('PATCH', `/v1/issuers/${branch.id}/activate`, undefined, owner);
      expect(await (await activate()).json()).toMatchObject({ status: 404, code: 'ISSUER_NOT_FOUND' });
      const removed = await send('DELETE', `/v1/issuers/${branch.id}`, undefined, owner);
      expect([removed.status, await removed.json()]).toEqual([200, { ok: true }]);
      expect(await (await get(`/v1/issuers/${branch.id}`, owner)).json()).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
      });
      const sequentials = await get(`/v1/issuers/${branch.id}/sequentials`, owner);
      expect(await sequentials.json()).toMatchObject({ status: 404, code: 'ISSUER_NOT_FOUND' });
      const again = await send('DELETE', `/v1/issuers/${branch.id}`, undefined, owner);
      expect(await again.json()).toMatchObject({ status: 404, code: 'ISSUER_NOT_FOUND' });
      const foreign = await send('PATCH', `/v1/issuers/${branch.id}/activate`, undefined);
      expect(await foreign.json()).toMatchObject({ status: 403, code: 'ISSUER_FORBIDDEN' });
      expect(await (await activate()).json()).toEqual({ ok: true, issuer: branch });
      expect((await get(`/v1/issuers/${branch.id}`, owner)).status).toBe(200);
    });

    it('an issuer with documents and the last issuer cannot be removed', async () => {
      const owner = await verified();
      const remove = async (id: string) => (await send('DELETE', `/v1/issuers/${id}`, undefined, owner)).json();
      expect(await remove(owner.issuerId)).toMatchObject({ status: 400, code: 'LAST_ISSUER_CANNOT_BE_REMOVED' });
      await add(owner);
      await createDocument(at.server, owner);
      expect(await remove(owner.issuerId)).toMatchObject({ status: 400, code: 'ISSUER_HAS_DOCUMENTS' });
    });

    it('concurrent removals of all issuers leave one', async () => {
      const owner = await verified();
      const ids = [owner.issuerId, (await add(owner)).id, (await add(owner, { issuePointCode: '010' })).id];
      const removals = ids.map((id) => send('DELETE', `/v1/issuers/${id}`, undefined, owner));
      const statuses = (await Promise.all(removals)).map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, 200, 400]);
      expect(await listed(owner)).toHaveLength(1);
    });
  });
});
