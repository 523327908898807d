import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { systemClock } from 'sri-core';
import { readConfig } from '../../config/config.js';
import { openDatabase } from '../../open-database.js';
import { type ChildServer, startChildServer } from '../child-server.js';
import { databaseSettings } from '../database-settings.js';
import { openSharedSri, type SharedSri } from '../shared-sri.js';
import { type ChaosAccount, chaosInvoice, openChaosAccount } from './chaos-account.js';
import type { Fault, FaultCount, FaultPlace } from './fault.js';
import { createSeededRandom } from './seeded-random.js';

/**
 * Three servers on one PostgreSQL, of which one is frozen beyond its lease or killed, while connections are dropped and
 * sessions of the database crash. A run is one disturbance.
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
/** The database's recovery, the lease of the dead process, and the next attempt. */
const SETTLES_WITHIN_MS = 60_000;
const CLIENTS = 6;

async function run(place: FaultPlace): Promise<FaultCount> {
  const random = createSeededRandom(place.seed);
  const sri = await openSharedSri(SERVERS);
  const start = (number: number) => startChildServer({ settings: { ...settingsOf(place), ...sri.settings(number) } });
  const servers = await Promise.all(Array.from({ length: SERVERS }, (_, number) => start(number)));
  try {
    const [first] = servers;
    if (!first) throw new Error('No server was started.');
    const account = await openChaosAccount(first);
    const creators = startClients(servers, account);
    const times = new Map<string, number>();
    for (let number = 0; number < place.runs; number += 1) {
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
      } else await disturbDatabase(place.databaseUrl, disturbance);
    }
    const made = await creators.stop();
    const count = await judge(place, sri, made);
    const done = [...times].map(([kind, number]) => `${kind} ${number}`).join(', ');
    place.say(`${done}; ${made.length} documents, ${creators.repeated} requests repeated`);
    return { runs: place.runs, ...count };
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    sri.close();
  }
}

function settingsOf({ databaseUrl, dataDirectory }: FaultPlace): Record<string, string> {
  return {
    DATA_DIR: dataDirectory,
    ...databaseSettings(named(databaseUrl)),
    LEASE_SECONDS: `${LEASE_MS / 1000}s`,
    SRI_AUTH_FIRST_DELAY: '10ms',
    SRI_RETRY_INTERVAL: '500ms',
    ONBOARDING_RATE: '1000/1h',
  };
}

/** The servers' connections have this name in the database, so that the fault touches no other connection. */
const CONNECTED_AS = 'replicas-disturbed';

function named(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', CONNECTED_AS);
  return url.href;
}

/** Drops the connections of all servers, or has one session end as a crash does, which takes all others along. */
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

/** A document as acknowledged to its creator. */
interface Made {
  readonly order: string;
  readonly accessKey: string;
  readonly sequential: number;
}

/** Clients that create and send, and retry each document until they get an answer. */
function startClients(servers: readonly ChildServer[], account: ChaosAccount) {
  const made: Made[] = [];
  let repeated = 0;
  let isStopping = false;

  /** Asks one server after the other until one answers. */
  async function ask(path: string, init: { headers: Record<string, string>; body: string }, from: number) {
    for (let turn = from; ; turn += 1) {
      try {
        // A frozen server says nothing; its client goes to another one.
        const signal = AbortSignal.timeout(5_000);
        const response = await servers[turn % SERVERS]?.request(path, { method: 'POST', ...init, signal });
        const body = (await response?.json()) as { document?: { accessKey: string; sequential: string } };
        if (response && response.status < 500) return { status: response.status, document: body.document };
        if (response?.status !== 503) throw new Error(`${path} answered ${response?.status}.`);
      } catch (error) {
        if (error instanceof Error && error.message.includes('answered')) throw error;
      }
      repeated += 1;
      await sleep(50);
    }
  }

  async function work(client: number): Promise<void> {
    for (let number = 0; !isStopping; number += 1) {
      const order = `client ${client}, order ${number}`;
      const headers = { ...account.headers, 'idempotency-key': order };
      const { document, status } = await ask(
        '/v1/documents',
        { headers, body: JSON.stringify(chaosInvoice()) },
        client,
      );
      if (!document) throw new Error(`Creating answered ${status}.`);
      await ask(
        `/v1/documents/${document.accessKey}/send`,
        { headers: { ...account.headers }, body: '{}' },
        client + 1,
      );
      made.push({ order, accessKey: document.accessKey, sequential: Number(document.sequential) });
      await sleep(20);
    }
  }

  const working = Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
  working.catch(() => {
    isStopping = true;
  });
  return {
    made,
    get repeated() {
      return repeated;
    },
    async until(count: number): Promise<void> {
      while (made.length < count) {
        if (isStopping) await working;
        await sleep(5);
      }
    },
    async stop(): Promise<readonly Made[]> {
      isStopping = true;
      await working;
      return made;
    },
  };
}

/** Compares the clients' answers with the stored documents and with the SRI's calls. */
async function judge(place: FaultPlace, sri: SharedSri, made: readonly Made[]): Promise<Omit<FaultCount, 'runs'>> {
  const opened = await openDatabase(readConfig(settingsOf(place)), systemClock);
  try {
    const read = () =>
      opened.database.read((tables) =>
        tables
          .selectFrom('sri_documents as document')
          .leftJoin('sri_jobs as job', 'job.document_id', 'document.id')
          .select(['access_key', 'sequential', 'idempotency_key', 'document.status', 'job.operation'])
          .execute(),
      );
    const giveUpAt = performance.now() + SETTLES_WITHIN_MS;
    let rows = await read();
    while (rows.some(({ status }) => status !== 'AUTHORIZED') && performance.now() < giveUpAt) {
      await sleep(100);
      rows = await read();
    }
    const stored = new Map(rows.map((row) => [row.access_key, row]));
    const numbers = rows.map(({ sequential }) => sequential).toSorted((a, b) => a - b);
    const submissions = sri.simulator.journal.filter(({ operation }) => operation === 'reception');
    const forms = Map.groupBy(submissions, ({ accessKey }) => accessKey);
    const toldTwice = await opened.database.read((tables) =>
      tables
        .selectFrom('sri_events')
        .select('document_id')
        .where('to_status', '=', 'AUTHORIZED')
        .groupBy('document_id')
        .having(({ fn }) => fn.countAll(), '>', 1)
        .execute(),
    );
    const wrong = {
      'acknowledged and not there': made.filter(
        ({ accessKey, sequential }) => stored.get(accessKey)?.sequential !== sequential,
      ).length,
      'numbers skipped': numbers.filter((number, index) => number !== index + 1).length,
      'orders made twice': rows.length - new Set(rows.map((row) => row.idempotency_key)).size,
      'sent in two forms': [...forms.values()].filter((each) => new Set(each.map(({ sha256 }) => sha256)).size > 1)
        .length,
      'authorized twice': toldTwice.length,
      'not settled': rows.filter(({ status, operation }) => status !== 'AUTHORIZED' || operation !== null).length,
    };
    for (const [what, number] of Object.entries(wrong)) if (number > 0) place.say(`${what}: ${number}`);
    return {
      lost: wrong['acknowledged and not there'] + wrong['numbers skipped'],
      duplicated: wrong['orders made twice'] + wrong['sent in two forms'] + wrong['authorized twice'],
      stuck: wrong['not settled'],
    };
  } finally {
    await opened.close();
  }
}
