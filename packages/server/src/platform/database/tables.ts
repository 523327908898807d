import type { Kysely } from 'kysely';
import type { Counter, DocumentChange, Storage } from 'sri-core';
import type { CoreTables, DialectTraits } from 'sri-storage-adapters';
import type { JobsTable, RateLimitsTable, RememberedKeysTable, WriteProbesTable } from './operation-tables.js';

/** The server's own tables, next to core's in the same database. Each area declares its tables in its `tables.ts`. */
export interface ServerTables {
  jobs: JobsTable;
  remembered_keys: RememberedKeysTable;
  write_probes: WriteProbesTable;
  rate_limits: RateLimitsTable;
}

/** A handle on the tables, core's and the server's own: the database itself, or a transaction. */
export type Tables = Kysely<CoreTables & ServerTables>;

/** The server's own reads and writes. */
export interface ServerDatabase {
  /** What statements need to know of the database. */
  readonly traits: DialectTraits;
  /** Reads. @throws StorageUnavailableError */
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Commits everything or nothing. `work` may run again if the database asks for it, so it has no other effect; no
   * network call belongs inside.
   * @throws StorageUnavailableError if nothing was done and the database is the cause; otherwise the error of `work`.
   */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * A change of one of core's documents together with writes of the server's own. `also` throws to undo both.
   * @throws StorageUnavailableError if nothing was done and the database is the cause; otherwise the error of `also`.
   */
  changeDocument(
    change: DocumentChange,
    also: (tables: Tables) => Promise<void>,
  ): ReturnType<Storage['changeDocument']>;
  /** Sets the start of a core counter that was never used, in the transaction of `tables`. */
  setFirstSequential(tables: Tables, counter: Counter, first: number): Promise<void>;
  /**
   * Runs work while no other transaction can create documents of an issuer or move its counters. It waits for documents
   * that are being created, and sees them.
   */
  withCountersLocked<T>(tables: Tables, issuerId: string, work: () => Promise<T>): Promise<T>;
}
