// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Timed work that one process at a time does for all. */
export interface TaskLeasesTable {
  name: string;
  /** The process that took it last. */
  holder: string;
  /** Incremented by every lease, so that an expired lease differs from the current one. */
  token: number;
  lease_until: number;
  /** When the next round is due. */
  due_at: number;
}

/** The master keys that seal the database. One row. */
export interface RememberedKeysTable {
  name: string;
  /** JSON: ids of master keys with their check values. */
  check_values: string;
  /** When a secret was last sealed, or the keys were last checked at a start. */
  sealed_at: number;
}

/** The row that servers write to test whether writes succeed. One row. */
export interface WriteProbesTable {
  name: string;
  written_at: number;
}

/** Requests counted against a limit. */
export interface RateLimitsTable {
  bucket: string;
  /** Incremented by every use, which also takes the row's lock. */
  uses: number;
  /** JSON list of epoch milliseconds within the window. */
  hits: string;
  /** After this time the row has no effect. */
  expires_at: number;
}
