import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { systemClock } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { PLAN_LIMITS } from './accounts/plans.js';
import { openDatabase } from './open-database.js';
import { ConfigError } from './platform/config-values.js';
import type { Tables } from './platform/database/tables.js';
import { readMasterKeyFile } from './platform/secrets/master-key-file.js';
import { everyDatabaseKind } from './testing/test-databases.js';
import { testFolder } from './testing/test-folder.js';

const NO_QUOTAS = {
  databaseSchema: null,
  quotaEnforcement: 'off',
  plans: PLAN_LIMITS,
  notificationTtlMs: null,
  reservedNotifications: false,
} as const;

const dataDir = testFolder('open');

describe.each(await everyDatabaseKind())('opening $name', ({ name, missing, create }) => {
  it.skipIf(missing !== null)(
    'several processes at once migrate the database once, and see the same tables',
    async () => {
      const { url, remove } = await create();
      const config = {
        databaseUrl: url ?? `file:${join(dataDir, `${name}.db`)}`,
        dataDir,
        ...NO_QUOTAS,
      };
      const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(config, systemClock)));
      for (const { check, database } of opened) {
        await check();
        expect(await database.read((tables) => tables.selectFrom('tenants').selectAll().execute())).toEqual([]);
      }
      for (const { close } of opened) await close();
      await remove();
    },
  );
});

const [, postgres] = await everyDatabaseKind();

it.skipIf(postgres?.missing !== null)(
  'a statement of an operator may take longer than a statement of a request',
  async () => {
    const database = await postgres?.create();
    const limits = [];
    for (const isPatient of [false, true]) {
      const config = { databaseUrl: database?.url ?? '', dataDir, ...NO_QUOTAS };
      const opened = await openDatabase(config, systemClock, { isPatient });
      limits.push((await opened.database.read((tables) => sql`show statement_timeout`.execute(tables))).rows[0]);
      await opened.close();
    }
    await database?.remove();
    expect(limits).toEqual([{ statement_timeout: '30s' }, { statement_timeout: '10min' }]);
  },
);

it.skipIf(postgres?.missing !== null)(
  'an error names a role that owns neither database nor schema, and its place',
  async () => {
    const made = await postgres?.create();
    const config = { databaseUrl: made?.url ?? '', dataDir, ...NO_QUOTAS };
    const owner = await openDatabase(config, systemClock);
    const run = (text: string) =>
      owner.database.transaction((tables) => sql.raw<{ name: string }>(text).execute(tables));
    await run('create role open_stranger login');
    const stranger = new URL(made?.url ?? '');
    stranger.username = 'open_stranger';
    stranger.password = '';
    const refusal = () =>
      openDatabase({ ...config, databaseUrl: stranger.href }, systemClock).then(
        () => null,
        ({ code, message }) => `${code} ${message}`,
      );
    expect(await refusal()).toMatch(/^STORAGE_UNAVAILABLE PostgreSQL, .* cannot be used: no schema /);
    const { rows } = await run('select current_schema() as name');
    await run(`grant usage on schema "${rows[0]?.name}" to open_stranger`);
    expect(await refusal()).toMatch(/^STORAGE_UNAVAILABLE PostgreSQL, .* cannot be used: permission denied for /);
    await run('drop owned by open_stranger');
    await run('drop role open_stranger');
    await owner.close();
    await made?.remove();
  },
);

it.skipIf(postgres?.missing !== null)('rejects a database of another encoding than UTF8', async () => {
  const made = await postgres?.create();
  const client = new pg.Client({ connectionString: made?.url ?? '' });
  await client.connect();
  await client.query("create database open_latin template template0 encoding 'LATIN1' locale 'C'");
  const latin = new URL(made?.url ?? '');
  latin.pathname = '/open_latin';
  latin.search = '';
  const opening = openDatabase({ databaseUrl: latin.href, dataDir, ...NO_QUOTAS }, systemClock);
  await expect(opening).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message: expect.stringMatching(/open_latin cannot be used: its encoding is LATIN1\. /),
  });
  await client.query('drop database open_latin');
  await client.end();
  await made?.remove();
});

it.skipIf(postgres?.missing !== null)('a frozen transaction locks its rows for seconds, and runs again', async () => {
  const made = await postgres?.create();
  const config = { databaseUrl: made?.url ?? '', dataDir, ...NO_QUOTAS };
  const [frozen, other] = [await openDatabase(config, systemClock), await openDatabase(config, systemClock)];
  const shown = () => frozen.database.read((tables) => sql`show idle_in_transaction_session_timeout`.execute(tables));
  expect((await shown()).rows).toEqual([{ idle_in_transaction_session_timeout: '10s' }]);
  const locked = Promise.withResolvers<void>();
  const thawed = Promise.withResolvers<void>();
  let runs = 0;
  const written = frozen.database.transaction(async (tables) => {
    runs += 1;
    if (runs === 1) await sql`set local idle_in_transaction_session_timeout = '200ms'`.execute(tables);
    await markProbe(tables);
    locked.resolve();
    if (runs === 1) await thawed.promise;
    await markProbe(tables);
  });
  await locked.promise;
  await other.database.transaction(markProbe);
  expect(runs).toBe(1);
  thawed.resolve();
  await written;
  expect(runs).toBe(2);
  for (const { close } of [frozen, other]) await close();
  await made?.remove();
});

describe('opening', () => {
  it('creates the folder of a SQLite file and names the file', async () => {
    const path = join(dataDir, 'deep', 'er', 'app.db');
    const config = { databaseUrl: `file:${path}`, dataDir, ...NO_QUOTAS };
    const opened = await openDatabase(config, systemClock);
    expect(opened.place).toBe(path);
    await opened.close();
  });

  it('the error of a missing server contains no password', async () => {
    const config = { databaseUrl: 'postgres://u:hunter2@127.0.0.1:1/x', dataDir, ...NO_QUOTAS };
    await expect(openDatabase(config, systemClock)).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });
});

describe('the master key of a development server', () => {
  it('several starts at once create the master key once, for its owner alone', async () => {
    const files = await Promise.all(Array.from({ length: 5 }, () => readMasterKeyFile(dataDir)));
    expect(files.filter(({ created }) => created)).toHaveLength(1);
    const keys = new Set(files.map(({ masterKeys }) => masterKeys.byId.get(masterKeys.currentId)?.toString('hex')));
    expect(keys.size).toBe(1);
    const path = join(dataDir, 'master.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('master.key'))).toEqual(['master.key']);
    const before = await readFile(path, 'utf8');
    await readMasterKeyFile(dataDir);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('a start does not replace a master key that it cannot read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sri-key-'));
    await writeFile(join(folder, 'master.key'), 'garbage');
    await expect(readMasterKeyFile(folder)).rejects.toThrow(ConfigError);
    expect(await readFile(join(folder, 'master.key'), 'utf8')).toBe('garbage');
    await rm(folder, { recursive: true });
  });
});

// --- internal ---

async function markProbe(tables: Tables): Promise<void> {
  await tables.updateTable('write_probes').set({ written_at: 0 }).where('name', '=', 'readiness').execute();
}
