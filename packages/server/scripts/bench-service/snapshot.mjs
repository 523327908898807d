// Creates and sends documents at a steady rate on PostgreSQL, without and with one idle REPEATABLE READ session, which
// keeps every dead row, like a backup. Prints the rows that statements read of the job tables, and the create times.
//   BENCH_SNAPSHOT_MINUTES=10 npm run bench:service -- snapshot
import { setTimeout as sleep } from 'node:timers/promises';
import { startQuickSri } from './quick-sri.mjs';
import { countJobs, openStored } from './stored-documents.mjs';
import { invoiceBodies } from './tools.mjs';

const MINUTES = Number(process.env.BENCH_SNAPSHOT_MINUTES ?? 10);
const PER_SECOND = Number(process.env.BENCH_SNAPSHOT_RATE ?? 150);
const CONNECTIONS = 32;
const REST_MS = 60_000;

export async function run(tools) {
  if (!tools.databases.includes('postgres')) return;
  const alone = await measure(tools, false);
  const beside = await measure(tools, true);
  const print = (figure, value, unit, goal) => tools.print(`postgres-snapshot-${figure}`, value, unit, goal);
  print('rows-read-per-document-alone', alone.rows, 'rows');
  print('rows-read-per-document-beside', beside.rows, 'rows');
  print('rows-read-beside/alone', beside.rows / alone.rows, 'ratio', { atMost: 2 });
  print('create-p99-alone', alone.p99, 'ms');
  print('create-p99-beside', beside.p99, 'ms');
  print('create-p99-beside/alone', beside.p99 / alone.p99, 'ratio', { atMost: 1.5 });
}

async function measure(tools, isBeside) {
  const { Client } = await import('pg');
  const sri = await startQuickSri({ latencyMs: 50 });
  const place = await tools.openPlace('postgres');
  const server = await tools.startServer(place, {
    settings: { SRI_MODE: 'live', SRI_SANDBOX_URL: sri.url, SRI_AUTH_FIRST_DELAY: '1s', SRI_CONCURRENCY: '64' },
  });
  const account = await tools.openAccount(server.url);
  const stored = await openStored(place);
  const session = new Client({ connectionString: place.databaseUrl });
  await session.connect();
  const driver = await tools.startDriver();
  const load = {
    url: server.url,
    requests: invoiceBodies().map((body) => ({ path: '/v1/documents', headers: account, body })),
    follow: { path: '/v1/documents/:accessKey/send', headers: account, body: '{}' },
    connections: CONNECTIONS,
    perSecond: PER_SECOND,
  };
  await driver.drive({ ...load, seconds: 5 });
  if (isBeside) await session.query('begin isolation level repeatable read; select count(*) from sri_documents');
  const before = await rowsRead(stored);
  const { done, p99 } = await driver.drive({ ...load, seconds: MINUTES * 60 });
  const rows = (await rowsRead(stored)) - before;
  if (isBeside) await session.query('commit');
  await session.end();
  await driver.stop();
  const restedAt = performance.now();
  while ((await countJobs(stored)) > 0 && performance.now() - restedAt < REST_MS) await sleep(500);
  await server.stop();
  await stored.close();
  await sri.stop();
  return { rows: rows / done, p99 };
}

/** The rows and index entries of jobs that statements have read. */
async function rowsRead(stored) {
  const { rows } = await stored.database.read((tables) =>
    tables
      .selectFrom('pg_stat_user_tables')
      .innerJoin('pg_stat_user_indexes', 'pg_stat_user_indexes.relid', 'pg_stat_user_tables.relid')
      .select(({ fn }) => [
        'pg_stat_user_tables.relid',
        'seq_tup_read',
        fn.sum('pg_stat_user_indexes.idx_tup_read').as('entries'),
      ])
      .where('pg_stat_user_tables.relname', 'in', ['sri_jobs', 'jobs'])
      .groupBy(['pg_stat_user_tables.relid', 'seq_tup_read'])
      .execute()
      .then((tables) => ({ rows: tables.map(({ seq_tup_read, entries }) => Number(seq_tup_read) + Number(entries)) })),
  );
  return rows.reduce((sum, count) => sum + count, 0);
}
