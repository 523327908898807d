// Prints one line per figure: `name value unit`. A group of figures is measured in one run, side by side. Their ratios
// therefore hold on any machine. `npm run bench -- signing ride` runs only those groups.
import { existsSync } from 'node:fs';
import * as core from '../dist/index.js';

const GROUPS = {
  signing: async () => (await import('./bench/signing.mjs')).benchSigning(core),
  build: async () => (await import('./bench/build.mjs')).benchBuild(core),
  ride: async () => (await import('./bench/ride.mjs')).benchRide(core),
  types: async () => (await import('./bench/types.mjs')).benchTypes(core),
  p12: async () => (await import('./bench/p12.mjs')).benchP12(core),
};

const asked = process.argv.slice(2).filter((name) => !name.startsWith('-'));
const unknown = asked.filter((name) => !(name in GROUPS));
if (unknown.length > 0) {
  console.error(`Unknown group: ${unknown.join(', ')}. There are: ${Object.keys(GROUPS).join(', ')}.`);
  process.exit(2);
}
if (!existsSync(new URL('../dist/index.js', import.meta.url))) {
  console.error('Build first: npm run build:js');
  process.exit(2);
}

for (const [name, run] of Object.entries(GROUPS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const figure of await run()) {
    console.log(`${figure.name} ${format(figure.value)} ${figure.unit}`);
  }
}

function format(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(3);
}
