import { setTimeout as sleep } from 'node:timers/promises';
import { uncheckedBody } from 'sri-core';
import { beforeAll, expect, it } from 'vitest';
import { blockedBy, sessionsBehind } from '../testing/blocked-sessions.js';
import { changeRows } from '../testing/change-rows.js';
import { issuerSuite } from '../testing/issuer-suite.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';
import { readIssuer } from './rows.js';

describeOnDatabases('an issuer that is removed while it issues', await everyDatabaseKind(), (open, databaseName) => {
  const at = issuerSuite(open);
  let second: TestServer;
  let owner: TestTenant;
  let points = 10;
  beforeAll(async () => {
    second = await open({ beside: at.server });
    owner = await at.verified();
  });

  async function addIssuer(): Promise<string> {
    points += 1;
    return (await at.add(owner, { issuePointCode: String(points).padStart(3, '0') })).id;
  }

  const scopeOf = (issuerId: string) => ({ issuerId, environment: 'sandbox' }) as const;
  const remove = (id: string) => at.send('DELETE', `/v1/issuers/${id}`, undefined, owner);
  const create = (id: string, headers = {}) =>
    postJson(second, '/v1/documents', { ...owner.auth, 'x-issuer-id': id, ...headers }, SIMPLE_INVOICE);

  /** The issuer as a request reads it in its first checks. */
  async function readBefore(id: string) {
    const record = await second.services.database.read((tables) => readIssuer(tables, id));
    if (!record) throw new Error('There is no such issuer.');
    return second.services.openIssuer(record);
  }

  async function countDocuments(id: string): Promise<number> {
    return (await at.server.services.engine.list(scopeOf(id), { page: 1, limit: 1 })).total;
  }

  it('a removed issuer gets no document from a request that read it before', async () => {
    const id = await addIssuer();
    const issuer = await readBefore(id);
    expect((await remove(id)).status).toBe(200);
    const late = second.services.engine.create(scopeOf(id), uncheckedBody(SIMPLE_INVOICE), {
      issuer,
      idempotencyKey: 'late',
    });
    await expect(late).rejects.toMatchObject({ code: 'ISSUER_NOT_FOUND' });
    expect(await countDocuments(id)).toBe(0);
    expect((await at.send('PATCH', `/v1/issuers/${id}/activate`, undefined, owner)).status).toBe(200);
    // Neither the key was bound nor a number taken.
    const response = await create(id, { 'idempotency-key': 'late' });
    expect([response.status, await response.json()]).toMatchObject([201, { document: { sequential: '000000001' } }]);
  });

  it('a paused issuer gets no document from a request that read it before', async () => {
    const id = await addIssuer();
    const issuer = await readBefore(id);
    await changeRows(at.server, 'issuers', { id }, { can_issue: 0 });
    const late = second.services.engine.create(scopeOf(id), uncheckedBody(SIMPLE_INVOICE), { issuer });
    await expect(late).rejects.toMatchObject({ code: 'ISSUER_ISSUING_PAUSED' });
    expect(await countDocuments(id)).toBe(0);
  });

  // SQLite runs one transaction at a time.
  it.skipIf(databaseName === 'SQLite')(
    'an issuer stays when one of its documents is about to be committed',
    async () => {
      const id = await addIssuer();
      expect((await create(owner.issuerId)).status).toBe(201);
      const third = await open({ beside: at.server });
      const holder = third.services.database;
      const requests: Promise<Response>[] = [];
      await holder.transaction(async (tables) => {
        // The create has written the document when it waits here for its count of the month.
        await tables.updateTable('document_usage').set({ document_count: 5 }).execute();
        requests.push(create(id));
        const creator = await sessionsBehind(at.server, tables);
        let removed = false;
        requests.push(
          remove(id).finally(() => {
            removed = true;
          }),
        );
        while (!removed && (await blockedBy(at.server, creator)).length === 0) await sleep(5);
      });
      const [created, removal] = await Promise.all(requests);
      expect(created?.status).toBe(201);
      expect(await removal?.json()).toMatchObject({ status: 400, code: 'ISSUER_HAS_DOCUMENTS' });
      expect(await countDocuments(id)).toBe(1);
    },
  );

  it('an issuer either issues or is removed when a create and a removal are concurrent', async () => {
    for (let round = 0; round < 12; round += 1) {
      const id = await addIssuer();
      // The order of the two varies.
      const creating = Array.from({ length: 4 }, () => create(id));
      if (round % 3 > 0) await sleep(round);
      const removal = await remove(id);
      const created = (await Promise.all(creating)).filter(({ status }) => status === 201).length;
      expect(await countDocuments(id)).toBe(created);
      expect({ removal: removal.status, any: created > 0 }).toEqual(
        created > 0 ? { removal: 400, any: true } : { removal: 200, any: false },
      );
    }
  });
});
