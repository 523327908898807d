import { sql } from 'kysely';
import type { DocumentChange } from 'sri-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { lockTenant } from '../accounts/index.js';
import { lockNotifications } from '../notifications/index.js';
import { describeReplicas, type OpenReplica } from '../testing/replicas.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import type { TestServer } from '../testing/test-server.js';
import { createDocument, registerTenant } from '../testing/test-tenant.js';
import { inOrderOfAccounts, lockNotificationsOf } from './lock-order.js';

const manyWriters = (await everyDatabaseKind()).filter(({ name }) => name === 'PostgreSQL');

describeReplicas('a commit of several issuers', manyWriters, (openReplica: OpenReplica) => {
  let server: TestServer;
  /** Observes from outside of the transactions. */
  let other: TestServer;
  /** Account ids, each with an issuer; the issuers' ids are in reverse order. */
  let tenantIds: string[];
  let issuerIds: string[];
  beforeAll(async () => {
    [server, other] = [await openReplica(), await openReplica()];
    const tenants = [await registerTenant(server), await registerTenant(server)];
    tenantIds = tenants.map(({ tenantId }) => tenantId).toSorted();
    issuerIds = tenants.map(({ issuerId }) => issuerId).toSorted();
    await server.services.database.transaction(async (tables) => {
      for (const [index, id] of issuerIds.entries()) {
        const tenant_id = tenantIds[tenantIds.length - 1 - index] ?? '';
        await tables.updateTable('issuers').set({ tenant_id }).where('id', '=', id).execute();
      }
    });
  });

  const changesOf = (set: DocumentChange['set'], job?: DocumentChange['job']) =>
    issuerIds.map((issuerId) => ({ document: { issuerId }, set, ...(job ? { job } : {}) }) as DocumentChange);

  /** Whether a transaction holds the lock of the account, or of its notifications. */
  const isLocked = (tenantId: string, table: 'tenants' | 'notification_cursors' = 'notification_cursors') =>
    other.services.database.transaction(async (tables) => {
      const id = sql.ref(table === 'tenants' ? 'id' : 'tenant_id');
      const { rows } = await sql`select 1 from ${sql.table(table)} where ${id} = ${tenantId}
        for update skip locked`.execute(tables);
      return rows.length === 0;
    });

  /** Locks an account from outside. @returns a function that unlocks it. */
  const holdAccount = async (tenantId: string) => {
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = other.services.database.transaction(async (tables) => {
      await lockTenant(tables, tenantId);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    return () => {
      release.resolve();
      return holder;
    };
  };

  describe('the locks of notifications', () => {
    it('locks notifications in the order of the accounts, and holds no later lock while it waits', async () => {
      const { database } = server.services;
      await database.transaction((tables) => lockNotificationsOf(tables, changesOf({ status: 'AUTHORIZED' })));
      const [first = '', second = ''] = tenantIds;
      const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holder = database.transaction(async (tables) => {
        await sql`select 1 from notification_cursors where tenant_id = ${first} for update`.execute(tables);
        held.resolve();
        await release.promise;
      });
      await held.promise;
      let locked: boolean[] = [];
      const waiting = database.transaction(async (tables) => {
        await lockNotificationsOf(tables, changesOf({ status: 'AUTHORIZED' }));
        locked = [await isLocked(first), await isLocked(second)];
      });
      await expect.poll(() => waitsForLocks(other)).toBeGreaterThan(0);
      expect(await isLocked(second)).toBe(false);
      release.resolve();
      await Promise.all([holder, waiting]);
      expect(locked).toEqual([true, true]);
    });

    it('orders accounts independently of the language of the machine', async () => {
      const backwards = vi.spyOn(String.prototype, 'localeCompare');
      backwards.mockImplementation(function (this: string, other) {
        return `${this}` < other ? 1 : -1;
      });
      const changes = await server.services.database.transaction((tables) =>
        inOrderOfAccounts(tables, changesOf({ status: 'AUTHORIZED' })),
      );
      backwards.mockRestore();
      expect(changes.map(({ document }) => document.issuerId)).toEqual(issuerIds.toReversed());
    });

    it('locks the accounts of held mails in the order of the accounts', async () => {
      const { database, engine } = server.services;
      const tenants = [await registerTenant(server), await registerTenant(server)];
      const changes: DocumentChange[] = [];
      for (const tenant of tenants) {
        const { accessKey } = await createDocument(server, tenant);
        const document = await engine.get({ issuerId: tenant.issuerId, environment: 'sandbox' }, accessKey);
        changes.push({ document, set: {}, events: [], responses: [], at: server.clock.now() });
      }
      // The issuers change places, so that their order differs from the order of the accounts.
      const ids = tenants.map(({ tenantId }) => tenantId).toReversed();
      await database.transaction(async (tables) => {
        for (const [index, { issuerId }] of tenants.entries()) {
          const tenant_id = ids[index] ?? '';
          await tables.updateTable('issuers').set({ tenant_id }).where('id', '=', issuerId).execute();
        }
      });
      const [last = '', first = ''] = ids;
      const release = await holdAccount(first);
      const changed = changes.map((change, index) =>
        database.changeDocument(change, async (tables) => void (await lockTenant(tables, ids[index] ?? ''))),
      );
      await expect.poll(() => waitsForLocks(other, 'tenants')).toBeGreaterThan(0);
      const isLastLocked = await isLocked(last, 'tenants');
      await release();
      expect(await Promise.all(changed)).toEqual(['applied', 'applied']);
      expect(isLastLocked).toBe(false);
    });

    it('locks notifications after the account that a held mail of the same commit locks', async () => {
      const { database, engine } = server.services;
      const tenant = await registerTenant(server);
      const { tenantId, issuerId } = tenant;
      const changeOf = async (set: DocumentChange['set']): Promise<DocumentChange> => {
        const { accessKey } = await createDocument(server, tenant);
        const document = await engine.get({ issuerId, environment: 'sandbox' }, accessKey);
        return { document, set, events: [], responses: [], at: server.clock.now() };
      };
      const [authorized, held] = [await changeOf({ status: 'AUTHORIZED' }), await changeOf({})];
      await database.transaction((tables) => lockNotifications(tables, tenantId));
      const release = await holdAccount(tenantId);
      const changed = Promise.all([
        database.changeDocument(authorized, async () => {}),
        database.changeDocument(held, async (tables) => void (await lockTenant(tables, tenantId))),
      ]);
      await expect.poll(() => waitsForLocks(other, 'tenants')).toBeGreaterThan(0);
      const areNotificationsLocked = await isLocked(tenantId);
      await release();
      expect(areNotificationsLocked).toBe(false);
      expect(await changed).toEqual(['applied', 'applied']);
    });

    it.each<{ name: string; set: DocumentChange['set']; locks: boolean }>([
      { name: 'an authorization', set: { status: 'AUTHORIZED' }, locks: true },
      { name: 'a mail that is given up', set: { mail: { status: 'FAILED', sentAt: null, error: 'x' } }, locks: true },
      { name: 'a reception', set: { status: 'RECEIVED' }, locks: false },
      { name: 'a mail that is out', set: { mail: { status: 'SENT', sentAt: null, error: null } }, locks: false },
    ])('locks notifications for a change that notifies, and otherwise not: $name', async ({ set, locks }) => {
      await server.services.database.transaction(async (tables) => {
        await lockNotificationsOf(tables, changesOf(set));
        expect(await Promise.all(tenantIds.map((id) => isLocked(id)))).toEqual([locks, locks]);
      });
    });
  });
});

// --- internal ---

/** The number of statements of this suite's schema that wait for a lock. */
async function waitsForLocks({ services }: TestServer, table = 'notification_cursors'): Promise<number> {
  const query = sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where wait_event_type = 'Lock' and query like ${`%${table}%`}`;
  return services.database.read(async (tables) => (await query.execute(tables)).rows[0]?.waiting ?? 0);
}
