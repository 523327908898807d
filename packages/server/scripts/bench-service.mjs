// Measures the whole service. Server, load and simulated SRI run in their own processes. Prints one figure per line:
// `name value unit`, with its goal if it has one. Exits with 1 when a goal is missed.
//   npm run bench:service                              the parts of ALWAYS on both databases
//   npm run bench:service -- create idle startup       only those
//   npm run bench:service -- create --database sqlite --rounds 1 --profile <folder>
//   npm run bench:service -- starve --json figures.json     the figures as JSON too
import { writeFileSync } from 'node:fs';
import { createTools } from './bench-service/tools.mjs';
import { readArguments } from './read-arguments.mjs';

const ALWAYS = [
  'startup',
  'idle',
  'create',
  'withholding',
  'auth',
  'growth',
  'lists',
  'fairness',
  'drain',
  'disk',
  'doctor',
];
const PARTS = [
  ...ALWAYS,
  'first-byte',
  'processes',
  'export-10000',
  'issuers',
  'snapshot',
  'soak',
  'starve',
  'timing',
  'webhooks',
];

const { values, positionals, refuse } = readArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    database: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '3' },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) refuse(`There is no ${unknown.join(', ')}. There are: ${PARTS.join(', ')}.`);
if (!/^(sqlite|postgres)(,postgres)?$/.test(values.database) || !(Number(values.rounds) > 0)) {
  refuse('Give the databases as sqlite,postgres, and a whole number of rounds.');
}
const tools = createTools({
  databases: values.database.split(','),
  rounds: Number(values.rounds),
  profileFolder: values.profile ?? null,
});
try {
  for (const name of positionals.length > 0 ? positionals : ALWAYS) {
    console.log(`--- ${name}`);
    const part = await import(`./bench-service/${name}.mjs`);
    await part.run(tools);
  }
} finally {
  if (values.json) writeFileSync(values.json, `${JSON.stringify(tools.figures, null, 2)}\n`);
  await tools.close();
}
