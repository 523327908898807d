// Plays simulated worlds: servers, applications with the library, the SRI, mails and receivers in one process. Their
// time, order and faults follow from a seed. A broken promise ends its world and prints the command that replays it.
// `npm run world -- --seed 1 --lives 100000`; `--story` prints what happens; `--without <guard>` plays code that lacks a guard.
import { availableParallelism } from 'node:os';
import { FAULTS, LIVES_A_WORLD, STATES, whyNever } from '../src/testing/world/faults.ts';
import { playWorlds } from '../src/testing/world/play-worlds.ts';
import { readArguments } from './read-arguments.mjs';

const { values, refuse } = readArguments(import.meta.url, {
  options: {
    seed: { type: 'string', default: '1' },
    lives: { type: 'string', default: '20000' },
    without: { type: 'string' },
    story: { type: 'boolean', default: false },
  },
});
const [seed, lives] = [Number(values.seed), Number(values.lives)];
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(lives) || lives < 1) refuse('Give whole numbers.');

const began = performance.now();
let [documents, events, count] = [0, 0, 0];
const played = await playWorlds({
  seed,
  lives,
  processes: values.story ? 1 : availableParallelism(),
  ...(values.without ? { without: values.without } : {}),
  ...(values.story ? { onStory: (line) => console.log(line) } : {}),
  onPlayed(world) {
    documents += world.lives;
    events += world.events;
    count += 1;
    if (count % 50 === 0) console.log(`${documents} documents ...`);
  },
});
const seconds = (performance.now() - began) / 1000;
printCoverage();
console.log(
  `${played.length} worlds, ${documents} documents, ${events} events in ${seconds.toFixed(0)} s: ${(documents / seconds).toFixed(0)} documents a second`,
);
const broken = played.filter(({ violations }) => violations.length > 0);
for (const { seed: at, violations } of broken) {
  console.log(`\nSeed ${at} breaks a promise:`);
  for (const violation of violations.slice(0, 5)) console.log(`  ${violation}`);
  const lack = values.without ? ` --without "${values.without}"` : '';
  console.log(`Replay it: npm run world -- --seed ${at} --lives ${Math.min(lives, LIVES_A_WORLD)} --story${lack}`);
}
process.exit(broken.length > 0 ? 1 : 0);

// --- internal ---

function printCoverage() {
  const struck = new Map();
  for (const world of played) {
    for (const [pair, times] of world.struck) struck.set(pair, (struck.get(pair) ?? 0) + times);
  }
  let [possible, covered] = [0, 0];
  const width = Math.max(...FAULTS.map((fault) => fault.length));
  console.log('How often each fault struck a document in each state; "-" is a pair that cannot be:\n');
  console.log(`${''.padEnd(width)} ${STATES.map((_, index) => `(${index + 1})`.padStart(8)).join('')}`);
  for (const fault of FAULTS) {
    const cells = STATES.map((state) => {
      const times = struck.get(`${state}, ${fault}`) ?? 0;
      if (times === 0 && whyNever(state, fault) !== null) return '-';
      possible += 1;
      if (times > 0) covered += 1;
      return String(times);
    });
    console.log(`${fault.padEnd(width)} ${cells.map((cell) => cell.padStart(8)).join('')}`);
  }
  console.log(`\n${STATES.map((state, index) => `(${index + 1}) ${state}`).join(', ')}`);
  console.log(`Covered: ${covered} of ${possible} pairs, ${((100 * covered) / possible).toFixed(1)} %\n`);
}
