import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ChildServer, startChildServer } from '../../testing/child-server.js';
import { runCli } from '../../testing/run-cli.js';
import { everyDatabaseKind, type TestDatabase } from '../../testing/test-databases.js';
import { testFolder } from '../../testing/test-folder.js';
import { createDocument, postJson, registerTenant, type TestTenant } from '../../testing/test-tenant.js';

const [, postgres] = await everyDatabaseKind();

describe.skipIf(postgres?.missing !== null)('a SQLite file moved into PostgreSQL', () => {
  const folder = testFolder('move');
  const file = join(folder, 'data', 'app.db');
  const onFile = { DATA_DIR: join(folder, 'data'), ONBOARDING_RATE: '1000/1h' };
  let onServer: Record<string, string>;
  let database: TestDatabase | undefined;
  let server: ChildServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    database = await postgres?.create();
    onServer = { ...onFile, DATABASE_URL: database?.url ?? '' };
    server = await startChildServer({ settings: onFile });
    tenant = await registerTenant(server);
    for (let count = 0; count < 3; count += 1) await createDocument(server, tenant);
    await runCli(onFile, 'admin', 'verify', tenant.tenantId);
    const webhook = { url: 'https://ejemplo.ec/sri', eventTypes: ['DOCUMENT_AUTHORIZED'] };
    await postJson(server, '/v1/webhooks', tenant.auth, webhook);
  });
  afterAll(async () => {
    await server.kill();
    await database?.remove();
  });

  const move = (settings: Record<string, string>, from = file) => runCli(settings, 'db', 'move', from, '--json');

  it('the move reports a server that has the file open, and copies nothing', async () => {
    const answer = await move(onServer);
    expect([answer.code, answer.json()]).toMatchObject([1, { code: 'DATABASE_IN_USE' }]);
    await createDocument(server, tenant);
  });

  it('the move copies every row, continues the numbers and renames the file', async () => {
    await server.kill();
    const before = rowsOfFile(file);
    const answer = await move(onServer);
    expect(answer.errors).toBe('');
    const { moved } = answer.json<{ moved: { formerPath: string; documents: number; rows: number } }>();
    expect([existsSync(file), existsSync(moved.formerPath), moved.documents]).toEqual([false, true, 4]);
    const after = await rowsOfServer(onServer['DATABASE_URL'] ?? '');
    // The move itself is an action of the operator.
    const [actions, others] = [true, false].map((isMove) =>
      after['admin_audit']?.filter((row) => row.includes('database.move') === isMove),
    );
    expect(actions).toHaveLength(1);
    expect({ ...after, admin_audit: others }).toEqual(before);
    const filled = Object.keys(before).filter((name) => before[name]?.length !== 0);
    expect(filled).toEqual(
      expect.arrayContaining(['sri_contents', 'sri_sequentials', 'issuer_certificates', 'api_keys']),
    );
    expect(filled).toEqual(expect.arrayContaining(['sri_events', 'webhook_endpoints', 'remembered_keys']));
    expect(Object.values(before).flat()).toHaveLength(moved.rows);

    server = await startChildServer({ settings: onServer });
    expect(Number((await createDocument(server, tenant)).sequential)).toBe(5);
    const again = await server.request('/v1/documents', { headers: tenant.headers });
    expect(await again.json()).toMatchObject({ pagination: { total: 5 } });
    const doctor = await runCli(onServer, 'doctor', '--invariants', '--json');
    expect(doctor.json<{ findings: unknown[] }>().findings).toContainEqual(
      expect.objectContaining({ check: 'invariants', verdict: 'ok' }),
    );
  });

  it('commands without the address of PostgreSQL refuse to start with an empty file after the move', async () => {
    for (const argv of [['serve'], ['db', 'migrate'], ['admin', 'tenants']]) {
      const answer = await runCli(onFile, ...argv, '--lang', 'en');
      expect([answer.code, answer.errors]).toEqual([
        1,
        expect.stringMatching(/^ {2}DATABASE_URL: .+ was moved into PostgreSQL/m),
      ]);
    }
    expect((await runCli(onFile, 'doctor', '--lang', 'en')).out).toMatch(
      /was moved into PostgreSQL.+\n.+ Correct DATABASE_URL/,
    );
    expect(existsSync(file)).toBe(false);
  });

  it('the move requires an empty PostgreSQL, its address and a file of a server', async () => {
    const other = join(folder, 'other');
    await runCli({ ...onFile, DATA_DIR: other }, 'db', 'migrate');
    const refused = await move(onServer, join(other, 'app.db'));
    expect(refused.json()).toMatchObject({ code: 'DATABASE_EXISTS' });
    expect(existsSync(join(other, 'app.db'))).toBe(true);
    expect((await move(onFile)).out).toContain('postgres://');
    expect((await move(onServer, join(folder, 'none.db'))).json()).toMatchObject({ code: 'BACKUP_INVALID' });
    writeFileSync(join(folder, 'notes.md'), '# Notes');
    const notes = await move(onServer, join(folder, 'notes.md'));
    expect([notes.code, notes.json()]).toMatchObject([1, { code: 'BACKUP_INVALID' }]);
    expect(notes.out).not.toContain('DATABASE_URL');
  });

  it('the move writes nothing to an empty file or a file of another program', async () => {
    const foreign = join(folder, 'foreign.db');
    const opened = new BetterSqlite(foreign);
    opened.exec('create table customers (id integer)');
    opened.close();
    const empty = join(folder, 'empty.db');
    writeFileSync(empty, '');
    for (const path of [foreign, empty]) {
      const before = readFileSync(path);
      expect((await move(onServer, path)).json()).toMatchObject({ code: 'BACKUP_INVALID' });
      expect(readFileSync(path)).toEqual(before);
    }
  });

  it('the move keeps documents without accounts, and an account that is created during the move', async () => {
    await server.kill();
    const other = join(folder, 'other', 'app.db');
    const url = onServer['DATABASE_URL'] ?? '';
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query('create table kept as table tenants; truncate tenants cascade');
      expect((await move(onServer, other)).json()).toMatchObject({ code: 'DATABASE_EXISTS' });
      expect((await client.query('select 1 from sri_documents')).rowCount).toBe(5);

      await client.query('truncate sri_documents cascade; begin; insert into tenants select * from kept');
      const moving = move(onServer, other);
      const waiting = 'select 1 from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))';
      await vi.waitFor(async () => expect((await client.query(waiting)).rowCount).toBeGreaterThan(0));
      await client.query('commit');
      expect((await moving).json()).toMatchObject({ code: 'DATABASE_EXISTS' });
      expect((await client.query('select 1 from tenants')).rowCount).toBe(1);

      await client.query('truncate tenants cascade');
      const moved = await runCli(onServer, 'db', 'move', other, '--lang', 'es');
      expect(moved.out).toMatch(/la anterior quedó en.*\ncuentas.*\ncomprobantes.*\nfilas/);
    } finally {
      await client.end();
    }
  });
});

// --- internal ---

type Rows = Record<string, string[]>;

function rowsOfFile(path: string): Rows {
  const database = new BetterSqlite(path);
  const names = database.prepare("select name from sqlite_schema where type = 'table'").pluck().all().map(String);
  const rows = names
    .filter((name) => name !== 'sri_migrations')
    .map((name) => [name, inOrder(database.prepare(`select * from ${name}`).all())]);
  database.close();
  return Object.fromEntries(rows);
}

async function rowsOfServer(url: string): Promise<Rows> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const tables = await client.query(
    'select table_name from information_schema.tables where table_schema = current_schema()',
  );
  const rows: Rows = {};
  for (const { table_name: name } of tables.rows) {
    if (name !== 'sri_migrations') rows[name] = inOrder((await client.query(`select * from ${name}`)).rows);
  }
  await client.end();
  return rows;
}

/** As text, since both drivers give whole numbers of 53 bits in another form. */
function inOrder(rows: readonly unknown[]): string[] {
  const text = (value: unknown) =>
    Buffer.isBuffer(value) ? value.toString('hex') : value === null ? null : String(value);
  return rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row as object)
          .map(([name, value]) => [name, text(value)])
          .toSorted(),
      ),
    )
    .toSorted();
}
