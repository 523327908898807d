/** When to talk to the SRI. Times in milliseconds. */
export interface Schedule {
  /** Between two attempts of the same operation. Default 5 minutes. */
  readonly retryIntervalMs: number;
  /** Automatic attempts of each operation. Default 5. */
  readonly maxAttempts: number;
  /** From RECIBIDA to the first question for the authorization. Default 3 s. */
  readonly firstAuthorizationDelayMs: number;
  /** After the automatic attempts: between late questions for an authorization. Default 1 hour. */
  readonly lateCheckIntervalMs: number;
  /** How long after RECIBIDA late questions go on. Default 24 hours, which is what the SRI may take. */
  readonly lateCheckWindowMs: number;
  /** How long a submission that may not be made at the moment waits until that is asked again. Default 1 minute. */
  readonly putOffMs: number;
  /** Jobs in flight at one time in this process. Default 8. */
  readonly concurrency: number;
  /** How long a worker may be silent before another takes its job. Default 60 s; running calls renew it. */
  readonly leaseMs: number;
  /** Whole time of one SOAP call. Default 30 s. */
  readonly timeoutMs: number;
  /** The loop looks for work at least this often, since another process may have queued some. Default 1 s. */
  readonly pollMs: number;
}

/** What holds unless an engine is told otherwise. */
export const DEFAULT_SCHEDULE: Schedule = {
  retryIntervalMs: 5 * 60_000,
  maxAttempts: 5,
  firstAuthorizationDelayMs: 3_000,
  lateCheckIntervalMs: 60 * 60_000,
  lateCheckWindowMs: 24 * 60 * 60_000,
  putOffMs: 60_000,
  concurrency: 8,
  leaseMs: 60_000,
  timeoutMs: 30_000,
  pollMs: 1_000,
};
