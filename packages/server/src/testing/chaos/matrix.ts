import { expectInvariants } from './expect-invariants.js';
import { type ChaosDatabase, type Fault, type FaultCount, FaultSkipped } from './fault.js';
import { makeFaultContext } from './fault-context.js';

/** Options of a run of the matrix. */
export interface MatrixOptions {
  readonly faults: readonly Fault[];
  /** The runs of each fault; null for its own short or long number. */
  readonly runs: number | null;
  readonly long: boolean;
  readonly seed: number;
  /** The time for each line; null for no limit. */
  readonly minutes: number | null;
  /** A PostgreSQL for schemas; null skips its lines. */
  readonly postgresUrl: string | null;
  readonly say: (line: string) => void;
}

/** A line of the matrix. */
export interface MatrixRow {
  readonly fault: string;
  readonly database: ChaosDatabase;
  /** Null if the fault has no outcome; then `note` says why. */
  readonly count: FaultCount | null;
  readonly note: string;
  readonly passed: boolean;
  readonly seconds: number;
}

/** Runs every fault on each of its databases, one after the other, in separate places. Yields each line at once. */
export async function* runMatrix(options: MatrixOptions): AsyncGenerator<MatrixRow> {
  for (const fault of options.faults) {
    for (const database of fault.databases) yield await runFault(fault, database, options);
  }
}

/** A line of the matrix as people read it. */
export function showRow({ fault, database, count, note, seconds }: MatrixRow): string {
  const figures = count
    ? `runs ${count.runs}  lost ${count.lost}  duplicated ${count.duplicated}  stuck ${count.stuck}`
    : note;
  const detail = count?.detail ? `  ${count.detail}` : '';
  return `${fault.padEnd(34)} ${database.padEnd(9)} ${figures.padEnd(48)} ${seconds.toFixed(0)} s${detail}`;
}

// --- internal ---

/** CI brings what every fault needs. */
const MAY_SKIP = process.env['CI'] === undefined;

async function runFault(fault: Fault, database: ChaosDatabase, options: MatrixOptions): Promise<MatrixRow> {
  const { postgresUrl, seed, say, minutes } = options;
  const started = performance.now();
  const row = (outcome: Pick<MatrixRow, 'count' | 'note' | 'passed'>): MatrixRow => ({
    fault: fault.name,
    database,
    ...outcome,
    seconds: (performance.now() - started) / 1000,
  });
  if (database === 'postgres' && postgresUrl === null)
    return row({ count: null, note: 'skipped: there is no PostgreSQL here', passed: MAY_SKIP });
  const context = await makeFaultContext(database, postgresUrl);
  try {
    const runs = options.runs ?? (options.long ? fault.longRuns : fault.shortRuns);
    const hasTime = () => minutes === null || performance.now() - started < minutes * 60_000;
    const count = await fault.run({ ...context, runs, seed, isLong: options.long, hasTime, say });
    await expectInvariants(context);
    return row({ count, note: '', passed: count.lost + count.duplicated + count.stuck === 0 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof FaultSkipped) return row({ count: null, note: `skipped: ${reason}`, passed: MAY_SKIP });
    return row({ count: null, note: `FAILED: ${reason}`, passed: false });
  } finally {
    await context.remove();
  }
}
