import type { Words } from 'sri-core/cli';

/** One thing that was looked at. */
export interface DoctorFinding {
  /** What it is about, for programs: `database`, `sriClock` … */
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly message: Words;
  /** What to run, or what to do. */
  readonly fix: Words | null;
  /** The issuer it is about; absent for what concerns all of them. */
  readonly issuerId?: string;
}

/** A thing that is as it should be. */
export function fine(check: string, message: Words, fix: Words | null = null): DoctorFinding {
  return { check, verdict: 'ok', message, fix };
}

/** A thing that may cause trouble. */
export function warn(check: string, message: Words, fix: Words | null = null): DoctorFinding {
  return { check, verdict: 'warn', message, fix };
}

/** A thing without which documents cannot be issued. */
export function fail(check: string, message: Words, fix: Words | null = null): DoctorFinding {
  return { check, verdict: 'fail', message, fix };
}
