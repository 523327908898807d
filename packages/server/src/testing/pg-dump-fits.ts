import { spawnSync } from 'node:child_process';
import { Client } from 'pg';

/** Whether this machine's `pg_dump` is as new as the server; an older one refuses it. */
export async function pgDumpFits(databaseUrl: string): Promise<boolean> {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const tool = Number(/ (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  await client.end();
  return tool >= Math.floor(Number(rows[0]?.server_version_num) / 10_000);
}
