import { type Kysely, sql, type Transaction } from 'kysely';
import { SchemaTooNewError } from '../errors.js';
import type { CoreTables } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import { createSession } from '../sql/transaction.js';

/** One step of the schema. A released step is never edited, renamed or removed. */
export interface Migration {
  /** Sorts by its number: `001-documents`. */
  readonly name: string;
  up(transaction: Transaction<CoreTables>, traits: DialectTraits): Promise<void>;
}

/** The steps of one owner of tables. Core has its own; an application chooses another name. */
export interface MigrationPlan {
  readonly namespace: string;
  /** In the order of execution. */
  readonly migrations: readonly Migration[];
}

/**
 * Brings the schema up to date. All missing steps run in one transaction, so an interrupted run changes nothing. Processes
 * that start together wait for each other; the later ones find no missing step.
 *
 * @returns the names of the steps that ran.
 * @throws SchemaTooNewError when the database has steps that the plan does not know.
 */
export async function runMigrations(
  kysely: Kysely<CoreTables>,
  traits: DialectTraits,
  plan: MigrationPlan,
): Promise<readonly string[]> {
  const pending = await pendingMigrations(kysely, traits, plan);
  if (pending.length === 0) return [];
  return createSession(kysely, traits, LONGEST_MIGRATION_MS).write(migrate, { migrates: true });

  async function migrate(transaction: Transaction<CoreTables>): Promise<readonly string[]> {
    await traits.lockMigrations(transaction);
    await createTable(transaction, traits);
    await traits.lockSteps(transaction);
    const missing = toMissing(plan, await readApplied(transaction, plan.namespace));
    for (const migration of missing) {
      await migration.up(transaction, traits);
      await sql`insert into sri_migrations (namespace, name, applied_at)
        values (${plan.namespace}, ${migration.name}, ${Date.now()})`.execute(transaction);
    }
    return missing.map((migration) => migration.name);
  }
}

/**
 * The names of the missing steps; empty when the schema is up to date.
 *
 * @throws SchemaTooNewError when the database has steps that the plan does not know.
 */
export async function pendingMigrations(
  kysely: Kysely<CoreTables>,
  traits: DialectTraits,
  plan: MigrationPlan,
): Promise<readonly string[]> {
  const applied = await createSession(kysely, traits).read(async (db) => {
    try {
      return await readApplied(db, plan.namespace);
    } catch (error) {
      // Before the first run the table does not exist.
      if (traits.classify(error) === 'unmigrated') return [];
      throw error;
    }
  });
  return toMissing(plan, applied).map((migration) => migration.name);
}

// --- internal ---

/** A second process waits for the whole run of the first. */
const LONGEST_MIGRATION_MS = 10 * 60_000;

async function createTable(transaction: Transaction<CoreTables>, traits: DialectTraits): Promise<void> {
  const { text, bigint } = traits.columns;
  await sql`create table if not exists sri_migrations (
    namespace ${text} not null,
    name ${text} not null,
    applied_at ${bigint} not null,
    primary key (namespace, name)
  ) ${traits.keyedTable}`.execute(transaction);
}

async function readApplied(db: Kysely<CoreTables>, namespace: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sri_migrations where namespace = ${namespace} order by name`.execute(db);
  return rows.map((row) => row.name);
}

function toMissing({ namespace, migrations }: MigrationPlan, applied: readonly string[]): readonly Migration[] {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new SchemaTooNewError(namespace, unknown);
  return migrations.filter((migration) => !applied.includes(migration.name));
}
