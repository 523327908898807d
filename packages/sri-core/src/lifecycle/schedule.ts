/** The timing of calls to the SRI, in milliseconds. */
export interface Schedule {
  /** Between two attempts of the same operation. Default 5 minutes. */
  readonly retryIntervalMs: number;
  /** Automatic attempts of each operation. Default 5. */
  readonly maxAttempts: number;
  /** From RECIBIDA to the first authorization query. Default 3 s. */
  readonly firstAuthorizationDelayMs: number;
  /** Between late authorization queries, after the automatic attempts. Default 1 hour. */
  readonly lateCheckIntervalMs: number;
  /** How long after RECIBIDA late queries continue. Default 24 hours, the time the SRI may take. */
  readonly lateCheckWindowMs: number;
  /** The delay before a held submission is checked again. Default 1 minute. */
  readonly putOffMs: number;
  /** Concurrent jobs of this process. Default 8. */
  readonly concurrency: number;
  /** The lease of a job: another worker takes it after so long without a renewal. Default 60 s; running calls renew it. */
  readonly leaseMs: number;
  /** The total time of one SOAP call. Default 30 s. A transport may have a limit of its own, as `undiciTransport()` has. */
  readonly timeoutMs: number;
  /** The longest pause between two looks for work, since another process may have queued some. Default 1 s. */
  readonly pollMs: number;
}

/** The default values. */
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

/**
 * The schedule, when each of its numbers is sound. An unset environment variable, as a number, is NaN: a job with that due
 * time would never run again. Databases take no fraction and no infinite number.
 *
 * @throws TypeError
 */
export function checkedSchedule(schedule: Schedule): Schedule {
  for (const name of Object.keys(DEFAULT_SCHEDULE) as (keyof Schedule)[]) {
    const least = name === 'concurrency' || name === 'maxAttempts' ? 1 : 0;
    const isSound = Number.isSafeInteger(schedule[name]) && schedule[name] >= least;
    if (!isSound) throw new TypeError(`schedule.${name} must be a whole number of at least ${least}.`);
  }
  return schedule;
}
