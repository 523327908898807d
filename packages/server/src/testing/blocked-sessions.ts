import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Tables } from '../platform/database/tables.js';
import type { TestServer } from './test-server.js';

/** The sessions of PostgreSQL that wait for a lock of one of those. */
export async function blockedBy({ services }: TestServer, pids: readonly number[]): Promise<readonly number[]> {
  const query = sql<{ pid: number }>`
    select pid from pg_stat_activity where pg_blocking_pids(pid) && ${pids}::int[]`;
  return (await services.database.read((tables) => query.execute(tables))).rows.map(({ pid }) => pid);
}

/** Waits until that many sessions wait for a lock of this transaction. @returns their ids. */
export async function sessionsBehind(server: TestServer, tables: Tables, count = 1): Promise<readonly number[]> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tables);
  let waiting: readonly number[] = [];
  const look = async () => {
    waiting = await blockedBy(
      server,
      rows.map(({ pid }) => pid),
    );
    return waiting.length;
  };
  await expect.poll(look, { interval: 5 }).toBeGreaterThanOrEqual(count);
  return waiting;
}
