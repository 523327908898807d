import { rmSync } from 'node:fs';
import { CRASH_TOKEN, type CrashMoment, type CrashPort } from './crash-step.js';
import { CREATE_STEPS } from './create-steps.js';
import { DOCUMENT_STEPS } from './document-steps.js';

/** An event in this process. */
export type Reached =
  | {
      readonly moment: 'before' | 'after';
      readonly statement: string;
      /** The statements that its transaction has sent so far. */
      readonly sent: readonly string[];
    }
  | { readonly moment: 'port'; readonly port: CrashPort };

/** Arms this process to die at the step of that name; unknown names arm nothing. */
export function arm(stepName: string | readonly string[] | undefined): void {
  const step = [...CREATE_STEPS, ...DOCUMENT_STEPS].find(({ name }) => name === stepName);
  if (step) armed = step.at;
}

/** Kills this process, like a power cut, if it is armed for this step. */
export function reach(reached: Reached): void {
  if (!armed || !isAt(armed, reached)) return;
  const token = process.env[CRASH_TOKEN];
  if (token !== undefined && !take(token)) return;
  process.kill(process.pid, 'SIGKILL');
}

// --- internal ---

let armed: CrashMoment | null = null;

function isAt(step: CrashMoment, reached: Reached): boolean {
  if (step.moment === 'port') return reached.moment === 'port' && reached.port === step.port;
  if (reached.moment !== step.moment || !step.statement.test(reached.statement)) return false;
  const { having } = step;
  return having === undefined || reached.sent.some((statement) => having.test(statement));
}

function take(token: string): boolean {
  try {
    rmSync(token);
    return true;
  } catch {
    // The token is gone: a process has already died at this step.
    armed = null;
    return false;
  }
}
