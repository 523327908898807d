import type { Expression, RawBuilder, SqlBool, Transaction } from 'kysely';
import type { CoreTables } from './schema.js';

/** What shared queries may ask about a database; they never ask its name. */
export interface DialectTraits {
  /** Rows can be claimed with SKIP LOCKED; else the single writer serializes claims. */
  readonly skipLocked: boolean;
  /** Bound parameters allowed in one statement; batches are cut to this. */
  readonly maxParameters: number;
  /** How many transactions of one process change documents at a time; more would mostly wait for one another. */
  readonly writers: number;
  /** Whether writes to several tables can be one statement, as parts of its WITH. */
  readonly nestsWrites: boolean;
  /** Whether rows come into a statement as an array for each column; else it is run for one row after the other. */
  readonly takesArrays: boolean;
  /** How columns are declared. */
  readonly columns: ColumnTypes;
  /** Ends the declaration of a table that is read by its own, incremental id. */
  readonly rowTable: RawBuilder<unknown>;
  /** Ends the declaration of a table of small rows that are only ever read by their primary key. */
  readonly keyedTable: RawBuilder<unknown>;
  /** Whether a primary key takes room of its own beside the rows of a keyed table; else they lie in its order. */
  readonly keepsKeysApart: boolean;
  /** Statements after which the dead rows that changes leave in a table are swept early; none where there are none. */
  sweepsEarly(table: string): readonly RawBuilder<unknown>[];
  /** Statements after which the rows of a table can be added and read, and neither changed nor taken away. */
  appendOnly(table: string): readonly RawBuilder<unknown>[];
  /** Whether a column has one of the values that a query finds, for when it is best to find those first. */
  isAmong(column: string, values: Expression<unknown>): RawBuilder<SqlBool>;
  /** Lets one process at a time migrate: the others wait here until the transaction ends. */
  lockMigrations(transaction: Transaction<CoreTables>): Promise<void>;
  /** Waits for transactions that have counted the steps, and lets no other count them until this one ends. */
  lockSteps(transaction: Transaction<CoreTables>): Promise<void>;
  /** What a failure of the driver means. */
  classify(error: unknown): DatabaseFailure;
}

/** Column types by what they hold, since databases name them differently. */
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
 * Failures by what can be done about them. `busy`: another writer is at work, waiting helps. `conflict`: the database
 * undid the transaction for the sake of another, repeating it helps. `disconnected`: the connection broke, another may
 * work. `unavailable`: full, read-only, damaged, moved away, shutting down; only time or people help. `duplicate`: a unique key exists. `unmigrated`:
 * a table is not there. `other`: a fault of ours.
 */
export type DatabaseFailure =
  | 'busy'
  | 'conflict'
  | 'disconnected'
  | 'unavailable'
  | 'duplicate'
  | 'unmigrated'
  | 'other';
