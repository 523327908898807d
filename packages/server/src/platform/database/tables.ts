import type { Kysely } from 'kysely';
import type { Counter, DocumentChange, Storage } from 'sri-core';
import type { CoreTables } from 'sri-storage-adapters';
import type { RateLimitsTable, RememberedKeysTable, TaskLeasesTable, WriteProbesTable } from './operation-tables.js';

/** The server's own tables, next to core's in the same database. Each area declares its tables in its `tables.ts`. */
export interface ServerTables {
  task_leases: TaskLeasesTable;
  remembered_keys: RememberedKeysTable;
  write_probes: WriteProbesTable;
  rate_limits: RateLimitsTable;
}

/** A handle on the tables, core's and the server's own: the database itself, or a transaction in it. */
export type Tables = Kysely<CoreTables & ServerTables>;

/** The server's own reads and writes. */
export interface ServerDatabase {
  /** Reads. @throws StorageUnavailableError */
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * All of it commits, or nothing. `work` may run again when the database asks for it, so it does nothing else; no
   * network call belongs inside.
   *
   * @throws StorageUnavailableError when nothing was done and the database is to blame; else what `work` threw.
   */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * A change of one of core's documents together with writes of the server's own. `also` throws to undo both.
   *
   * @throws StorageUnavailableError when nothing was done and the database is to blame; else what `also` threw.
   */
  changeDocument(
    change: DocumentChange,
    also: (tables: Tables) => Promise<void>,
  ): ReturnType<Storage['changeDocument']>;
  /** Sets where a counter of core's that was never used begins, in the transaction of `tables`. */
  setFirstSequential(tables: Tables, counter: Counter, first: number): Promise<void>;
  /**
   * Does something while nobody can create documents of an issuer or move its counters. Documents that are being created
   * are waited for, and seen. Counters that nobody has used or set stay so.
   */
  withCountersLocked<T>(tables: Tables, issuerId: string, work: () => Promise<T>): Promise<T>;
}
