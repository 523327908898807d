import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KyselyStorage } from './kysely-storage.js';
import { CORE_MIGRATIONS } from './migrations/core-migrations.js';
import { createPostgresStorage } from './postgres/postgres.js';
import { poolInSchema } from './postgres/postgres-schema.js';
import { invoicesOf, sampleBatch } from './testing/sample-batches.js';
import { findPostgres } from './testing/test-databases.js';

const postgres = await findPostgres();

describe.skipIf(postgres.missing)('two cells in one database', () => {
  const pools: Pool[] = [];
  const cells: KyselyStorage[] = [];
  let admin: Client;

  beforeAll(async () => {
    admin = new Client({ connectionString: postgres.url });
    await admin.connect();
    for (const schema of ['cell_a', 'cell_b']) {
      const pool = new Pool({ ...poolInSchema(postgres.url, schema), max: 4 });
      pools.push(pool);
      cells.push(createPostgresStorage({ pool, schema }));
    }
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    for (const schema of ['cell_a', 'cell_b']) await admin.query(`drop schema if exists ${schema} cascade`);
    await admin.end();
  });

  const tablesIn = async (schema: string) => {
    const { rows } = await admin.query<{ name: string }>(
      'select relname as name from pg_class where relnamespace = to_regnamespace($1) order by 1',
      [schema],
    );
    return rows.map(({ name }) => name);
  };

  it('a migration makes its own schema and nothing in another one', async () => {
    const [a, b] = cells;
    await a?.migrate();
    expect(await tablesIn('cell_a')).toContain('sri_documents');
    expect(await tablesIn('cell_b')).toEqual([]);
    await b?.migrate();
    expect(await tablesIn('cell_b')).toEqual(await tablesIn('cell_a'));
    const { rows } = await admin.query('select name from cell_b.sri_migrations');
    expect(rows).toHaveLength(CORE_MIGRATIONS.migrations.length);
  });

  it('documents of one cell never show in the other, even of the same issuer and number', async () => {
    const counter = invoicesOf();
    const [a, b] = cells;
    if (!a || !b) throw new Error('There are two cells.');
    expect(await a.storeDocuments(sampleBatch(1, 3, counter))).toEqual({ kind: 'stored' });
    expect(await b.nextSequential(counter)).toBe(1);
    expect((await b.listDocuments(counter, { page: 1, limit: 10 })).total).toBe(0);
    expect(await b.storeDocuments(sampleBatch(1, 1, counter))).toEqual({ kind: 'stored' });
    expect([await a.nextSequential(counter), await b.nextSequential(counter)]).toEqual([4, 2]);
    expect((await a.listDocuments(counter, { page: 1, limit: 10 })).total).toBe(3);
  });

  it('an existing schema needs no right to create another', async () => {
    await admin.query(`create role cell_owner login; create schema cell_c authorization cell_owner`);
    const url = new URL(postgres.url);
    url.username = 'cell_owner';
    const pool = new Pool({ ...poolInSchema(url.href, 'cell_c'), max: 1 });
    await createPostgresStorage({ pool, schema: 'cell_c' }).migrate();
    await pool.end();
    expect(await tablesIn('cell_c')).toContain('sri_documents');
    await admin.query('drop schema cell_c cascade; drop role cell_owner');
  });
});

describe.skipIf(postgres.missing)('a connection that works in another schema', () => {
  it('a connection in another schema is refused before its first statement, behind a pooler that drops the option', async () => {
    const pooler = await openForgetfulPooler(new URL(postgres.url));
    const pool = new Pool({ ...poolInSchema(pooler.url, 'cell_a'), max: 1 });
    const storage = createPostgresStorage({ pool, schema: 'cell_a' });
    await expect(storage.migrate()).rejects.toMatchObject({ code: 'STORAGE_SCHEMA_UNUSABLE' });
    await expect(storage.nextSequential(invoicesOf())).rejects.toMatchObject({ code: 'STORAGE_SCHEMA_UNUSABLE' });
    expect(pool.totalCount).toBe(0);
    await pool.end();
    pooler.close();
  });

  it('a connection in another schema is refused with the call that opens a pool in the schema', async () => {
    const pool = new Pool({ connectionString: postgres.url });
    const refused = expect.objectContaining({
      message: expect.stringContaining('openPostgresPool(address, { schema })'),
    });
    await expect(createPostgresStorage({ pool, schema: 'cell_a' }).migrate()).rejects.toThrow(refused);
    await pool.end();
  });
});

describe('the name of a schema', () => {
  it.each(['', 'Cell', '1a', 'a-b', 'a b', 'a"; drop', 'pg_cell', 'information_schema', 'ñ', 'a'.repeat(64)])(
    'the schema name %j breaks the rule, and the error names both',
    (schema) => {
      const refused = expect.objectContaining({
        code: 'STORAGE_SCHEMA_UNUSABLE',
        message: expect.stringMatching(/"schema".*lower-case/),
      });
      expect(() => poolInSchema('postgres://h/d', schema)).toThrow(refused);
      expect(() => createPostgresStorage({ pool: new Pool(), schema })).toThrow(refused);
    },
  );

  it('the option of a schema joins other options of the address', () => {
    const { connectionString, options } = poolInSchema(
      'postgres://u:p%40@h:5/d?options=-c%20jit%3Doff&sslmode=disable',
      'a',
    );
    expect(options).toBe('-c jit=off -c search_path=a');
    expect(connectionString).toBe('postgres://u:p%40@h:5/d?sslmode=disable');
  });
});

// --- internal ---

/** A pooler that forwards everything except the options in a connection's first message. */
async function openForgetfulPooler(target: URL) {
  const server = createServer((client) => {
    const upstream = connectTo(Number(target.port), target.hostname);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    upstream.pipe(client);
    client.once('data', (startup) => {
      upstream.write(withoutOptions(startup));
      client.pipe(upstream);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, close: () => server.close() };
}

/** The message that starts a connection: length, version, and pairs of words, each with a zero behind it. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString().split('\0');
  const at = words.indexOf('options');
  words.splice(at, at < 0 ? 0 : 2);
  const rest = Buffer.from(words.join('\0'));
  const head = Buffer.from(startup.subarray(0, 8));
  head.writeInt32BE(8 + rest.byteLength);
  return Buffer.concat([head, rest]);
}
