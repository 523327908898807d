export { SchemaTooNewError, SchemaUnusableError, ServerAddressError, StorageNotMigratedError } from './errors.js';
export { createDueMark, type DueMark } from './jobs/due-mark.js';
export {
  extendLease,
  isHeld,
  type JobQueue,
  type LaneDemand,
  type LeaseTerms,
  type ReadyJob,
  type ReadyJobs,
  readReadyJobs,
  takeJobs,
} from './jobs/job-queue.js';
export type { Commit, JoinCommit, KyselyStorage } from './kysely-storage.js';
export { findListFaults, type ListFault } from './lists/faults.js';
export { CORE_MIGRATIONS } from './migrations/core-migrations.js';
export { type Migration, type MigrationPlan, pendingMigrations, runMigrations } from './migrations/migrator.js';
export { openPostgresPool } from './postgres/followed-servers.js';
export { createPostgresStorage, type PostgresStorageOptions } from './postgres/postgres.js';
export { SCHEMA_NAME, SCHEMA_NAME_RULE } from './postgres/postgres-schema.js';
export { parseServerAddress, type ServerAddress } from './postgres/server-address.js';
export { lockCounter, moveNextSequential, readNextSequential } from './sequentials.js';
export { createKeyedReads, type KeyedReads } from './sql/keyed-reads.js';
export type {
  AccessKeysTable,
  BlocksTable,
  ContentsTable,
  CoreTables,
  DocumentsTable,
  EventsTable,
  FiguresTable,
  HostsTable,
  JobsTable,
  NamesTable,
  ResponsesTable,
  SequentialsTable,
} from './sql/schema.js';
export type { ColumnTypes, DatabaseFailure, DialectTraits } from './sql/traits.js';
export { FIRST_ID } from './sql/values.js';
export { createSqliteStorage, openSqlite, type SqliteStorageOptions } from './sqlite/sqlite.js';
