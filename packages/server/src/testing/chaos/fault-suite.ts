import { describe, expect, it } from 'vitest';
import type { DatabaseKind } from '../test-databases.js';
import { expectInvariants } from './expect-invariants.js';
import { type Fault, FaultSkipped, unharmed } from './fault.js';
import { makeFaultContext } from './fault-context.js';

/** A fault in a form short enough for the ordinary suite, with a sentence for its test. */
export interface ShortFault {
  readonly fault: Fault;
  readonly shows: string;
  readonly runs: number;
}

/** Long enough for a busy machine. */
const LIMIT_MS = 600_000;

/** Describes faults, each on every database that it is for; `npm run chaos` has the longer forms. */
export function describeFaults(title: string, kinds: readonly DatabaseKind[], faults: readonly ShortFault[]): void {
  for (const kind of kinds) {
    const database = kind.name === 'SQLite' ? 'sqlite' : 'postgres';
    const here = faults.filter(({ fault }) => fault.databases.includes(database));
    describe.skipIf(kind.missing !== null || here.length === 0)(`${title} on ${kind.name}`, () => {
      it.for(here)('$shows', { timeout: LIMIT_MS }, async ({ fault, runs }, { skip }) => {
        const said: string[] = [];
        const context = await makeFaultContext(database, kind.serverUrl);
        try {
          const seed = Math.floor(Math.random() * 1_000_000);
          const count = await fault.run({
            ...context,
            runs,
            seed,
            isLong: false,
            hasTime: () => true,
            say: (line) => said.push(line),
          });
          expect(count, `seed ${seed}: ${said.join('; ')}`).toMatchObject(unharmed(count.runs));
          await expectInvariants(context);
        } catch (error) {
          if (!(error instanceof FaultSkipped)) throw error;
          skip(error.message);
        } finally {
          await context.remove();
        }
      });
    });
  }
}
