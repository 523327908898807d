import './simulated-machine.js';
import './quick-parser.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIVES_A_WORLD, SERVERS_EVERY } from './faults.js';
import { removeGuard } from './guards.js';
import type { WorldPlan } from './world.js';

/** The worlds of a process: those of its seeds, until their people have issued `lives` documents. */
export interface WorldOrder {
  readonly seed: number;
  /** The step from one seed to the next. */
  readonly step: number;
  readonly lives: number;
  /** A guard that the code lacks. */
  readonly without?: string;
  /** Prints every line of the stories. */
  readonly logs?: boolean;
}

/** The result of a world, printed as a line of JSON. */
export interface PlayedWorld {
  readonly seed: number;
  readonly lives: number;
  readonly events: number;
  readonly story: string;
  readonly violations: readonly string[];
  readonly struck: readonly (readonly [string, number])[];
}

const { seed: first, step, lives, without, logs }: WorldOrder = JSON.parse(process.argv[2] ?? '{}');
if (without !== undefined) removeGuard(without);
// Imported after the guard is removed.
const { playWorld } = await import('./world.js');
const { engineWorld, makeIssuers } = await import('./engine-world.js');

const folder = await mkdtemp(join(tmpdir(), 'sri-world-'));
const issuers = await makeIssuers();
const [engines, harsh] = [engineWorld(issuers, false), engineWorld(issuers, true)];
let servers: WorldPlan | undefined;

/** In each round of worlds the first has servers, and the last one fails all the time. */
async function planOf(seed: number): Promise<WorldPlan> {
  const place = seed % SERVERS_EVERY;
  if (place !== 0) return place === SERVERS_EVERY - 1 ? harsh : engines;
  servers ??= await makeServers();
  return servers;
}

/** The server takes seconds to load, and most worlds have none. */
async function makeServers(): Promise<WorldPlan> {
  const { makeTemplate } = await import('./template.js');
  const { serverWorld } = await import('./server-world.js');
  return serverWorld(await makeTemplate(folder));
}

let left = lives;
for (let seed = first; left > 0; seed += step) {
  const outcome = await playWorld(await planOf(seed), {
    seed,
    lives: Math.min(left, LIVES_A_WORLD),
    ...(logs ? { onLine: (line: string) => console.log(line) } : {}),
  });
  left -= LIVES_A_WORLD;
  const played: PlayedWorld = { ...outcome, struck: [...outcome.struck] };
  console.log(JSON.stringify(played));
  if (outcome.violations.length > 0) break;
}
await rm(folder, { recursive: true, force: true });
