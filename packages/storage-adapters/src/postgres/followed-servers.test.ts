import { Client, type Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresCluster, startPostgres } from '../testing/postgres-cluster.js';
import { sampleBatch } from '../testing/sample-batches.js';
import { findPostgres } from '../testing/test-databases.js';
import { openPostgresPool } from './followed-servers.js';
import { createPostgresStorage } from './postgres.js';

const { missing } = await findPostgres();
const NAME = 'following';

describe.skipIf(missing)('a storage with two hosts in its address', () => {
  let one: PostgresCluster;
  let two: PostgresCluster;
  let pool: Pool;

  beforeAll(async () => {
    [one, two] = await Promise.all([startPostgres(), startPostgres()]);
    const [hostOfOne, hostOfTwo] = [one, two].map(({ url }) => new URL(url).host);
    const address = `postgres://postgres@${hostOfOne},${hostOfTwo}/postgres`;
    for (const { url } of [one, two]) await createPostgresStorage({ pool: await openPostgresPool(url) }).migrate();
    await takesWrites(one, false);
    pool = await openPostgresPool(address, { max: 3, connectionTimeoutMillis: 2_000, application_name: NAME });
  });
  afterAll(async () => {
    await pool?.end();
    await Promise.all([one?.stop(), two?.stop()]);
  });

  it('the storage writes to the host that takes writes, wherever in the list, and follows a change', async () => {
    const storage = createPostgresStorage({ pool });
    const first = sampleBatch(1);
    expect(await storage.storeDocuments(first)).toEqual({ kind: 'stored' });
    expect(new Set(await portsOf(pool))).toEqual(new Set([portOf(two)]));
    await expect.poll(() => sessionsOn(one)).toBe(0);

    await takesWrites(one, true);
    await takesWrites(two, false);
    // The sessions read the changed setting at their next statement after the signal.
    await expect.poll(() => ofEach(pool, isReadOnly)).toEqual([true, true, true]);
    // An earlier connection fails at its next write, and the pool drops it.
    await expect(storage.storeDocuments(sampleBatch(1))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await storage.storeDocuments(sampleBatch(1))).toEqual({ kind: 'stored' });
    expect(new Set(await portsOf(pool))).toEqual(new Set([portOf(one)]));
  });

  it('the storage drops every connection to the former host once another host takes the writes', async () => {
    const held = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    for (const client of held) client.release();
    await takesWrites(two, true);
    await one.crash();
    // A broken connection may be taken once more before its end arrives.
    await expect.poll(() => portsOf(pool)).toEqual([portOf(two), portOf(two), portOf(two)]);
  });

  it('the storage fails when no host takes writes, and works again once one does', async () => {
    const storage = createPostgresStorage({ pool });
    await two.crash();
    await expect(storage.storeDocuments(sampleBatch(1))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await two.start();
    expect(await storage.storeDocuments(sampleBatch(1))).toEqual({ kind: 'stored' });
    await one.start();
  });
});

/** The ports of the servers that three concurrent connections of the pool reach. */
function portsOf(pool: Pool): Promise<readonly number[]> {
  return ofEach(pool, async ({ port }) => port);
}

async function ofEach<Value>(pool: Pool, read: (client: PoolClient) => Promise<Value>): Promise<readonly Value[]> {
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  const values = await Promise.all(clients.map(read));
  for (const client of clients) client.release();
  return values;
}

async function isReadOnly(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query('show default_transaction_read_only');
  return rows[0].default_transaction_read_only === 'on';
}

/** The connections of the pool that a server has. */
async function sessionsOn({ url }: PostgresCluster): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query('select from pg_stat_activity where application_name = $1', [NAME]);
  await client.end();
  return rowCount ?? 0;
}

function portOf({ url }: PostgresCluster): number {
  return Number(new URL(url).port);
}

/** Makes a server writable, or read-only like a standby. */
async function takesWrites({ url }: PostgresCluster, takes: boolean): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`alter system set default_transaction_read_only = ${takes ? 'off' : 'on'}`);
  await client.query('select pg_reload_conf()');
  await client.end();
}
