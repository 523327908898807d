import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LIVES_A_WORLD } from './faults.js';
import type { PlayedWorld, WorldOrder } from './world-process.js';

/** Worlds to play, starting at a seed, until their people have issued `lives` documents. */
export interface Worlds {
  readonly seed: number;
  readonly lives: number;
  /** The step from one seed to the next; default 1. */
  readonly stride?: number;
  /** A guard that the code lacks. */
  readonly without?: string;
  /** Processes that share the seeds. */
  readonly processes: number;
  /** Gets every line of the stories. */
  readonly onStory?: (line: string) => void;
  readonly onPlayed?: (world: PlayedWorld) => void;
}

/** Plays worlds, each share in a separate process. A process stops after its first world with a violation. */
export async function playWorlds({
  seed,
  lives,
  stride = 1,
  without,
  processes,
  onStory,
  onPlayed,
}: Worlds): Promise<PlayedWorld[]> {
  const worlds = Math.ceil(lives / LIVES_A_WORLD);
  const count = Math.min(processes, worlds);
  const played: PlayedWorld[] = [];
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const order: WorldOrder = {
        seed: seed + index * stride,
        step: count * stride,
        lives: Math.min(lives, Math.ceil((worlds - index) / count) * LIVES_A_WORLD),
        logs: onStory !== undefined,
        ...(without === undefined ? {} : { without }),
      };
      const child = spawn(process.execPath, ['--import', HOOKS, PROCESS, JSON.stringify(order)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      for await (const line of createInterface({ input: child.stdout })) {
        if (!line.startsWith('{')) {
          onStory?.(line);
          continue;
        }
        const world: PlayedWorld = JSON.parse(line);
        played.push(world);
        onPlayed?.(world);
      }
      const code = await ended;
      if (code !== 0) throw new Error(`A process of worlds ended with ${code}.`);
    }),
  );
  return played.toSorted((a, b) => a.seed - b.seed);
}

// --- internal ---

const HOOKS = fileURLToPath(new URL('../typescript-hooks.ts', import.meta.url));
const PROCESS = fileURLToPath(new URL('./world-process.ts', import.meta.url));
