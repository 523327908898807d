import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Tables } from '../platform/database/tables.js';
import { ADMIN_SETTINGS, type AdminAnswer, askAsOperator } from '../testing/admin-access.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';

// SQLite runs one transaction at a time.
const kinds = (await everyDatabaseKind()).filter(({ name }) => name !== 'SQLite');

describeOnDatabases('an action of the operator that waits for another one', kinds, (open) => {
  let server: TestServer;
  let holder: TestServer;
  beforeAll(async () => {
    server = await open({ settings: ADMIN_SETTINGS });
    holder = await open({ beside: server });
  });

  const ask = (method: string, path: string, body: unknown) => askAsOperator(server, method, path, body);

  /** Sends requests that wait for a change. It commits when all of them wait. */
  async function sendDuring(
    change: (tables: Tables) => Promise<unknown>,
    requests: readonly (() => Promise<AdminAnswer>)[],
  ): Promise<readonly AdminAnswer[]> {
    const sent: Promise<AdminAnswer>[] = [];
    await holder.services.database.transaction(async (tables) => {
      await change(tables);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tables);
      const waiting = sql`select pid from pg_stat_activity where ${rows[0]?.pid} = any (pg_blocking_pids(pid))`;
      const count = async () => (await server.services.database.read((all) => waiting.execute(all))).rows.length;
      sent.push(...requests.map((request) => request()));
      while ((await count()) < requests.length) await sleep(5);
    });
    return Promise.all(sent);
  }

  it('publishes no second change of one price', async () => {
    const effectiveAt = new Date(server.clock.now().getTime() + 40 * 86_400_000).toISOString();
    const draft = { tier: 'STARTER', billingInterval: 'MONTHLY', newPriceUsd: '25.50', effectiveAt };
    const publish = () => ask('POST', 'prices', draft);
    const untilWritten = (tables: Tables) => sql`lock table published_prices in share mode`.execute(tables);
    const answers = await sendDuring(untilWritten, [publish, publish]);
    const told = answers.map(({ status, body }) => `${status} ${body.reason ?? ''}`);
    expect(told.toSorted()).toEqual(['201 ', '409 PRICE_CHANGE_PENDING']);
  });
});
