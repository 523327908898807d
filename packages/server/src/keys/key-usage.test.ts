import { setImmediate as turn } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { silentLogger } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { openTestServer } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';
import { KeyUsage } from './key-usage.js';

describe('the use of keys', () => {
  async function openKey() {
    const server = await openTestServer();
    const tenant = await registerTenant(server);
    const { database, clock } = server.services;
    const countOf = () =>
      database.read((tables) =>
        tables
          .selectFrom('api_keys')
          .select(['id', 'request_count', 'last_used_at'])
          .where('tenant_id', '=', tenant.tenantId)
          .executeTakeFirstOrThrow(),
      );
    return { server, database, clock, countOf, id: (await countOf()).id };
  }

  it('a use is never counted twice if the answer to a commit is lost', async () => {
    const { server, database, clock, countOf, id } = await openKey();
    const deaf: typeof database = {
      ...database,
      transaction: async (work) => {
        await database.transaction(work);
        throw new Error('the connection ended');
      },
    };
    const usage = new KeyUsage(deaf, clock, silentLogger);
    usage.count(id);
    await usage.flush();
    await usage.flush();
    expect((await countOf()).request_count).toBe(1);
    await server.close();
  });

  it('the use stays in memory if a commit is rolled back and its retry fails', async () => {
    const { server, database, clock, countOf, id } = await openKey();
    const failing: KyselyPlugin = {
      transformQuery() {
        throw new Error('the connection ended');
      },
      transformResult: async ({ result }) => result,
    };
    let isRolledBack = true;
    const retrying: typeof database = {
      ...database,
      transaction: async (work) => {
        if (!isRolledBack) return database.transaction(work);
        isRolledBack = false;
        const first = database.transaction(async (tables) => {
          await work(tables);
          throw new Error('the commit was rolled back');
        });
        await first.catch(() => {});
        return database.transaction((tables) => work(tables.withPlugin(failing)));
      },
    };
    const usage = new KeyUsage(retrying, clock, silentLogger);
    usage.count(id);
    await usage.flush();
    expect((await countOf()).request_count).toBe(0);
    await usage.flush();
    expect((await countOf()).request_count).toBe(1);
    await server.close();
  });

  it('the use stays in memory while the database is unavailable', async () => {
    const { server, database, clock, countOf, id } = await openKey();
    const full = Promise.withResolvers<never>();
    let broken = true;
    const flaky: typeof database = {
      ...database,
      transaction: (work) => (broken ? full.promise : database.transaction(work)),
    };
    const usage = new KeyUsage(flaky, clock, silentLogger);
    for (let count = 0; count < 3; count += 1) usage.count(id);
    const failing = usage.flush();
    await turn();
    await server.clock.advance(60_000);
    usage.count(id);
    full.reject(new Error('full'));
    await failing;
    expect((await countOf()).request_count).toBe(0);
    broken = false;
    void usage.flush();
    await usage.flush();
    const stored = { request_count: 4, last_used_at: clock.now().getTime() };
    expect(await countOf()).toMatchObject(stored);
    await usage.flush();
    expect(await countOf()).toMatchObject(stored);
    await server.close();
  });
});
