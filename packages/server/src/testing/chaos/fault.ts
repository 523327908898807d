/** The databases a server works on. */
export type ChaosDatabase = 'sqlite' | 'postgres';

/** What became of the documents, mails or deliveries of a fault's runs. All zero but `runs`, or a promise was broken. */
export interface FaultCount {
  readonly runs: number;
  /** Acknowledged, and not there any more; or never done. */
  readonly lost: number;
  /** Stored, sent or reported twice where once is promised. */
  readonly duplicated: number;
  /** Not finished in the time that is promised. */
  readonly stuck: number;
  /** What it took, in a few words: documents, seconds. */
  readonly detail?: string;
}

/** Where a fault runs. */
export interface FaultPlace {
  readonly database: ChaosDatabase;
  /** As `DATABASE_URL` takes it: a SQLite file or a PostgreSQL schema, fresh and empty. */
  readonly databaseUrl: string;
  /** An empty folder of its own. */
  readonly dataDirectory: string;
  /** How often the fault is to happen. */
  readonly runs: number;
  /** What is left to chance follows from it, so that a run can be had again. */
  readonly seed: number;
  /** Whether hours may be spent, so that nothing needs to be shortened by moving a clock. */
  readonly isLong: boolean;
  /** False when the time that was given has passed: what has come to be until then is judged. */
  readonly hasTime: () => boolean;
  /** Tells people how it goes. */
  readonly say: (line: string) => void;
}

/** Something that goes wrong, again and again, while a server works; and the count of what that cost. */
export interface Fault {
  /** Words in kebab-case: `kill-at-create-steps`. */
  readonly name: string;
  /** One sentence for people. */
  readonly about: string;
  readonly databases: readonly ChaosDatabase[];
  /** How often in the short form and in the long one. */
  readonly shortRuns: number;
  readonly longRuns: number;
  /** @throws FaultSkipped where this machine does not allow it; Error when something else than the counts is wrong. */
  run(place: FaultPlace): Promise<FaultCount>;
}

/** This machine does not allow the fault; the message says why. */
export class FaultSkipped extends Error {
  override get name(): string {
    return 'FaultSkipped';
  }
}

/** Counts that say nothing was broken. */
export function unharmed(runs: number): FaultCount {
  return { runs, lost: 0, duplicated: 0, stuck: 0 };
}
