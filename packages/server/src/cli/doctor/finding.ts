import type { Words } from 'sri-core/cli';

/** The result of one check. */
export interface DoctorFinding {
  /** Its subject, for programs: `database`, `sriClock` … */
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly message: Words;
  /** The command to run, or another remedy. */
  readonly fix: Words | null;
  /** The issuer concerned; absent if it concerns all of them. */
  readonly issuerId?: string;
}

/** A check that passed. */
export function fine(check: string, message: Words, fix: Words | null = null): DoctorFinding {
  return { check, verdict: 'ok', message, fix };
}

/** A finding that may cause trouble. */
export function warn(check: string, message: Words, fix: Words | null = null): DoctorFinding {
  return { check, verdict: 'warn', message, fix };
}

/** A finding that prevents issuing. */
export function fail(check: string, message: Words, fix: Words | null = null): DoctorFinding {
  return { check, verdict: 'fail', message, fix };
}
