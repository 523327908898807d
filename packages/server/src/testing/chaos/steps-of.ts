import type { FaultContext } from './fault.js';
import { createSeededRandom } from './seeded-random.js';

/** The steps of that many runs: all steps in turn, or a random selection if there are fewer runs than steps. */
export function stepsOf<Step>(steps: readonly Step[], { runs, seed }: Pick<FaultContext, 'runs' | 'seed'>): Step[] {
  if (runs >= steps.length) return Array.from({ length: runs }, (_, index) => steps[index % steps.length] as Step);
  const chance = createSeededRandom(seed);
  const left = steps.map((step, index) => ({ step, index }));
  const taken = Array.from({ length: runs }, () => left.splice(chance.below(left.length), 1)).flat();
  return taken.toSorted((a, b) => a.index - b.index).map(({ step }) => step);
}
