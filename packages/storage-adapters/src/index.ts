export { CORE_MIGRATIONS } from './core-migrations.js';
export { createDueMark, type DueMark } from './due-mark.js';
export { SchemaTooNewError, SchemaUnusableError, ServerAddressError, StorageNotMigratedError } from './errors.js';
export { openPostgresPool } from './followed-servers.js';
export {
  extendLease,
  isHeld,
  type JobQueue,
  type LaneWish,
  type LeaseTerms,
  type ReadyJob,
  type ReadyJobs,
  readReadyJobs,
  takeJobs,
} from './job-queue.js';
export { createKeyedReads, type KeyedReads } from './keyed-reads.js';
export type { Commit, JoinCommit, KyselyStorage } from './kysely-storage.js';
export { findListFaults, type ListFault } from './list-faults.js';
export { type Migration, type MigrationPlan, pendingMigrations, runMigrations } from './migrator.js';
export { createPostgresStorage, type PostgresStorageOptions } from './postgres.js';
export { SCHEMA_NAME, SCHEMA_NAME_RULE } from './postgres-schema.js';
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
} from './schema.js';
export { lockCounter, moveNextSequential, readNextSequential } from './sequentials.js';
export { parseServerAddress, type ServerAddress } from './server-address.js';
export { createSqliteStorage, openSqlite, type SqliteStorageOptions } from './sqlite.js';
export type { ColumnTypes, DatabaseFailure, DialectTraits } from './traits.js';
export { FIRST_ID } from './values.js';
