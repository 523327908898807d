// What a document takes of the disk, all in: its own rows, signed XML, payload, history, mail, the counts it is part of
// and every index, with what takes most.
import { openSqlite } from 'sri-storage-adapters';
import { openFilledPlace, STORED } from './filled-place.mjs';

const GOAL_BYTES = 6 * 1024;
const SHOWN = 12;

export async function run(tools) {
  for (const database of tools.databases) {
    const { place } = await openFilledPlace(tools, database);
    const parts = await (database === 'sqlite' ? sqliteParts(place) : postgresParts(place));
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0) / STORED;
    tools.print(`${database}-disk-at-${STORED}`, bytes, 'bytes/document', { atMost: GOAL_BYTES });
    for (const part of parts.toSorted((a, b) => b.bytes - a.bytes).slice(0, SHOWN)) {
      tools.print(`${database}-disk-${part.name}`, part.bytes / STORED, 'bytes/document');
    }
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
