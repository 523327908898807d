import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../free-port.js';
import { FaultSkipped } from './fault.js';
import { databaseUser, type StandbyPair, until, type WayToPair } from './standby-pair.js';

/**
 * Starts a PgBouncer in transaction mode before a pair.
 *
 * @throws FaultSkipped where this machine has no PgBouncer.
 */
export async function openPgbouncer({ hosts }: StandbyPair): Promise<WayToPair> {
  const user = databaseUser();
  const folder = await mkdtemp(join(tmpdir(), 'sri-pgbouncer-'));
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  const leadTo = async (host: string) => {
    const { hostname, port: hostPort } = new URL(`postgres://${host}`);
    const lines = [
      '[databases]',
      `postgres = host=${hostname} port=${hostPort}`,
      '[pgbouncer]',
      'pool_mode = transaction',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'default_pool_size = 20',
      // By default PgBouncer waits for 15 s after a failed connection, and clients wait for two minutes.
      'server_login_retry = 1',
      'query_wait_timeout = 5',
    ];
    await writeFile(settings, `${lines.join('\n')}\n`);
  };
  await writeFile(users, '"postgres" ""\n');
  await leadTo(hosts[0]);
  if (user) for (const each of [folder, settings, users]) await chown(each, user.uid, user.gid);
  const pgbouncer = spawn('pgbouncer', ['--quiet', settings], { ...user, cwd: folder, stdio: 'ignore' });
  const isMissing = await Promise.race([
    once(pgbouncer, 'spawn').then(() => false),
    once(pgbouncer, 'error').then(() => true),
  ]).catch(() => true);
  if (isMissing) {
    await rm(folder, { recursive: true });
    throw new FaultSkipped('there is no pgbouncer on this machine (Debian: pgbouncer)');
  }
  const orphaned = () => pgbouncer.kill('SIGKILL');
  process.once('exit', orphaned);
  pgbouncer.once('exit', () => process.removeListener('exit', orphaned));
  const address = `postgres://postgres@127.0.0.1:${port}/postgres?pgbouncer=true`;
  await until(() => canAsk(port), 'PgBouncer did not start.');
  return {
    address,
    async follow() {
      await leadTo(hosts[1]);
      pgbouncer.kill('SIGHUP');
    },
    async remove() {
      pgbouncer.kill('SIGKILL');
      if (pgbouncer.exitCode === null && pgbouncer.signalCode === null) await once(pgbouncer, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

// --- internal ---

async function canAsk(port: number): Promise<true> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
