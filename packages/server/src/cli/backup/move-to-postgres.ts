import { rename } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';
import { sql } from 'kysely';
import { CommandFailure } from 'sri-core/cli';
import { MOVED } from '../../open-database.js';
import type { ServerDatabase, Tables } from '../../platform/database/tables.js';
import { openFile, requireUnused } from './sqlite-backup.js';

/** A moved database. */
export interface MovedDatabase {
  /** The new name of the file, which is kept. */
  readonly formerPath: string;
  readonly tenants: number;
  readonly documents: number;
  /** Of all tables. */
  readonly rows: number;
}

/**
 * Copies every row of a SQLite file into PostgreSQL, in one transaction, and renames the file, so that no server goes on
 * with it. Both have the tables of this version.
 * @throws CommandFailure DATABASE_IN_USE, DATABASE_EXISTS if PostgreSQL has accounts or documents
 */
export async function moveToPostgres(
  path: string,
  target: ServerDatabase,
  { place, now }: { readonly place: string; readonly now: Date },
): Promise<MovedDatabase> {
  await requireUnused(path);
  const source = await openFile(path, { readonly: false });
  try {
    // Until the file has its new name, no other program writes to it, and no server starts on it.
    source.exec('begin immediate');
    const copied = await target.transaction(async (tables) => {
      await requireEmpty(tables, place);
      return copyTables(source, tables);
    });
    const formerPath = `${path}${MOVED}${now.toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(path, formerPath);
    return { formerPath, ...copied };
  } finally {
    source.close();
  }
}

// --- internal ---

async function requireEmpty(tables: Tables, place: string): Promise<void> {
  // A new account waits for the move, and then finds the moved tables.
  await sql`lock table tenants, sri_documents in access exclusive mode`.execute(tables);
  for (const name of ['tenants', 'sri_documents'] as const) {
    if ((await sql`select 1 from ${sql.table(name)} limit 1`.execute(tables)).rows.length === 0) continue;
    throw new CommandFailure('DATABASE_EXISTS', {
      es: `En ${place} ya hay cuentas o comprobantes: nombre en DATABASE_URL una base vacía.`,
      en: `${place} has accounts or documents already: name an empty database in DATABASE_URL.`,
    });
  }
}

async function copyTables(source: Database, tables: Tables): Promise<Omit<MovedDatabase, 'formerPath'>> {
  const names = tablesInOrder(source);
  // A new database has rows too, such as the row of the master keys. The move only adds to the audit log.
  const cleared = names.filter((name) => name !== 'admin_audit').map((name) => sql.table(name));
  await sql`truncate ${sql.join(cleared)}`.execute(tables);
  const counts = new Map<string, number>();
  let rows = 0;
  for (const name of names) {
    const before = rows;
    for (const batch of batchesOf(source, name)) {
      const columns = sql.join(Object.keys(batch[0] ?? {}).map((column) => sql.ref(column)));
      const values = sql.join(batch.map((row) => sql`(${sql.join(Object.values(row))})`));
      await sql`insert into ${sql.table(name)} (${columns}) values ${values}`.execute(tables);
      rows += batch.length;
    }
    counts.set(name, rows - before);
    await sql`analyze ${sql.table(name)}`.execute(tables);
  }
  const rowsOf = (name: string) => counts.get(name) ?? 0;
  return { tenants: rowsOf('tenants'), documents: rowsOf('sri_documents'), rows };
}

/** Each table after the tables that its rows name. The target keeps its own migrations. */
function tablesInOrder(source: Database): readonly string[] {
  const names = source
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'")
    .pluck()
    .all()
    .map(String)
    .filter((name) => name !== 'sri_migrations');
  const ordered = new Set<string>();
  const namedBy = (name: string) =>
    (source.pragma(`foreign_key_list(${name})`) as readonly { readonly table: string }[]).map(({ table }) => table);
  while (ordered.size < names.length) {
    const next = names.find((name) => !ordered.has(name) && namedBy(name).every((other) => ordered.has(other)));
    if (next === undefined) throw new Error('Tables name each other.');
    ordered.add(next);
  }
  return [...ordered];
}

type Row = Readonly<Record<string, string | number | Buffer | null>>;

/** The rows of a table in parts for one statement each. */
function* batchesOf(source: Database, table: string): Generator<readonly Row[]> {
  let batch: Row[] = [];
  let size = 0;
  for (const row of source.prepare<[], Row>(`select * from ${table}`).iterate()) {
    batch.push(row);
    for (const value of Object.values(row)) size += typeof value === 'number' ? 8 : (value?.length ?? 0);
    if (batch.length < BATCH_ROWS && size < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Below the parameters of a statement, 65,535, for tables of up to 100 columns. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
