import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../free-port.js';
import { FaultSkipped } from './fault.js';

/** A PostgreSQL and its synchronous standby, in folders of their own. */
export interface StandbyPair {
  /** Host and port of the primary, then of the standby. */
  readonly hosts: readonly [string, string];
  /** Kills every process of the primary at once, like the loss of its machine. */
  losePrimary(): void;
  /** Resolves when the standby takes writes. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

/** The address of the writable server of a pair. */
export interface WayToPair {
  /** The value of `DATABASE_URL`. */
  readonly address: string;
  /** Switches to the promoted standby. */
  follow(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Starts a pair with the programs of this machine's PostgreSQL. A commit is answered once both have it on disk.
 *
 * @throws FaultSkipped where these programs are missing.
 */
export async function startStandbyPair(): Promise<StandbyPair> {
  const programs = findPrograms();
  const user = databaseUser();
  const folder = await mkdtemp(join(tmpdir(), 'sri-standby-'));
  if (user) await chown(folder, user.uid, user.gid);
  const as = { ...user, cwd: folder };
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(programs, program), args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  const started: ChildProcess[] = [];
  const start = async (data: string, port: number) => {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=100'];
    const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    const server = spawn(join(programs, 'postgres'), args, { ...as, stdio: 'ignore' });
    started.push(server);
    const orphaned = () => server.kill('SIGQUIT');
    process.once('exit', orphaned);
    server.once('exit', () => process.removeListener('exit', orphaned));
    await until(() => ask(port, 'select 1'), 'PostgreSQL did not start.');
    return server;
  };
  const remove = async () => {
    for (const server of started) {
      if (server.exitCode !== null || server.signalCode !== null) continue;
      server.kill('SIGQUIT');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [first, second] = [await freePort(), await freePort()];
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    run('initdb', '--pgdata', one, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C');
    const primary = await start(one, first);
    const from = `host=127.0.0.1 port=${first} user=postgres`;
    run('pg_basebackup', '--pgdata', two, '--write-recovery-conf', '--checkpoint=fast', `--dbname=${from}`);
    await start(two, second);
    await ask(first, `alter system set synchronous_standby_names = '*'`);
    await ask(first, 'select pg_reload_conf()');
    const isSynchronous = async () => {
      const [row] = await ask(first, `select count(*)::int as n from pg_stat_replication where sync_state = 'sync'`);
      return row?.['n'] === 1 ? row : null;
    };
    await until(isSynchronous, 'The standby did not become synchronous.');
    return {
      hosts: [`127.0.0.1:${first}`, `127.0.0.1:${second}`],
      losePrimary() {
        const { pid = 0 } = primary;
        const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/);
        for (const each of [pid, ...children.map(Number)]) process.kill(each, 'SIGKILL');
      },
      async promote() {
        await ask(second, 'select pg_promote(true, 60)');
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The account for PostgreSQL, which refuses root; null if this process is not root. */
export function databaseUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Repeats `attempt` until its outcome is not null. @throws after twenty seconds, with that message. */
export async function until<T>(attempt: () => Promise<T | null>, complaint: string): Promise<T> {
  const giveUpAt = performance.now() + 20_000;
  for (;;) {
    const outcome = await attempt().catch(() => null);
    if (outcome !== null) return outcome;
    if (performance.now() > giveUpAt) throw new Error(complaint);
    await sleep(50);
  }
}

// --- internal ---

const DEBIAN = '/usr/lib/postgresql';

/** The folder of the newest version's programs. */
function findPrograms(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const folders = versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(DEBIAN, version, 'bin'));
  const found = folders.find((folder) =>
    ['initdb', 'postgres', 'pg_basebackup'].every((name) => existsSync(join(folder, name))),
  );
  if (!found) throw new FaultSkipped(`there is no PostgreSQL in ${DEBIAN}/*/bin (Debian: postgresql)`);
  return found;
}

async function ask(port: number, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
