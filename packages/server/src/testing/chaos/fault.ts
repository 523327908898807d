/** The databases a server works on. */
export type ChaosDatabase = 'sqlite' | 'postgres';

/** The outcome of a fault's runs. A count above zero, except `runs`, is a broken promise. */
export interface FaultCount {
  readonly runs: number;
  /** Acknowledged and missing, or never done. */
  readonly lost: number;
  /** Stored, sent or reported twice where once is promised. */
  readonly duplicated: number;
  /** Not finished in the promised time. */
  readonly stuck: number;
  /** The extent of the run, in a few words: documents, seconds. */
  readonly detail?: string;
}

/** Where a fault runs. */
export interface FaultContext {
  readonly database: ChaosDatabase;
  /** The value of `DATABASE_URL`: a SQLite file or a PostgreSQL schema, fresh and empty. */
  readonly databaseUrl: string;
  /** An empty folder of its own. */
  readonly dataDirectory: string;
  /** Number of runs of the fault. */
  readonly runs: number;
  /** Seeds all random choices, so that a run can be repeated. */
  readonly seed: number;
  /** Whether the run may take hours, without moving a clock. */
  readonly isLong: boolean;
  /** False once the time is over; then the runs so far count. */
  readonly hasTime: () => boolean;
  /** Prints progress. */
  readonly say: (line: string) => void;
}

/** A repeated failure under a working server, and the count of its damage. */
export interface Fault {
  /** Words in kebab-case: `kill-at-create-steps`. */
  readonly name: string;
  /** One sentence for people. */
  readonly about: string;
  readonly databases: readonly ChaosDatabase[];
  /** How often in the short form and in the long one. */
  readonly shortRuns: number;
  readonly longRuns: number;
  /** @throws FaultSkipped if this machine does not allow it; Error for any failure outside the counts. */
  run(context: FaultContext): Promise<FaultCount>;
}

/** This machine does not allow the fault; the message says why. */
export class FaultSkipped extends Error {
  override get name(): string {
    return 'FaultSkipped';
  }
}

/** Counts without any damage. */
export function unharmed(runs: number): FaultCount {
  return { runs, lost: 0, duplicated: 0, stuck: 0 };
}
