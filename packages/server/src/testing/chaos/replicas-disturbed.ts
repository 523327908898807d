import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startChildServer } from '../child-server.js';
import { openSharedSri } from '../shared-sri.js';
import { openChaosAccount } from './chaos-account.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { judgeMade, replicaSettings, startReplicaClients } from './replica-clients.js';
import { createSeededRandom } from './seeded-random.js';

/**
 * Three servers on one PostgreSQL. One is frozen beyond its lease or killed, while connections drop and database
 * sessions crash. A run is one disturbance.
 */
export const replicasDisturbed: Fault = {
  name: 'replicas-disturbed',
  about: 'three servers: one frozen beyond its lease or killed, connections dropped, the database in crash recovery',
  databases: ['postgres'],
  shortRuns: 8,
  longRuns: 150,
  run,
};

// --- internal ---

const SERVERS = 3;
const LEASE_MS = 2_000;
const DISTURBANCES = ['freeze', 'freeze', 'kill', 'drop', 'drop', 'crash'] as const;

async function run(context: FaultContext): Promise<FaultCount> {
  const random = createSeededRandom(context.seed);
  const sri = await openSharedSri(SERVERS);
  const settings = replicaSettings({ ...context, databaseUrl: named(context.databaseUrl) }, LEASE_MS);
  const start = (number: number) => startChildServer({ settings: { ...settings, ...sri.settings(number) } });
  const servers = await Promise.all(Array.from({ length: SERVERS }, (_, number) => start(number)));
  try {
    const [first] = servers;
    if (!first) throw new Error('No server was started.');
    const account = await openChaosAccount(first);
    const creators = startReplicaClients(servers, account);
    const times = new Map<string, number>();
    for (let number = 0; number < context.runs; number += 1) {
      const disturbance = random.pick(DISTURBANCES);
      times.set(disturbance, (times.get(disturbance) ?? 0) + 1);
      await creators.until(creators.made.length + 3);
      const index = random.below(SERVERS);
      const chosen = servers[index];
      if (!chosen) throw new Error('There is no such server.');
      if (disturbance === 'freeze') {
        process.kill(chosen.pid, 'SIGSTOP');
        await sleep(LEASE_MS * (1 + random.below(10) / 10));
        process.kill(chosen.pid, 'SIGCONT');
      } else if (disturbance === 'kill') {
        await chosen.kill();
        servers[index] = await start(index);
      } else await disturbDatabase(context.databaseUrl, disturbance);
    }
    const made = await creators.stop();
    const count = await judgeMade({ settings, sri, made, say: context.say });
    const done = [...times].map(([kind, number]) => `${kind} ${number}`).join(', ');
    context.say(`${done}; ${made.length} documents, ${creators.repeated} requests repeated`);
    return { runs: context.runs, ...count };
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    sri.close();
  }
}

/** The servers' connections have this name in the database, so that the fault touches no other connection. */
const CONNECTED_AS = 'replicas-disturbed';

function named(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', CONNECTED_AS);
  return url.href;
}

/** Drops the connections of all servers, or kills one session, after which PostgreSQL ends all sessions. */
async function disturbDatabase(url: string, how: 'drop' | 'crash'): Promise<void> {
  const client = new Client({ connectionString: url }).on('error', () => {});
  await client.connect();
  try {
    const all = `from pg_stat_activity where application_name = '${CONNECTED_AS}'`;
    if (how === 'drop') await client.query(`select pg_terminate_backend(pid) ${all}`);
    else {
      const { rows } = await client.query<{ pid: number }>(`select pid ${all} limit 1`);
      for (const { pid } of rows) process.kill(pid, 'SIGKILL');
    }
  } finally {
    await client.end().catch(() => {});
  }
}
