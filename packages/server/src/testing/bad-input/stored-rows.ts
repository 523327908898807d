import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tables } from '../../platform/database/tables.js';
import type { TestServer } from '../test-server.js';

/**
 * All stored rows by table, except request counts: limits and the use of keys. Two equal results mean that nothing was
 * stored, changed or deleted in between, including document numbers.
 */
export async function storedRows(server: TestServer): Promise<Readonly<Record<string, string>>> {
  return server.services.database.read(async (tables) => {
    const found: [string, string][] = [];
    for (const name of await tableNames(server, tables)) {
      if (COUNTING.has(name)) continue;
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(tables);
      const lines = rows.map(toLine).toSorted();
      found.push([name, `${rows.length} ${digest(lines.join('\n'))}`]);
    }
    const missing = SOME_TABLES.filter((name) => !found.some(([table]) => table === name));
    if (missing.length > 0) throw new Error(`Not found: ${missing.join(', ')}.`);
    return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

// --- internal ---

/** A buffer has a short text, because JSON lists its bytes as numbers. */
function toLine(row: Readonly<Record<string, unknown>>): string {
  const values: [string, unknown][] = Object.entries({ ...row, request_count: 0, last_used_at: 0 });
  return JSON.stringify(values.map(([name, value]) => [name, value instanceof Uint8Array ? digest(value) : value]));
}

function digest(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

/** Tables in which a rejected request also leaves a row. */
const COUNTING: ReadonlySet<string> = new Set(['rate_limits', 'api_key_usage']);

/** Some tables that must be found. Their absence shows a search in the wrong place. */
const SOME_TABLES = [
  'tenants',
  'issuers',
  'api_keys',
  'sri_documents',
  'sri_sequentials',
  'jobs',
  'notifications',
  'notification_preferences',
  'webhook_endpoints',
  'webhook_messages',
  'agreement_versions',
  'tenant_agreements',
];

async function tableNames(server: TestServer, tables: Tables): Promise<readonly string[]> {
  const known = NAMES.get(server) ?? (await findTableNames(server, tables));
  NAMES.set(server, known);
  return known;
}

/** A server makes its tables when it opens. */
const NAMES = new WeakMap<TestServer, readonly string[]>();

/** Kysely's introspection reads every schema of PostgreSQL, and fails when another test drops its own. */
async function findTableNames({ databaseUrl }: TestServer, tables: Tables): Promise<readonly string[]> {
  if (databaseUrl === null) return (await tables.introspection.getTables()).map(({ name }) => name);
  const query = sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`;
  return (await query.execute(tables)).rows.map(({ name }) => name);
}
