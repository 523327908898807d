import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Pool } from 'pg';
import { createKyselyStorage, type JoinCommit, type KyselyStorage } from '../kysely-storage.js';
import { CORE_MIGRATIONS } from '../migrations/core-migrations.js';
import { createMigrationFence } from '../migrations/migration-fence.js';
import type { MigrationPlan } from '../migrations/migrator.js';
import type { CoreTables } from '../sql/schema.js';
import type { DatabaseFailure, DialectTraits } from '../sql/traits.js';
import { literal } from '../sql/values.js';
import { ArrayListCompiler } from './compiler.js';
import { isOfConnecting, watchPool } from './pool.js';
import { requireSchemaName } from './postgres-schema.js';
import { createStatementNames } from './statements.js';
import { createStatistics } from './statistics.js';

/** The parts of a PostgreSQL storage. */
export interface PostgresStorageOptions<Tables> {
  /** A pg pool; the caller ends it. Without `schema` the tables are in the first schema of the search path. */
  readonly pool: Pool;
  /**
   * The one schema of all tables, in a pool of `openPostgresPool` with the same schema. `migrate` creates it. Several
   * storages keep apart in one database, each in its own schema.
   */
  readonly schema?: string;
  /**
   * False behind a pooler that gives each transaction another connection and knows no prepared statements (PgBouncer
   * before 1.21). Default true.
   */
  readonly preparedStatements?: boolean;
  /** True begins every transaction READ ONLY, so that PostgreSQL itself rejects its writes. Default false. */
  readonly readOnly?: boolean;
  readonly joinCommit?: JoinCommit<Tables>;
  /** The migrations of the application. Once a newer version has run a further step, writes are rejected. */
  readonly plans?: readonly MigrationPlan[];
}

/**
 * Keeps documents in PostgreSQL. Any number of processes may share the database. Durable as the server is set up:
 * `synchronous_commit` must not be `off`. Call `migrate` before the first use. With `schema`, a connection that works in
 * another one fails with SchemaUnusableError.
 *
 * Ids that the engine makes (documents, events, responses) are columns of the type `uuid`; ids of issuers are text.
 *
 * @throws TypeError without a pool.
 */
export function createPostgresStorage<Tables = unknown>(
  options: PostgresStorageOptions<Tables>,
): KyselyStorage<Tables> {
  if (!options.pool?.connect)
    throw new TypeError('pool has to be a pg Pool, such as `await openPostgresPool(address)`.');
  const names = options.preparedStatements === false ? null : createStatementNames();
  const fence = createMigrationFence([CORE_MIGRATIONS, ...(options.plans ?? [])]);
  const { schema = null } = options;
  if (schema !== null) requireSchemaName(schema);
  const pool = watchPool(options.pool, names, { fence, schema, readOnly: options.readOnly ?? false });
  const dialect = new PostgresDialect({ pool });
  dialect.createQueryCompiler = () => new ArrayListCompiler();
  const kysely = new Kysely<CoreTables>({ dialect });
  const traits = schema === null ? POSTGRES_TRAITS : traitsIn(schema);
  const { wrote } = createStatistics(kysely);
  const occupancies = names ? { statements: names.occupancy } : {};
  return createKyselyStorage({ kysely, traits, joinCommit: options.joinCommit, occupancies, wrote });
}

// --- internal ---

/** What shared queries need to know about PostgreSQL. */
const POSTGRES_TRAITS: DialectTraits = {
  skipLocked: true,
  maxParameters: 65_535,
  writers: 4,
  nestsWrites: true,
  takesArrays: true,
  mergesUnions: false,
  figureParts: 64,
  columns: {
    text: sql`text collate "C"`,
    integer: sql`integer`,
    bigint: sql`bigint`,
    bytes: sql`bytea`,
    uuid: sql`uuid`,
  },
  rowTable: sql``,
  // Apart from its row, a document of usual size would take a tenth more disk.
  contentsTable: sql`with (toast_tuple_target = 4080)`,
  keyedTable: sql``,
  keepsKeysApart: true,
  // By default a fifth of a table would be dead rows before the first sweep.
  sweepsEarly: (table) => [
    sql`alter table ${sql.table(table)} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  ],
  appendOnly: (table) => [
    sql`create function ${sql.ref(`${table}_refuse`)}() returns trigger language plpgsql as
      $$ begin raise exception 'This table is only added to.'; end $$`,
    // Citus refuses triggers on distributed tables. There the table is append-only by its callers alone.
    sql`do $$ begin
      create trigger ${sql.ref(`${table}_refuse`)} before update or delete or truncate on ${sql.table(table)}
        for each statement execute function ${sql.ref(`${table}_refuse`)}();
    exception when feature_not_supported or internal_error then
      if sqlerrm not like 'triggers are not supported%' then raise; end if;
    end $$`,
  ],
  lockWrites: (table) => [sql`lock table ${sql.table(table)} in share row exclusive mode`],
  // For a long list the planner scans the whole table; for an array it uses the index.
  isAmong: (column, values) => sql`${sql.ref(column)} = any (array${values})`,
  holds: (text, part) => sql`${text} like ${`%${literal(part)}%`} escape '!'`,
  // The planner chooses by statistics, which exist for a column but not for an expression.
  unindexed: (column) => sql.ref(column),
  readBy: () => sql``,
  async lockMigrations(transaction) {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(transaction);
  },
  async lockSteps(transaction) {
    await sql`lock table sri_migrations in access exclusive mode`.execute(transaction);
  },
  classify: classifyPostgres,
};

/** The traits of a storage in a schema of its own: the first migration creates it. */
function traitsIn(schema: string): DialectTraits {
  return {
    ...POSTGRES_TRAITS,
    async lockMigrations(transaction) {
      await POSTGRES_TRAITS.lockMigrations(transaction);
      const { rows } = await sql<{ missing: boolean }>`select to_regnamespace(${schema}) is null as missing`.execute(
        transaction,
      );
      // Not `if not exists`: an account without the right to create schemas may use an existing schema.
      if (rows[0]?.missing) await sql`create schema ${sql.id(schema)}`.execute(transaction);
    },
  };
}

/** A constant number: «sri» in ASCII. */
const MIGRATION_LOCK = 0x737269;

/** SQLSTATE classes and codes by their meaning for a caller. PostgreSQL 18 documentation, appendix A. */
function classifyPostgres(error: unknown): DatabaseFailure {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === '40001' || code === '40P01') return 'conflict';
  if (code === '23505') return 'duplicate';
  if (code === '55P03') return 'busy';
  if (code === '42P01') return 'unmigrated';
  // 08 connection; 57P01 to 57P05, 25P03 and 25P04 the server ends the session; E…: the socket's own errors.
  if (
    /^(08...|57P0[1-5]|25P0[34])$/.test(code) ||
    /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/.test(code)
  ) {
    return 'disconnected';
  }
  // 28 and 3D000 no login; 53 out of disk, memory or connections; 57014 the statement's time is up; 58 the system; 25006
  // read-only.
  if (/^(28...|3D000|53...|58...|57014|25006)$/.test(code)) return 'unavailable';
  const isLost = code === '' && error instanceof Error && LOST_CONNECTION.test(error.message);
  return isLost || isOfConnecting(error) ? 'disconnected' : 'other';
}

/** Messages of pg without a code: a connection broke or has ended. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|Client was closed|Postgres connection has been discarded)/;
