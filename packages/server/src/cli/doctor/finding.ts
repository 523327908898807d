import type { LocalizedText } from 'sri-core';
import type { CliText } from 'sri-core/cli';

/** The result of one check. */
export interface DoctorFinding {
  /** Its subject, for programs: `database`, `sriClock` … */
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly message: CliText;
  /** The command to run, or another remedy. */
  readonly fix: CliText | null;
  /** The issuer concerned; absent if the finding concerns all issuers. */
  readonly issuerId?: string;
}

/** A check that passed. */
export const fine = findingOf('ok');
/** A finding that may cause trouble. */
export const warn = findingOf('warn');
/** A finding that prevents issuing. */
export const fail = findingOf('fail');

// --- internal ---

function findingOf(verdict: DoctorFinding['verdict']) {
  return (
    check: string,
    { fix = null, ...message }: LocalizedText & { readonly fix?: CliText | null },
  ): DoctorFinding => ({ check, verdict, message, fix });
}
