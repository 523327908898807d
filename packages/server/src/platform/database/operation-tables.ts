// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Timed work that one process at a time does for all. */
export interface TaskLeasesTable {
  name: string;
  /** The process that took it last. */
  holder: string;
  /** Rises with every taking, so that whoever had it before is told from whoever has it now. */
  token: number;
  lease_until: number;
  /** When the next round is due. */
  due_at: number;
}

/** The master keys that the database is sealed with. One row. */
export interface RememberedKeysTable {
  name: string;
  /** JSON: ids of master keys with what tells each from another of its name. */
  check_values: string;
  /** When something was last sealed, or the keys were last looked through at a start. */
  sealed_at: number;
}

/** What servers write to, to see whether they can. One row. */
export interface WriteProbesTable {
  name: string;
  written_at: number;
}

/** Requests counted against a limit. */
export interface RateLimitsTable {
  bucket: string;
  /** Rises with every use, which also takes the row's lock. */
  uses: number;
  /** JSON list of epoch milliseconds within the window. */
  hits: string;
  /** After this moment the row says nothing any more. */
  expires_at: number;
}
