// Measures the disk space of a document: its rows, signed XML, payload, history, mail, counts and every index, the largest
// first.
import { openSqlite } from 'sri-storage-adapters';
import { fillPlace, openFilledPlace, STORED } from './filled-place.mjs';
import { openLivedPlace } from './lived-place.mjs';
import { openStored } from './stored-documents.mjs';

const GOAL_BYTES = 6 * 1024;
const SHOWN = 16;

/** Documents that go the whole way over HTTP, to compare what they take with as many that are put there. */
const LIVED = Number(process.env.BENCH_LIVED ?? 0);

export async function run(tools) {
  for (const database of tools.databases) {
    if (LIVED > 0) await compareWithLived(tools, database);
    const { place } = await openFilledPlace(tools, database);
    await measureDisk(tools, database, place, { name: `disk-at-${STORED}`, goal: { atMost: GOAL_BYTES } });
  }
}

async function compareWithLived(tools, database) {
  const lived = await openLivedPlace(tools, database, LIVED);
  const bytes = await measureDisk(tools, database, lived, { name: `lived-at-${LIVED}` });
  const { place } = await fillPlace(tools, await tools.openPlace(database), LIVED);
  const filled = await measureDisk(tools, database, place, { name: `filled-at-${LIVED}` });
  tools.print(`${database}-filled/lived-at-${LIVED}`, filled / bytes, 'ratio');
}

/** What each table and index of a place takes, the largest first. @returns bytes a document, in all. */
async function measureDisk(tools, database, place, { name, goal = {} }) {
  const parts = await (database === 'sqlite' ? sqliteParts(place) : postgresParts(place));
  const count = await countDocuments(place);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0) / count;
  tools.print(`${database}-${name}`, bytes, 'bytes/document', goal);
  for (const part of parts.toSorted((a, b) => b.bytes - a.bytes).slice(0, SHOWN)) {
    tools.print(`${database}-${name}-${part.name}`, part.bytes / count, 'bytes/document');
  }
  return bytes;
}

/** A kept place may have more than were asked for: what other parts of an earlier run created there. */
async function countDocuments(place) {
  const stored = await openStored(place);
  try {
    const { documents } = await stored.database.read((tables) =>
      tables
        .selectFrom('sri_documents')
        .select(({ fn }) => fn.countAll().as('documents'))
        .executeTakeFirstOrThrow(),
    );
    return Number(documents);
  } finally {
    await stored.close();
  }
}

async function sqliteParts({ dataDirectory }) {
  const opened = await openSqlite(`${dataDirectory}/app.db`);
  try {
    opened.pragma('wal_checkpoint(truncate)');
    return opened.prepare('select name, sum(pgsize) as bytes from dbstat group by name').all();
  } finally {
    opened.close();
  }
}

async function postgresParts({ databaseUrl }) {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(`select relname as name,
        cast(pg_relation_size(oid) + case when relkind = 'r' then pg_relation_size(oid, 'fsm') + pg_relation_size(oid, 'vm')
          else 0 end as double precision) as bytes
      from pg_class where relkind in ('r', 'i', 't') and relnamespace in ('public'::regnamespace, 'pg_toast'::regnamespace)
        and oid >= 16384`);
    return rows;
  } finally {
    await client.end();
  }
}
