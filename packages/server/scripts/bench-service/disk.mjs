// Measures the disk space of a document from its create over HTTP to its mail: its rows, signed XML, payload, history,
// mail, counts and every index, the largest first.
import { openSqlite } from 'sri-storage-adapters';
import { openLivedPlace } from './lived-place.mjs';
import { openStored } from './stored-documents.mjs';

const GOAL_BYTES = 7.5 * 1024;
const SHOWN = 16;

/** How many documents are created, sent, authorized and mailed. */
const LIVED = Number(process.env.BENCH_LIVED ?? 6_000);

export async function run(tools) {
  for (const database of tools.databases) {
    const place = await openLivedPlace(tools, database, LIVED);
    await measureDisk(tools, database, place, { name: `disk-at-${LIVED}`, goal: { atMost: GOAL_BYTES } });
  }
}

/** The size of each table and index of a place, largest first. */
async function measureDisk(tools, database, place, { name, goal }) {
  const parts = await (database === 'sqlite' ? sqliteParts(place) : postgresParts(place));
  const count = await countDocuments(place);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0) / count;
  tools.print(`${database}-${name}`, bytes, 'bytes/document', goal);
  for (const part of parts.toSorted((a, b) => b.bytes - a.bytes).slice(0, SHOWN)) {
    tools.print(`${database}-${name}-${part.name}`, part.bytes / count, 'bytes/document');
  }
}

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
      from pg_class where relkind in ('r', 'i', 't') and relnamespace in (current_schema()::regnamespace, 'pg_toast'::regnamespace)
        and oid >= 16384`);
    return rows;
  } finally {
    await client.end();
  }
}
