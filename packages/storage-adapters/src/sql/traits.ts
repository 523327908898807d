import type { Expression, RawBuilder, SqlBool, Transaction } from 'kysely';
import type { CoreTables } from './schema.js';

/** The capabilities of a database. Shared queries ask for them, never for its name. */
export interface DialectTraits {
  /** Rows can be claimed with SKIP LOCKED; else the single writer serializes claims. */
  readonly skipLocked: boolean;
  /** Bound parameters allowed in one statement; batches are cut to this. */
  readonly maxParameters: number;
  /** The most transactions of one process that change documents at a time. More would wait for each other. */
  readonly writers: number;
  /** Whether writes to several tables can be one statement, as parts of its WITH. */
  readonly nestsWrites: boolean;
  /** Whether a statement takes rows as an array per column; otherwise it runs row by row. */
  readonly takesArrays: boolean;
  /** Whether a sorted union is merged from its parts as they are read; otherwise each part needs a limit of its own. */
  readonly mergesUnions: boolean;
  /** The most parts of a figure that is updated often; 1 where earlier versions of a row cost nothing. */
  readonly figureParts: number;
  /** The declarations of columns. */
  readonly columns: ColumnTypes;
  /** The end of the declaration of a table that is read by its own increasing id. */
  readonly rowTable: RawBuilder<unknown>;
  /** The end of the declaration of the table of contents. */
  readonly contentsTable: RawBuilder<unknown>;
  /** The end of the declaration of a table of small rows that are read by primary key only. */
  readonly keyedTable: RawBuilder<unknown>;
  /** Whether the primary key of a keyed table is stored apart; otherwise rows are in its order. */
  readonly keepsKeysApart: boolean;
  /** Statements that sweep dead rows of a table early; empty where a database needs none. */
  sweepsEarly(table: string): readonly RawBuilder<unknown>[];
  /** Statements that make a table append-only. */
  appendOnly(table: string): readonly RawBuilder<unknown>[];
  /** Statements that let one transaction at a time write a table until it ends; empty where one writes anyway. */
  lockWrites(table: string): readonly RawBuilder<unknown>[];
  /** Whether a column has one of the values of a query that runs first. */
  isAmong(column: string, values: Expression<unknown>): RawBuilder<SqlBool>;
  /** Whether a text contains a part, taken literally. */
  holds(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool>;
  /** A column, written so that a condition on it does not use the column's own index. */
  unindexed(column: string): RawBuilder<unknown>;
  /** The clause after a table that names the index to read; empty where statistics lead to it. */
  readBy(index: string): RawBuilder<unknown>;
  /** The lock of migrations: other processes wait until the transaction ends. */
  lockMigrations(transaction: Transaction<CoreTables>): Promise<void>;
  /** Waits for transactions that have counted the steps, and blocks further counts until this one ends. */
  lockSteps(transaction: Transaction<CoreTables>): Promise<void>;
  /** The meaning of a driver's failure. */
  classify(error: unknown): DatabaseFailure;
}

/** Column types by their content, since databases name them differently. */
export interface ColumnTypes {
  /** Text that compares and sorts by code points, the same on every machine. */
  readonly text: RawBuilder<unknown>;
  /** Whole numbers up to 31 bits, and truth as 0 or 1. */
  readonly integer: RawBuilder<unknown>;
  /** Whole numbers up to 53 bits: moments as milliseconds since 1970, amounts as cents. */
  readonly bigint: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** Ids, each a UUID in lower case. */
  readonly uuid: RawBuilder<unknown>;
}

/**
 * Failures by their remedy.
 * - `busy`: another writer holds the lock; wait.
 * - `conflict`: the database rolled back for another transaction; retry.
 * - `disconnected`: the connection broke; use another.
 * - `unavailable`: full, read-only, damaged, moved or shutting down; an operator has to act.
 * - `duplicate`: a unique key exists.
 * - `unmigrated`: a table does not exist.
 * - `other`: a fault of this software.
 */
export type DatabaseFailure =
  | 'busy'
  | 'conflict'
  | 'disconnected'
  | 'unavailable'
  | 'duplicate'
  | 'unmigrated'
  | 'other';
