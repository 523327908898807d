// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Due work and its result. A kind of job adds the columns that only its jobs have. */
export interface JobsTable {
  id: string;
  kind: string;
  /** The subject of the job: the kind of a mail, the event of a webhook, the name of a timer. */
  subject: string;
  /** Jobs of one lane wait for each other, and the lanes of a kind take turns: an account, or an endpoint of webhooks. */
  lane: string;
  /** Null for a job of the server itself. */
  tenant_id: string | null;
  /** `PENDING` while attempts follow; the other statuses are the kind's. */
  status: string;
  attempt_count: number;
  due_at: number;
  /** When a worker may take it: `due_at`, or later when a lease on it ends later. */
  ready_at: number;
  /** Null while no worker holds the job. */
  lease_until: number | null;
  /** Rises with every lease, so that the result of a frozen worker is rejected. */
  lease_token: number;
  /** The status code of the last answer, for kinds with one. */
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  /** When an attempt succeeded. */
  done_at: number | null;
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
