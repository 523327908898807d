import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ChildServer, startChildServer } from '../../testing/child-server.js';
import { pgDumpFits } from '../../testing/pg-dump-fits.js';
import { cliSettings, runCli } from '../../testing/run-cli.js';
import { everyDatabaseKind } from '../../testing/test-databases.js';
import { testFolder } from '../../testing/test-folder.js';
import { describeOnDatabases } from '../../testing/test-server.js';
import { createDocument, registerTenant, type TestTenant } from '../../testing/test-tenant.js';
import { backupPostgres, dumpCommand, restoreCommand } from './postgres-backup.js';

describe('a backup of SQLite, and its restore', () => {
  const folder = testFolder('backup');
  let settings: Record<string, string>;
  let server: ChildServer;
  let tenant: TestTenant;
  const inFolder = (name: string) => join(folder, name);

  beforeAll(async () => {
    settings = { DATA_DIR: inFolder('data'), ONBOARDING_RATE: '1000/1h' };
    server = await startChildServer({ settings });
    tenant = await registerTenant(server);
    await createDocument(server, tenant);
  });
  afterAll(() => server.kill());

  /** Checks a file without a pause, on another thread. @returns a function that counts its absences. */
  async function watchForGap(path: string): Promise<() => Promise<number>> {
    const shared = new Int32Array(new SharedArrayBuffer(8));
    const watch =
      "const { path, shared } = require('node:worker_threads').workerData; const { existsSync } = require('node:fs');" +
      'while (!Atomics.load(shared, 0)) if (!existsSync(path)) Atomics.add(shared, 1, 1);';
    const worker = new Worker(watch, { eval: true, workerData: { path, shared } });
    await once(worker, 'online');
    return async () => {
      Atomics.store(shared, 0, 1);
      await once(worker, 'exit');
      return Atomics.load(shared, 1);
    };
  }

  /** The numbers in a database: the value of each counter, and the highest number given. */
  function numbersIn(path: string) {
    const database = new BetterSqlite(path, { readonly: true });
    const [next, highest, count] = [
      'select max(next_sequential) from sri_sequentials',
      'select max(sequential) from sri_documents',
      'select count(*) from sri_documents',
    ].map((statement) => Number(database.prepare(statement).pluck().get()));
    const integrity = database.pragma('integrity_check', { simple: true });
    database.close();
    return { next: next ?? 0, highest: highest ?? 0, count: count ?? 0, integrity };
  }

  it('a backup holds whole documents while others are created, and counters above all their numbers', async () => {
    const numbers: number[] = [];
    const made: string[] = [];
    let creating = true;
    const create = async () => {
      while (creating) numbers.push(Number((await createDocument(server, tenant)).sequential));
    };
    const creators = Promise.all([create(), create(), create()]);
    await backUpMeanwhile().finally(() => {
      creating = false;
    });
    await creators;
    expect(new Set(numbers).size).toBe(numbers.length);
    expect((await stat(made[0] ?? '')).mode & 0o777).toBe(0o600);
    const counts = made.map((path) => numbersIn(path).count);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));

    async function backUpMeanwhile(): Promise<void> {
      for (let round = 0; round < 4; round += 1) {
        const acknowledged = numbers.length;
        const path = inFolder(`backup-${round}.db`);
        const answer = await runCli(settings, 'admin', 'backup', path, '--json');
        expect(answer.code, answer.out).toBe(0);
        const { backup } = answer.json<{ backup: { sha256: string; documents: number; sizeBytes: number } }>();
        expect(
          createHash('sha256')
            .update(await readFile(path))
            .digest('hex'),
        ).toBe(backup.sha256);
        const found = numbersIn(path);
        expect(found.integrity).toBe('ok');
        expect(found.count).toBe(backup.documents);
        expect(found.count).toBeGreaterThanOrEqual(acknowledged);
        expect(found.highest).toBe(found.count);
        expect(found.next).toBe(found.highest + 1);
        made.push(path);
      }
    }
  });

  it('a backup holds no master key, and the command says so', async () => {
    const path = inFolder('keyless.db');
    const answer = await runCli(settings, 'admin', 'backup', path);
    expect(answer.errors).toContain('MASTER_KEYS');
    const [, key = 'missing'] = (await readFile(inFolder('data/master.key'), 'utf8')).trim().split(':');
    const bytes = await readFile(path);
    expect(bytes.includes(Buffer.from(key, 'base64'))).toBe(false);
    expect(bytes.includes(key)).toBe(false);
  });

  it('a backup replaces another file only with --force, and leaves no partial file', async () => {
    const path = inFolder('taken.db');
    await writeFile(path, 'mine');
    const refused = await runCli(settings, 'admin', 'backup', path, '--json');
    expect([refused.code, refused.json()['code']]).toEqual([1, 'BACKUP_EXISTS']);
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect((await runCli(settings, 'admin', 'backup', '-', '--force')).code).toBe(2);
    const ofFolder = await runCli(settings, 'admin', 'backup', folder, '--force', '--lang', 'es');
    expect([ofFolder.code, ofFolder.errors]).toEqual([
      1,
      expect.stringContaining('es una carpeta. Nombre un archivo.'),
    ]);
    expect((await runCli(settings, 'admin', 'backup', path, '--force')).code).toBe(0);
    expect(numbersIn(path).integrity).toBe('ok');
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('a backup removes partial files of killed backups after a day, and no other file', async () => {
    const draft = (name: string) => inFolder(`${name}.${randomUUID()}.partial`);
    const [stale, dated, young] = [draft('nightly.db'), draft('copy-2026-11-20.db'), draft('nightly.db')];
    const other = inFolder('of-mine.partial');
    const dayAgo = new Date(Date.now() - 86_460_000);
    for (const path of [stale, `${stale}-journal`, dated, young, other]) await writeFile(path, '');
    for (const path of [stale, `${stale}-journal`, dated, other]) await utimes(path, dayAgo, dayAgo);
    expect((await runCli(settings, 'admin', 'backup', inFolder('nightly.db'))).code).toBe(0);
    const left = (await readdir(folder)).filter((name) => name.includes('partial'));
    expect(left.toSorted()).toEqual([young, other].map((path) => basename(path)).toSorted());
    await Promise.all([young, other].map((path) => rm(path)));
  });

  it('a read-only database can be backed up, and the command says that the record lacks it', async () => {
    const path = inFolder('of-read-only.db');
    const answer = await runCli({ ...settings, READ_ONLY: 'true' }, 'admin', 'backup', path, '--lang', 'en');
    expect([answer.code, numbersIn(path).integrity]).toEqual([0, 'ok']);
    expect(answer.errors).toContain('"admin audit" does not show it');
  });

  it('a backup does not replace the database itself, by any name, nor its log', async () => {
    const path = inFolder('data/app.db');
    expect((await stat(`${path}-wal`)).isFile()).toBe(true);
    const { ino } = await stat(path);
    await symlink(path, inFolder('linked.db'));
    await symlink(inFolder('data'), inFolder('linked'));
    const journals = [`${path}-journal`, inFolder('linked/app.db-journal')];
    for (const target of [path, inFolder('linked.db'), `${path}-wal`, ...journals]) {
      const answer = await runCli(settings, 'admin', 'backup', target, '--force', '--json');
      expect([answer.code, answer.json()['code']]).toEqual([1, 'BACKUP_EXISTS']);
    }
    expect((await stat(path)).ino).toBe(ino);
  });

  it('a restore does not replace a database that a server has open', async () => {
    const answer = await runCli(settings, 'admin', 'restore', inFolder('backup-3.db'), '--json');
    expect([answer.code, answer.json()['code']]).toEqual([1, 'DATABASE_EXISTS']);
    const forced = await runCli(settings, 'admin', 'restore', inFolder('backup-3.db'), '--force', '--json');
    expect([forced.code, forced.json()['code']]).toEqual([1, 'DATABASE_IN_USE']);
    await createDocument(server, tenant);
  });

  it.each([
    [
      'no database',
      (path: string) => writeFile(path, 'not a database at all, and long enough to be looked at'.repeat(99)),
    ],
    ['an empty file', (path: string) => writeFile(path, '')],
    ['cut off', (path: string) => stat(path).then(({ size }) => truncate(path, Math.floor(size / 2)))],
    ['a damaged page', damagePage],
    ['of another program', otherDatabase],
    ['of a newer version', newerDatabase],
  ])('a restore rejects an invalid backup and writes nothing: %s', async (name, spoil) => {
    const path = inFolder(`spoilt-${name.replaceAll(' ', '-')}.db`);
    await copyFile(inFolder('backup-3.db'), path);
    await spoil(path);
    const target = { DATA_DIR: inFolder(`empty-${name.replaceAll(' ', '-')}`) };
    const answer = await runCli(target, 'admin', 'restore', path, '--json');
    const expected = name === 'of a newer version' ? 'STORAGE_SCHEMA_TOO_NEW' : 'BACKUP_INVALID';
    expect([answer.code, answer.json()['code']], answer.out).toEqual([1, expected]);
    expect(await readdir(target.DATA_DIR).catch(() => [])).toEqual([]);
  });

  it('a restore reports a missing file', async () => {
    const answer = await runCli(settings, 'admin', 'restore', inFolder('nothing.db'), '--force', '--json');
    expect([answer.code, answer.json()['code']]).toEqual([1, 'BACKUP_INVALID']);
    expect(answer.out).toContain('nothing.db does not exist.');
  });

  it('a restored server continues after the last number of the backup and keeps the replaced file', async () => {
    const before = numbersIn(inFolder('backup-3.db'));
    await server.kill();
    const gone = await watchForGap(inFolder('data/app.db'));
    const answer = await runCli(settings, 'admin', 'restore', inFolder('backup-3.db'), '--force', '--json');
    expect(answer.code, answer.out).toBe(0);
    // A server that starts during the restore would make an empty database.
    expect(await gone()).toBe(0);
    const { restored } = answer.json<{ restored: { formerPath: string; documents: number; sha256: string } }>();
    expect(restored.documents).toBe(before.count);
    // The figure that the backup command printed.
    expect(restored.sha256).toBe(
      createHash('sha256')
        .update(await readFile(inFolder('backup-3.db')))
        .digest('hex'),
    );
    // The replaced database is kept.
    expect(numbersIn(restored.formerPath).count).toBeGreaterThan(before.count);
    expect((await runCli(settings, 'admin', 'restore', inFolder('backup-3.db'), '--force')).errors).toContain(
      'higher numbers',
    );

    server = await startChildServer({ settings });
    const { sequential } = await createDocument(server, tenant);
    expect(Number(sequential)).toBe(before.highest + 1);
    const audit = await runCli(settings, 'admin', 'audit', '--action', 'database.restore', '--json');
    expect(audit.json()['entries']).toMatchObject([{ after: { file: inFolder('backup-3.db') } }]);
  });

  it.skipIf(process.getuid?.() !== 0)('a database restored by root belongs to the account of the server', async () => {
    const folderOfAccount = { DATA_DIR: inFolder('of-account') };
    await mkdir(folderOfAccount.DATA_DIR);
    await chown(folderOfAccount.DATA_DIR, 4711, 4712);
    const path = join(folderOfAccount.DATA_DIR, 'app.db');
    const owner = async () => {
      const { uid, gid, mode } = await stat(path);
      return [uid, gid, mode & 0o777];
    };
    await runCli(folderOfAccount, 'admin', 'restore', inFolder('backup-3.db'));
    expect(await owner()).toEqual([4711, 4712, 0o600]);
    await chown(path, 4713, 4714);
    await runCli(folderOfAccount, 'admin', 'restore', inFolder('backup-3.db'), '--force');
    expect(await owner()).toEqual([4713, 4714, 0o600]);
  });

  it('a restored backup starts a server in an empty folder with the master key', async () => {
    const elsewhere = { ...settings, DATA_DIR: inFolder('elsewhere') };
    expect((await runCli(elsewhere, 'admin', 'restore', inFolder('backup-3.db'))).code).toBe(0);
    const masterKey = (await readFile(inFolder('data/master.key'), 'utf8')).trim();
    const moved = await startChildServer({ settings: { ...elsewhere, MASTER_KEYS: masterKey } });
    await createDocument(moved, tenant);
    await moved.kill();
  });

  it('a restore and a backup ignore the log of a former file with the same name', async () => {
    const path = inFolder('logs/app.db');
    const place = { ...settings, DATA_DIR: inFolder('logs') };
    /** Leaves the log of a crash without its database. */
    async function leaveLog(target: string): Promise<void> {
      const database = new BetterSqlite(target);
      database.pragma('journal_mode = WAL');
      database.exec('update sri_sequentials set next_sequential = 4711');
      await copyFile(`${target}-wal`, `${target}.log`);
      database.close();
      await rm(target);
      await rename(`${target}.log`, `${target}-wal`);
    }
    const { next } = numbersIn(inFolder('backup-3.db'));
    expect((await runCli(place, 'admin', 'restore', inFolder('backup-3.db'))).code).toBe(0);
    await leaveLog(path);
    expect((await runCli(place, 'admin', 'restore', inFolder('backup-3.db'))).code).toBe(0);
    expect(numbersIn(path)).toMatchObject({ next, integrity: 'ok' });

    const copy = inFolder('logs/copy.db');
    await copyFile(inFolder('backup-3.db'), copy);
    await leaveLog(copy);
    expect((await runCli(settings, 'admin', 'backup', copy)).code).toBe(0);
    expect(numbersIn(copy)).toEqual(numbersIn(inFolder('data/app.db')));
  });

  it('a restore succeeds without an entry in the record, and says so', async () => {
    const path = inFolder('unrecorded.db');
    await copyFile(inFolder('backup-3.db'), path);
    const database = new BetterSqlite(path);
    database.exec(`create trigger full before insert on admin_audit begin select raise(abort, 'no room'); end`);
    database.close();
    const place = { ...settings, DATA_DIR: inFolder('unrecorded') };
    const answer = await runCli(place, 'admin', 'restore', path, '--lang', 'en');
    expect([answer.code, numbersIn(inFolder('unrecorded/app.db')).integrity]).toEqual([0, 'ok']);
    expect(answer.errors).toContain('"admin audit" does not show it: no room');
  });

  it('a database with dangling references is neither backed up nor restored', async () => {
    const place = { ...settings, DATA_DIR: inFolder('torn') };
    const path = inFolder('torn/app.db');
    expect((await runCli(place, 'admin', 'restore', inFolder('backup-3.db'))).code).toBe(0);
    await copyFile(inFolder('data/master.key'), inFolder('torn/master.key'));
    const database = new BetterSqlite(path);
    database.pragma('foreign_keys = off');
    database.exec('delete from tenants');
    database.close();
    const before = await readdir(inFolder('torn'));
    const made = await runCli(place, 'admin', 'backup', inFolder('torn/copy.db'), '--json');
    expect([made.code, made.json()]).toMatchObject([1, { code: 'BACKUP_FAILED' }]);
    expect(await readdir(inFolder('torn'))).toEqual(before);
    const restored = await runCli(settings, 'admin', 'restore', path, '--force', '--json');
    expect([restored.code, restored.json()]).toMatchObject([1, { code: 'BACKUP_INVALID' }]);
  });

  async function damagePage(path: string): Promise<void> {
    const bytes = await readFile(path);
    bytes.fill(0xff, 4096 * 20, 4096 * 24);
    await writeFile(path, bytes);
  }

  async function otherDatabase(path: string): Promise<void> {
    await rm(path);
    const database = new BetterSqlite(path);
    database.exec('create table notes (text text)');
    database.close();
  }

  async function newerDatabase(path: string): Promise<void> {
    const database = new BetterSqlite(path);
    database.exec(`insert into sri_migrations (namespace, name, applied_at) values ('sri-server', '999-later', 0)`);
    database.close();
  }
});

const [, postgres] = await everyDatabaseKind();

describeOnDatabases('a backup of PostgreSQL', postgres ? [postgres] : [], (open) => {
  it('pg_dump makes the backup if it fits the server; otherwise the command line prints its call', async () => {
    const server = await open();
    await registerTenant(server);
    const path = join(server.dataDir, 'backup.dump');
    const answer = await runCli(cliSettings(server), 'admin', 'backup', path, '--json');
    const body = answer.json<{ code?: string; detail?: string; backup?: { sizeBytes: number } }>();
    const password = new URL(server.databaseUrl ?? '').password;
    if (await pgDumpFits(server.databaseUrl ?? '')) expect(body.backup?.sizeBytes).toBeGreaterThan(1000);
    else {
      expect(body.code).toMatch(/^BACKUP_(TOOL_MISSING|FAILED)$/);
      expect(body.detail).toContain('pg_dump --format=custom');
    }
    if (password) expect(answer.out + answer.errors).not.toContain(`:${password}@`);
    expect((await readdir(server.dataDir)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('the command line prints the call of pg_restore', async () => {
    const server = await open();
    const settings = cliSettings(server);
    const restore = await runCli(settings, 'admin', 'restore', 'x.dump', '--json');
    expect([restore.code, restore.json()['code']]).toEqual([1, 'RESTORE_BY_HAND']);
    expect(restore.out).toContain('pg_restore --exit-on-error --single-transaction');
  });
});

/** The driver takes port, user and password from the query first. */
const URL_WITH_QUERY =
  'postgres://ana@db/facturas?port=5433&user=eva&password=se&sslmode=no-verify&sslrootcert=/ca.pem&options=-c%20role%3Da';

describe('a dump', () => {
  it('a failed dump reports the reason and the command to type', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sri-dump-'));
    await writeFile(join(folder, 'pg_dump'), '#!/bin/sh\necho version mismatch >&2\nexit 1\n', { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
    try {
      const dump = backupPostgres('postgres://ana:se@db/sri', join(folder, 'a.dump'), { force: false, schema: 'a' });
      await expect(dump).rejects.toThrow(
        "pg_dump: version mismatch\nBy hand: pg_dump --format=custom --no-owner --schema=a --file='<file>' postgres://ana@db/sri",
      );
    } finally {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    }
  });

  it.each([false, true])('a dump replaces a file that appears during it only with force: %s', async (force) => {
    const folder = await mkdtemp(join(tmpdir(), 'sri-dump-'));
    const path = join(folder, 'a.dump');
    const own = `#!/bin/sh\nfor word; do case $word in --file=*) echo "$PGHOST:$PGPORT $PGUSER $PGPASSWORD $PGSSLMODE $PGSSLROOTCERT $PGOPTIONS" >"\${word#--file=}"; esac; done\necho mine >'${path}'\n`;
    await writeFile(join(folder, 'pg_dump'), own, { mode: 0o755 });
    await writeFile(join(folder, 'pg_restore'), '#!/bin/sh\n', { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
    try {
      const dump = backupPostgres(URL_WITH_QUERY, path, { force, schema: 'public' });
      if (force) expect(await dump).toMatchObject({ path, sizeBytes: 41 });
      else await expect(dump).rejects.toMatchObject({ code: 'BACKUP_EXISTS' });
      expect(await readFile(path, 'utf8')).toBe(force ? 'db:5433 eva se require /ca.pem -c role=a\n' : 'mine\n');
      expect((await readdir(folder)).toSorted()).toEqual(['a.dump', 'pg_dump', 'pg_restore']);
    } finally {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    }
  });
});

describe('a backup through PgBouncer', () => {
  it('PgBouncer prevents a backup and a restore, since both would change the sessions of other clients', async () => {
    const url = 'postgres://ana:se@db/facturas?pgbouncer=true';
    const refusal = expect.objectContaining({ code: 'BACKUP_BEHIND_POOLER' });
    const made = backupPostgres(url, '/nowhere/a.dump', { force: false, schema: 'public' });
    await expect(made).rejects.toEqual(refusal);
    expect(() => restoreCommand(url, 'a.dump', { clean: false })).toThrow(refusal);
  });
});

describe('the commands for PostgreSQL', () => {
  it('pg_dump connects to the host that takes writes, of several', () => {
    expect(dumpCommand('postgres://sri:se%40creta@sri,otro:5433/facturas', 'a.dump', 'public')).toBe(
      "pg_dump --format=custom --no-owner --file=a.dump 'postgres://sri@sri,otro:5433/facturas?target_session_attrs=read-write'",
    );
  });

  it('pg_dump gets the schema name exactly, with its capitals', () => {
    const commands = ['celda_norte', 'Celda'].map((schema) => dumpCommand('postgres://db/sri', 'a.dump', schema));
    expect(commands).toEqual([
      'pg_dump --format=custom --no-owner --schema=celda_norte --file=a.dump postgres://db/sri',
      `pg_dump --format=custom --no-owner '--schema="Celda"' --file=a.dump postgres://db/sri`,
    ]);
  });

  it('pg_dump gets no option that only the driver knows', () => {
    const query =
      'sslmode=no-verify&channel_binding=require&uselibpqcompat=true&ssl=true&sslrootcert=ca.pem&password=x';
    expect(dumpCommand(`postgres://db/sri?${query}`, 'a.dump', 'public')).toBe(
      "pg_dump --format=custom --no-owner --file=a.dump 'postgres://db/sri?sslmode=require&channel_binding=require&sslrootcert=ca.pem'",
    );
  });

  it('pg_dump gets the options that libpq also takes, in its spelling', () => {
    const query = 'options=-c+role%3Djefe%2B&application_name=mis%20facturas&connect_timeout=3&statement_timeout=9';
    expect(dumpCommand(`postgres://db/sri?${query}`, 'a.dump', 'public')).toBe(
      "pg_dump --format=custom --no-owner --file=a.dump 'postgres://db/sri?options=-c%20role%3Djefe%2B&application_name=mis%20facturas&connect_timeout=3'",
    );
  });

  const url = "postgres://ana:se'creta@db.example.com:5433/facturas";

  it('pg_dump and pg_restore get every part of the address except the password', () => {
    expect(dumpCommand(URL_WITH_QUERY, 'a.dump', 'public')).not.toContain('password');
    expect(dumpCommand(url, '/backups/a b.dump', 'public')).toBe(
      "pg_dump --format=custom --no-owner --file='/backups/a b.dump' postgres://ana@db.example.com:5433/facturas",
    );
    expect(restoreCommand(url, 'a.dump', { clean: true })).toBe(
      'pg_restore --exit-on-error --single-transaction --no-owner --clean --if-exists --dbname=postgres://ana@db.example.com:5433/facturas a.dump',
    );
  });
});
