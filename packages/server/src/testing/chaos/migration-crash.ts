import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type PlaceOnDisk, settingsOf } from './chaos-tenant.js';

/** The setting that says before which statement a migrating process is to be gone. */
export const CRASH_BEFORE_STATEMENT = 'CRASH_BEFORE_STATEMENT';

/** How a process that opened a database ended. */
export interface MigrationEnd {
  /** A signal, or an exit code. */
  readonly by: string;
  /** How many statements it took; 0 when it did not come to its end. */
  readonly statements: number;
  readonly complaint: string;
}

/** Opens a place's database in a process of its own. @param crashBefore the statement it does not get to; 0 for none. */
export async function migrateInProcess(place: PlaceOnDisk, crashBefore = 0): Promise<MigrationEnd> {
  const hooks = new URL('../typescript-hooks.ts', import.meta.url).href;
  const entry = fileURLToPath(new URL('./migrating-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', hooks, entry], {
    env: { ...settingsOf(place), [CRASH_BEFORE_STATEMENT]: String(crashBefore) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complaint, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { by: String(signal ?? code), statements: Number(said.trim()), complaint };
}
