import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { bundledProgram } from '../bundled-sources.js';
import { type DataLocation, settingsOf } from './chaos-tenant.js';
import { CRASH_BEFORE_STATEMENT } from './crash-step.js';

/** How a process that opened a database ended. */
export interface MigrationEnd {
  /** A signal, or an exit code. */
  readonly by: string;
  /** The number of its statements; 0 if it was not completed. */
  readonly statements: number;
  readonly complaint: string;
}

/** Opens a place's database in its own process. @param crashBefore the statement before which it dies; 0 for none. */
export async function migrateInProcess(context: DataLocation, crashBefore = 0): Promise<MigrationEnd> {
  const child = spawn(process.execPath, [bundledProgram('migrating-process')], {
    env: { ...settingsOf(context), [CRASH_BEFORE_STATEMENT]: String(crashBefore) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complaint, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { by: String(signal ?? code), statements: Number(said.trim()), complaint };
}
