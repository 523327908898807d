import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { Pool } from 'pg';
import { type Counter, type DocumentChange, StorageUnavailableError, type StoredDocument } from 'sri-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KyselyStorage } from './kysely-storage.js';
import { createPostgresStorage } from './postgres/postgres.js';
import { poolInSchema } from './postgres/postgres-schema.js';
import { startPostgres } from './testing/postgres-cluster.js';
import { sampleBatch } from './testing/sample-batches.js';
import { findPostgres, type TestDatabase } from './testing/test-databases.js';

const postgres = await findPostgres();

describe.skipIf(postgres.missing)('PostgreSQL in trouble', () => {
  let database: TestDatabase;
  let pool: Pool;
  let storage: KyselyStorage;
  /** The faults inside the transaction that stores a batch, one per attempt. */
  let interruptions: ((pid: number) => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await postgres.create();
    pool = new Pool({ connectionString: database.place, max: 4, application_name: 'faults' });
    storage = createPostgresStorage({
      pool,
      async joinCommit(_commits, transaction) {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
        await interruptions.shift()?.(rows[0]?.pid ?? 0);
      },
    });
    await storage.migrate();
  });
  afterAll(async () => {
    await pool.end();
    await database.remove();
  });

  const terminate = async (pid: number) => {
    const other = new Pool({ connectionString: database.place, max: 1 });
    await other.query('select pg_terminate_backend($1)', [pid]);
    await other.end();
  };
  const terminateAll = async () => {
    const other = new Pool({ connectionString: database.place, max: 1 });
    await other.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'faults'");
    await other.end();
  };
  const failWith = (code: string) => async () => {
    throw Object.assign(new Error(`made up, ${code}`), { code });
  };

  /** A document that is stored under the first number of a counter of its own. */
  const storeOne = async () => {
    const batch = sampleBatch(1);
    await storage.storeDocuments(batch);
    const document = batch.documents[0]?.document;
    if (!document) throw new Error('A batch has documents.');
    return { counter: batch.counter, document };
  };
  const renumbered = (document: StoredDocument, counter: Counter, sequential: number): DocumentChange => ({
    document,
    set: { sequential },
    events: [],
    responses: [],
    at: new Date(),
    takes: { counter, sequential },
  });

  it('dropped idle connections are replaced unnoticed', async () => {
    const batch = sampleBatch(1);
    await Promise.all([storage.nextDueAt(), storage.nextDueAt(), storage.nextSequential(batch.counter)]);
    await terminateAll();
    expect(await storage.nextSequential(batch.counter)).toBe(1);
    expect(await storage.storeDocuments(batch)).toEqual({ kind: 'stored' });
  });

  it('a connection dropped within a transaction undoes it, and the transaction is repeated on another connection', async () => {
    interruptions = [terminate];
    const batch = sampleBatch(1, 3);
    expect(await storage.storeDocuments(batch)).toEqual({ kind: 'stored' });
    expect(interruptions).toEqual([]);
    expect((await storage.listDocuments(batch.counter, { page: 1, limit: 10 })).total).toBe(3);
  });

  it('documents built under a lock are not built again when their transaction is repeated', async () => {
    interruptions = [terminate, failWith('40001')];
    const { counter } = sampleBatch(1);
    let built = 0;
    const outcome = await storage.storeUnderLock(counter, async (first) => {
      built += 1;
      return sampleBatch(first, 2, counter).documents;
    });
    expect([outcome, built, interruptions]).toEqual([{ kind: 'stored' }, 1, []]);
    expect((await storage.listDocuments(counter, { page: 1, limit: 10 })).total).toBe(2);
  });

  it('a change built under a lock is not built again when its transaction is repeated', async () => {
    const { counter, document } = await storeOne();
    interruptions = [terminate, failWith('40001')];
    let built = 0;
    const outcome = await storage.changeUnderLock(counter, async (sequential) => {
      built += 1;
      return renumbered(document, counter, sequential);
    });
    expect([outcome, built, interruptions]).toEqual(['applied', 1, []]);
    expect(await storage.findDocument(counter, document.accessKey)).toMatchObject({
      sequential: 2,
      revision: document.revision + 1,
    });
    expect(await storage.nextSequential(counter)).toBe(3);
  });

  it('a build that fails under a lock is not repeated when its rollback loses the connection', async () => {
    const { counter, document } = await storeOne();
    let builds = 0;
    /** The second time would succeed. */
    const failing = async () => {
      builds += 1;
      if (builds > 1) return;
      await terminateAll();
      throw new Error('no signature');
    };
    const stored = storage.storeUnderLock(counter, async (first) => {
      await failing();
      return sampleBatch(first, 1, counter).documents;
    });
    await expect(stored).rejects.toThrow('no signature');
    expect(builds).toBe(1);
    builds = 0;
    const changed = storage.changeUnderLock(counter, async (sequential) => {
      await failing();
      return renumbered(document, counter, sequential);
    });
    await expect(changed).rejects.toThrow('no signature');
    expect(builds).toBe(1);
    expect(await storage.nextSequential(counter)).toBe(2);
  });

  it.each([
    { name: 'a serialization failure', code: '40001' },
    { name: 'a deadlock', code: '40P01' },
  ])('the storage repeats a transaction after $name', async ({ code }) => {
    interruptions = [failWith(code), failWith(code)];
    expect(await storage.storeDocuments(sampleBatch(1))).toEqual({ kind: 'stored' });
    expect(interruptions).toEqual([]);
  });

  it.each([
    { name: 'conflicts that do not end', codes: ['40001', '40001', '40001'] },
    { name: 'a full disk', codes: ['53100'] },
    { name: 'a statement that took too long', codes: ['57014'] },
    { name: 'a standby that only reads', codes: ['25006'] },
  ])('the storage is unavailable after $name, with nothing stored', async ({ codes }) => {
    interruptions = codes.map(failWith);
    const batch = sampleBatch(1);
    const error = await storage.storeDocuments(batch).catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(error).toMatchObject({ cause: { code: codes.at(-1) } });
    expect(interruptions).toEqual([]);
    expect(await storage.nextSequential(batch.counter)).toBe(1);
    expect(await storage.storeDocuments(batch)).toEqual({ kind: 'stored' });
  });

  /** A pool of a database whose transactions have that isolation by default. */
  function isolatedPool({ place }: TestDatabase, isolation: string) {
    const options = `${new URL(place).searchParams.get('options')} -c default_transaction_isolation=${isolation}`;
    return new Pool({ connectionString: place.replace(/[?].*/, ''), options });
  }

  it('transactions are READ COMMITTED, whatever the default of the database', async () => {
    const strict = isolatedPool(database, 'serializable');
    const found: unknown[] = [];
    const strictly = createPostgresStorage({
      pool: strict,
      async joinCommit(_commits, transaction) {
        found.push((await sql`show transaction_isolation`.execute(transaction)).rows[0]);
      },
    });
    await strictly.storeDocuments(sampleBatch(1));
    await strict.end();
    expect(found).toEqual([{ transaction_isolation: 'read committed' }]);
  });

  it('migrations run in one of several processes that start together, whatever the default of the database', async () => {
    const fresh = await postgres.create();
    const pools = Array.from({ length: 4 }, () => isolatedPool(fresh, 'repeatable\\ read'));
    const migrated = await Promise.allSettled(pools.map((each) => createPostgresStorage({ pool: each }).migrate()));
    await Promise.all(pools.map((each) => each.end()));
    await fresh.remove();
    expect(migrated.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('the storage is unavailable when the server ends a session at its time limit', async () => {
    const options = '-c transaction_timeout=20ms';
    const timed = new Pool({ connectionString: database.place.replace(/[?].*/, ''), options });
    const slow = createPostgresStorage({ pool: timed }).read((db) => sql`select pg_sleep(5)`.execute(db));
    await expect(slow).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', cause: { code: '25P04' } });
    await timed.end();
  });

  describe('a commit whose answer was lost', () => {
    /**
     * A storage that loses the server's answer to its first commit.
     *
     * @param refusals the codes with which the transactions after it are refused at first.
     */
    function openLosing(refusals: readonly string[] = []) {
      const losing = new Pool({ connectionString: database.place, max: 1 });
      const later = refusals.map((code) => Object.assign(new Error(`made up, ${code}`), { code }));
      let lost = 0;
      losing.on('connect', (client) => {
        const query = client.query.bind(client);
        Object.assign(client, {
          async query(config: { text?: string } | string, ...rest: unknown[]) {
            const begins = typeof config !== 'string' && config.text?.startsWith('begin');
            const refusal = begins && lost > 0 ? later.shift() : undefined;
            if (refusal) throw refusal;
            const result = await Reflect.apply(query, client, [config, ...rest]);
            if (typeof config === 'string' || config.text !== 'commit' || lost > 0) return result;
            lost += 1;
            throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
          },
        });
      });
      return { storage: createPostgresStorage({ pool: losing }), lost: () => lost, close: () => losing.end() };
    }

    it('the storage looks up a commit whose answer was lost, so that no document is made twice', async () => {
      const unlucky = openLosing();
      const batch = sampleBatch(1, 2);
      expect(await unlucky.storage.storeDocuments(batch)).toEqual({ kind: 'stored' });
      expect(unlucky.lost()).toBe(1);
      expect(await storage.nextSequential(batch.counter)).toBe(3);
      await unlucky.close();
    });

    it.each([
      { name: 'only reads until it is promoted', codes: ['25006', '25006', '25006'] },
      { name: 'has no room for connections yet', codes: ['53300', '57P03', '53300'] },
    ])('the storage looks up a lost commit until it is known, also while the server $name', async ({ codes }) => {
      const unlucky = openLosing(codes);
      const batch = sampleBatch(1, 2);
      expect(await unlucky.storage.storeDocuments(batch)).toEqual({ kind: 'stored' });
      expect(await storage.nextSequential(batch.counter)).toBe(3);
      await unlucky.close();
    });

    it('the storage looks up a lost commit of documents that were built under the lock of their counter', async () => {
      const unlucky = openLosing();
      const { counter } = sampleBatch(1);
      let built = 0;
      const outcome = await unlucky.storage.storeUnderLock(counter, async (first) => {
        built += 1;
        return sampleBatch(first, 2, counter).documents;
      });
      expect([outcome, built, unlucky.lost()]).toEqual([{ kind: 'stored' }, 1, 1]);
      expect(await storage.nextSequential(counter)).toBe(3);
      expect((await storage.listDocuments(counter, { page: 1, limit: 10 })).total).toBe(2);
      await unlucky.close();
    });

    it('the storage looks up a lost commit of a change that was built under the lock of its counter', async () => {
      const unlucky = openLosing();
      const { counter, document } = await storeOne();
      let built = 0;
      const outcome = await unlucky.storage.changeUnderLock(counter, async (sequential) => {
        built += 1;
        return renumbered(document, counter, sequential);
      });
      expect([outcome, built, unlucky.lost()]).toEqual(['applied', 1, 1]);
      expect(await storage.findDocument(counter, document.accessKey)).toMatchObject({
        sequential: 2,
        revision: document.revision + 1,
      });
      expect(await storage.nextSequential(counter)).toBe(3);
      await unlucky.close();
    });

    it.each([
      { name: 'with events', count: 1 },
      { name: 'without events', count: 0 },
    ])('the storage looks up a lost commit of a change $name', async ({ count }) => {
      const unlucky = openLosing();
      const batch = sampleBatch(1);
      await storage.storeDocuments(batch);
      const added = batch.documents[0];
      if (!added) throw new Error('A batch has documents.');
      const events = added.events
        .slice(0, count)
        .map((event) => ({ ...event, id: '00000000-0000-7000-8000-0000000000ff' }));
      const change = { document: added.document, set: {}, events, responses: [], at: new Date() };
      expect(await unlucky.storage.changeDocument(change)).toBe('applied');
      expect(unlucky.lost()).toBe(1);
      const stored = await storage.findDocument(batch.counter, added.document.accessKey);
      expect(stored?.revision).toBe(added.document.revision + 1);
      await unlucky.close();
    });

    it('a lost commit leaves the application in doubt about a transaction of its own', async () => {
      const unlucky = openLosing();
      const doubtful = unlucky.storage.transaction(async (transaction) => {
        await sql`select 1`.execute(transaction);
      });
      await expect(doubtful).rejects.toBeInstanceOf(StorageUnavailableError);
      await unlucky.close();
    });
  });

  it('a deadlock of two changes ends', async () => {
    const batch = sampleBatch(1, 2);
    await storage.storeDocuments(batch);
    const [a, b] = batch.documents.map(({ document }) => document.id);
    const bump = (first: string | undefined, second: string | undefined) =>
      storage.transaction(async (transaction) => {
        for (const id of [first, second]) {
          const touched = transaction.updateTable('sri_documents').set({ mail_error: id ?? '' });
          await touched.where('id', '=', id ?? '').execute();
          await sql`select pg_sleep(0.05)`.execute(transaction);
        }
      });
    await expect(Promise.all([bump(a, b), bump(b, a)])).resolves.toBeDefined();
  });

  it('a server that falls silent is unavailable in time, loses its connections, and is used again', async () => {
    const way = await openWay(database.place);
    const silent = new Pool({ connectionString: way.place, max: 2, connectionTimeoutMillis: 500, query_timeout: 1000 });
    const there = createPostgresStorage({ pool: silent });
    const batch = sampleBatch(1);
    expect(await there.nextSequential(batch.counter)).toBe(1);
    way.block();
    const attempts = [there.nextSequential(batch.counter), there.storeDocuments(batch), there.nextDueAt()];
    const ended = await Promise.allSettled(attempts);
    for (const attempt of ended) expect(attempt).toMatchObject({ reason: { code: 'STORAGE_UNAVAILABLE' } });
    await expect.poll(() => silent.totalCount).toBe(0);
    way.unblock();
    expect(await there.storeDocuments(batch)).toEqual({ kind: 'stored' });
    expect(await storage.nextSequential(batch.counter)).toBe(2);
    await silent.end();
    way.close();
  });

  it('a connection that ends as soon as it stands is replaced, and ends nothing else', async () => {
    const way = await openWay(database.place, { endsFirst: true });
    const ended = new Pool({ connectionString: way.place, max: 1 });
    const { counter } = sampleBatch(1);
    expect(await createPostgresStorage({ pool: ended }).nextSequential(counter)).toBe(1);
    expect(way.connections).toBe(2);
    await ended.end();
    way.close();
  });

  it('the storage is unavailable when nothing listens at the address, with the cause in the message', async () => {
    const nowhere = new Pool({ connectionString: 'postgres://postgres@127.0.0.1:1/none' });
    const asked = createPostgresStorage({ pool: nowhere }).nextDueAt();
    await expect(asked).rejects.toThrow(
      new StorageUnavailableError('The database cannot be used at the moment: connect ECONNREFUSED 127.0.0.1:1'),
    );
    await nowhere.end();
  });

  it.each([
    ['a socket that is not there, as while the server restarts', '&host=/nowhere', {}],
    ['a server without TLS', '', { ssl: true }],
  ])('the storage is unavailable with %s', async (_name, query, options) => {
    const refused = new Pool({ connectionString: database.place + query, ...options });
    await expect(createPostgresStorage({ pool: refused }).nextDueAt()).rejects.toBeInstanceOf(StorageUnavailableError);
    await refused.end();
  });

  it('the storage is unavailable when a pool has no free connection in time', async () => {
    const full = new Pool({ connectionString: database.place, max: 1 });
    const held = await full.connect();
    Object.assign(full.options, { connectionTimeoutMillis: 20 });
    await expect(createPostgresStorage({ pool: full }).nextDueAt()).rejects.toBeInstanceOf(StorageUnavailableError);
    held.release();
    await full.end();
  });

  it.each([
    ['an account', { username: 'gone' }],
    ['a database', { pathname: '/gone' }],
  ])('the storage is unavailable with %s that the server does not have', async (_name, change) => {
    const place = Object.assign(new URL(database.place), change);
    const refused = new Pool({ connectionString: place.href });
    await expect(createPostgresStorage({ pool: refused }).nextDueAt()).rejects.toBeInstanceOf(StorageUnavailableError);
    await refused.end();
  });

  it('a server that crashes and comes back is used again, and has everything acknowledged', async () => {
    const cluster = await startPostgres();
    const schema = 'cell_a';
    const crashing = new Pool({ ...poolInSchema(cluster.url, schema), max: 2, connectionTimeoutMillis: 500 });
    const there = createPostgresStorage({ pool: crashing, schema });
    await there.migrate();
    const { counter } = sampleBatch(1);
    let acknowledged = 0;
    let refused = 0;
    let restarted = false;
    const restarting = cluster.restart().then(() => {
      restarted = true;
    });
    while (!restarted || refused + acknowledged < 5) {
      try {
        const first = await there.nextSequential(counter);
        const outcome = await there.storeDocuments(sampleBatch(first, 1, counter));
        if (outcome.kind === 'stored') acknowledged = first;
      } catch (error) {
        expect(error).toBeInstanceOf(StorageUnavailableError);
        refused += 1;
      }
    }
    await restarting;
    const next = await there.nextSequential(counter);
    expect(next).toBeGreaterThan(acknowledged);
    expect((await there.listDocuments(counter, { page: 1, limit: 1 })).total).toBe(next - 1);
    await crashing.end();
    await cluster.stop();
  });
});

/**
 * A proxy to the database that can be blocked. While blocked, it drops all data and closes no connection.
 *
 * @param options.endsFirst ends the first connection in the same packet that reports it ready.
 */
async function openWay(place: string, { endsFirst = false } = {}) {
  const target = new URL(place);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isBlocked = false;
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    let isToEnd = endsFirst && connections === 1;
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (part) => {
        if (isBlocked) return;
        const stands = isToEnd && from === far && part.includes(READY_FOR_QUERY);
        to.write(stands ? Buffer.concat([part, ENDED_BY_ADMINISTRATOR]) : part);
        if (stands) isToEnd = false;
      });
      from.on('error', () => {}).on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const way = new URL(place);
  way.port = String((server.address() as AddressInfo).port);
  return {
    place: way.href,
    get connections() {
      return connections;
    },
    block() {
      isBlocked = true;
    },
    unblock() {
      isBlocked = false;
    },
    close() {
      server.close();
      for (const [near] of pairs) near.destroy();
    },
  };
}

/** Messages of PostgreSQL's protocol: that a session is idle, and that it is over. */
const READY_FOR_QUERY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const ENDED_BY_ADMINISTRATOR = endedByAdministrator();

function endedByAdministrator(): Buffer {
  const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0', 'latin1');
  const head = Buffer.alloc(5);
  head.write('E', 'latin1');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
