import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findPostgres, type TestDatabase } from '../testing/test-databases.js';
import { watchPool } from './pool.js';

const postgres = await findPostgres();

const READ = 'select id, filling from things where id = any (cast($1 as text[]))';
const NAMES = { nameOf: (sql: string) => (sql === READ ? 'read_things' : undefined) };

describe.skipIf(postgres.missing)('plans of prepared statements', () => {
  let database: TestDatabase;
  let pool: Pool;
  let now: number;

  beforeAll(async () => {
    database = await postgres.create();
  });
  afterAll(() => database.remove());
  beforeEach(async () => {
    now = 1_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    // One connection, so that every turn meets the plans of the one before.
    pool = new Pool({ connectionString: database.place, max: 1 });
    // Autovacuum would analyze the table and discard the plan at some time.
    await pool.query('create table things (id text primary key, filling text) with (autovacuum_enabled = false)');
    await pool.query(`insert into things values ('a', 'few'), ('b', 'rows'), ('c', 'at first')`);
    await pool.query('analyze things');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await pool.query('drop table things');
    await pool.end();
  });

  /** A statement in a turn of its own, as a storage makes it. */
  async function ask(watched: ReturnType<typeof watchPool>, sql: string, values: readonly unknown[] = []) {
    const client = await watched.connect();
    try {
      return (await client.query<Record<string, string>>(sql, values)).rows;
    } finally {
      client.release();
    }
  }

  /** Reads often enough for PostgreSQL to keep one plan for all parameters, then fills the table. */
  async function fillBehindThePlan(watched: ReturnType<typeof watchPool>): Promise<void> {
    for (let n = 0; n < 8; n += 1) await ask(watched, READ, [['a', 'b', 'c']]);
    await ask(watched, `insert into things select n::text, repeat('x', 500) from generate_series(1, 5000) as n`);
  }

  /** The plan that the prepared statement has on the connection now. */
  async function plan(): Promise<string> {
    const { rows } = await pool.query(`explain execute read_things ('{a,b,c}')`);
    return JSON.stringify(rows);
  }

  // Other sessions that create many tables at once make PostgreSQL forget its plans too.
  it('discards plans after a few seconds: the plan of a small table scans all of it once it is full', {
    retry: 4,
  }, async () => {
    const watched = watchPool(pool, NAMES);
    await fillBehindThePlan(watched);
    expect(await plan()).toContain('Seq Scan');

    now += 4_999;
    await ask(watched, READ, [['1', '2', '3']]);
    expect(await plan()).toContain('Seq Scan');

    now += 1;
    expect(await ask(watched, READ, [['1', '2', '3']])).toHaveLength(3);
    expect(await plan()).toMatch(/things_pkey/);
  });

  it('keeps plans as long as the connection was open when they were made, a minute at the most', async () => {
    const watched = watchPool(pool, NAMES);
    const asked = vi.spyOn(await heldClient(pool), 'query');
    const openedAt = now;
    await ask(watched, READ, [['a']]);
    const madeAt: number[] = [];
    for (let second = 1; second <= 200; second += 1) {
      now = openedAt + second * 1_000;
      asked.mockClear();
      await ask(watched, READ, [['a']]);
      if (textsOf(asked).includes('discard plans')) madeAt.push(second);
    }
    expect(madeAt).toEqual([5, 10, 20, 40, 80, 140, 200]);
  });

  it('discards no plans where no statement is prepared', async () => {
    const watched = watchPool(pool, null);
    const asked = vi.spyOn(await heldClient(pool), 'query');
    await ask(watched, 'select 1');
    now += 60_000;
    await ask(watched, 'select 1');
    expect(textsOf(asked)).not.toContain('discard plans');
  });

  it('discards no plans on a connection whose database cannot, and asks it once', async () => {
    const client = await heldClient(pool);
    const query = client.query.bind(client);
    const asked = vi
      .spyOn(client, 'query')
      .mockImplementation(((given: { text: string }) =>
        query(given.text === 'discard plans' ? { ...given, text: 'discard plan' } : given)) as typeof client.query);
    const watched = watchPool(pool, NAMES);
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await ask(watched, READ, [['a']])).toHaveLength(1);
      now += 60_000;
    }
    expect(textsOf(asked).filter((text) => text === 'discard plans')).toHaveLength(1);
  });
});

describe.skipIf(postgres.missing)('a connection that refuses a write', () => {
  it.each([
    { readOnly: false, kept: false, who: 'its server became read-only' },
    { readOnly: true, kept: true, who: 'the caller only reads' },
  ] as const)('a connection that refuses a write is kept: $kept, because $who', async ({ readOnly, kept }) => {
    const database = await postgres.create();
    const pool = new Pool({ connectionString: database.place, max: 1 });
    try {
      const client = await watchPool(pool, null, { readOnly }).connect();
      await client.query('begin read only', []);
      await expect(client.query('create table things (id text)', [])).rejects.toMatchObject({ code: '25006' });
      await client.query('rollback', []);
      client.release();
      expect(pool.idleCount).toBe(kept ? 1 : 0);
    } finally {
      await pool.end();
      await database.remove();
    }
  });
});

/** The only connection of a pool, idle. */
async function heldClient(pool: Pool) {
  const client = await pool.connect();
  client.release();
  return client;
}

function textsOf(asked: { readonly mock: { readonly calls: readonly (readonly unknown[])[] } }): string[] {
  return asked.mock.calls.map(([given]) => String((given as { readonly text?: unknown } | undefined)?.text ?? given));
}

describe.skipIf(postgres.missing)('a new connection of a pool', () => {
  it('a new connection of a pool may break before its first query', async () => {
    const database = await postgres.create();
    const pool = new Pool({ connectionString: database.place });
    watchPool(pool, null);
    const client = await pool.connect();
    expect(() => client.emit('error', new Error('The server is gone.'))).not.toThrow();
    client.release();
    await pool.end();
    await database.remove();
  });
});

describe.skipIf(postgres.missing)('the only connection of a pool', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeEach(async () => {
    database = await postgres.create();
    await database.open();
    pool = new Pool({ connectionString: database.place, max: 1 });
  });
  afterEach(async () => {
    await pool.end();
    await database.remove();
  });

  it('a connection is in no transaction after the fence refuses one', async () => {
    const judge = () => {
      throw new Error('newer');
    };
    const client = await watchPool(pool, null, { fence: { isJudged: () => false, judge } }).connect();
    await expect(client.query('begin', [])).rejects.toThrow('newer');
    client.release();
    const { rows } = await pool.query('select now() = statement_timestamp() as is_apart');
    expect(rows).toEqual([{ is_apart: true }]);
  });

  it('a connection that works in another schema is given back', async () => {
    const watched = watchPool(pool, null, { schema: 'another' });
    await expect(watched.connect()).rejects.toMatchObject({ code: 'STORAGE_SCHEMA_UNUSABLE' });
    expect(pool.totalCount).toBe(0);
  });
});
