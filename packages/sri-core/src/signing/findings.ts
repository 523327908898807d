import type { Check, CheckName, VerificationWarning } from './verification.js';
import { type Cause, DOUBTS, VERIFICATION_ADVICE } from './verification-advice.js';

/** Collects the checks of one verification. */
export class Findings {
  readonly checks: Check[] = [];
  readonly warnings: VerificationWarning[] = [];

  pass(check: CheckName, detail: string): void {
    this.checks.push({ check, ok: true, detail });
  }

  /** A check that passes with a doubt: the SRI has both refused and authorized such files. @param code chooses the message. */
  doubt(check: CheckName, detail: string, code: keyof typeof DOUBTS): void {
    this.pass(check, detail);
    this.warnings.push({ code, message: DOUBTS[code] });
  }

  /** @param cause chooses the advice; by default the check's own. */
  fail(check: CheckName, detail: string, cause: Cause = check): void {
    this.checks.push({ check, ok: false, detail, advice: VERIFICATION_ADVICE[cause] });
  }

  /** Whether every check of the list ran, and no check failed. */
  allPassed(required: readonly CheckName[]): boolean {
    const made = new Set(this.checks.map(({ check }) => check));
    return this.checks.every(({ ok }) => ok) && required.every((check) => made.has(check));
  }
}

/** A document value for a message: quoted, without control characters, cut short. */
export function quote(text: string | null): string {
  if (text === null) return 'nothing';
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
