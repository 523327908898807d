export { CORE_MIGRATIONS } from './core-migrations.js';
export { SchemaTooNewError, StorageNotMigratedError } from './errors.js';
export type { Commit, JoinCommit, KyselyStorage } from './kysely-storage.js';
export { findListFaults, type ListFault } from './list-faults.js';
export { type Migration, type MigrationPlan, pendingMigrations, runMigrations } from './migrator.js';
export { createPostgresStorage, type PostgresStorageOptions } from './postgres.js';
export type {
  AccessKeysTable,
  ContentsTable,
  CoreTables,
  CountsTable,
  DictionariesTable,
  DocumentsTable,
  EventsTable,
  FiguresTable,
  HostsTable,
  JobsTable,
  NameWordsTable,
  ResponsesTable,
  SequentialsTable,
} from './schema.js';
export { lockCounter, moveNextSequential, readNextSequential } from './sequentials.js';
export { createSqliteStorage, openSqlite, type SqliteStorageOptions } from './sqlite.js';
export type { ColumnTypes, DatabaseFailure, DialectTraits } from './traits.js';
