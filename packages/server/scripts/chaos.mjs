// Runs every fault of the reliability promises and counts the damage. Prints one line per fault and database, and exits
// with 1 when anything was lost, duplicated or stuck. Needs no build.
//   npm run chaos -- --long --runs 20 --only kill-at-create-steps,disk-full --seed 7
//   npm run chaos -- --except statements --database sqlite|postgres --quiet
// With "--minutes 30" each line ends after half an hour and is judged by its runs so far; a sweep over steps ends by itself.
// The PostgreSQL is a private one from the test binaries; without them its lines are skipped and say so.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './read-arguments.mjs';

await import('../src/testing/typescript-hooks.ts');
const { FAULTS } = await import('../src/testing/chaos/faults.ts');
const { runMatrix, showRow } = await import('../src/testing/chaos/matrix.ts');
const { startPostgres } = await import('../../storage-adapters/src/testing/postgres-cluster.ts');
const { startChildServer } = await import('../src/testing/child-server.ts');

const { values, refuse } = readArguments(import.meta.url, {
  options: {
    long: { type: 'boolean', default: false },
    runs: { type: 'string' },
    only: { type: 'string' },
    except: { type: 'string' },
    seed: { type: 'string' },
    database: { type: 'string' },
    minutes: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',') ?? FAULTS.map(({ name }) => name);
const except = values.except?.split(',') ?? [];
const unknown = [...only, ...except].filter((name) => !FAULTS.some((fault) => fault.name === name));
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const runs = values.runs === undefined ? null : Number(values.runs);
const minutes = values.minutes === undefined ? null : Number(values.minutes);
const isPositive = (number) => number === null || number > 0;
const isDatabase = ['sqlite', 'postgres', undefined].includes(values.database);
if (unknown.length > 0 || !isDatabase || !Number.isInteger(seed) || !isPositive(runs) || !isPositive(minutes)) {
  refuse(`There are:\n${FAULTS.map(({ name, about }) => `  ${name.padEnd(36)} ${about}`).join('\n')}`);
}

// The runs start and kill servers hundreds of times; the first server stops normally, which stores its compiled code.
const folder = mkdtempSync(join(tmpdir(), 'sri-chaos-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
const first = await startChildServer({ settings: { DATA_DIR: join(folder, 'data') } });
first.signal('SIGTERM');
await first.ended;

const faults = FAULTS.filter(({ name }) => only.includes(name) && !except.includes(name)).map((fault) => ({
  ...fault,
  databases: fault.databases.filter((database) => (values.database ?? database) === database),
}));
const wantsPostgres = faults.some(({ databases }) => databases.includes('postgres'));
const cluster = wantsPostgres
  ? await startPostgres().catch((error) => console.error(`No PostgreSQL: ${error.message}`) ?? null)
  : null;
// Ends the servers and the PostgreSQL that it started as well.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
console.log(`seed ${seed}`);
let failed = false;
try {
  const say = (line) => values.quiet || console.log(`  ${line}`);
  const options = { faults, runs, long: values.long, seed, minutes, postgresUrl: cluster?.url ?? null, say };
  for await (const row of runMatrix(options)) {
    console.log(showRow(row));
    failed ||= !row.passed;
  }
} finally {
  await cluster?.stop();
}
process.exit(failed ? 1 : 0);
