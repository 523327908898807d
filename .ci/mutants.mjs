// Makes one small change (mutant) at a time in the four most critical modules, and checks whether a test fails.
// `npm run mutants` runs all, for hours; name modules or parts to run fewer: `npm run mutants -- auth secrets`.
// `--code <glob> --tests <glob>` judges another part of the code, with semicolons between several.
// `--share 5 --seed 1` takes one of five functions. Unchanged results of the last run are reused; `--fresh` drops them.
// `--concurrency` sets the number of parallel mutants.
// Survivors are printed, and stored in coverage/mutants/<module>-<part>.json.
import { mkdirSync, rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { readArguments } from '../packages/server/scripts/read-arguments.mjs';
import { PARTS } from './mutants/parts.mjs';

const LEAST_KILLED = 80;
const FOLDER = 'coverage/mutants';

const { values, positionals, refuse } = readArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    code: { type: 'string' },
    concurrency: { type: 'string', default: '1' },
    fresh: { type: 'boolean', default: false },
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string' },
  },
});
const isMeant = (name) => (known) => known.module === name || known.part === name;
if (!positionals.every((name) => PARTS.some(isMeant(name))))
  refuse(`There are: ${PARTS.map(({ module, part }) => `${module}/${part}`).join(', ')}.`);
if ((values.code === undefined) !== (values.tests === undefined)) refuse('--code and --tests go together.');
const wanted =
  values.code === undefined
    ? PARTS.filter((known) => positionals.length === 0 || positionals.some((name) => isMeant(name)(known)))
    : [{ module: 'other', part: 'code', mutate: values.code.split(';'), tests: values.tests.split(';') }];
if (values.fresh) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });

process.env['MUTANTS_SAMPLE'] = `${values.share} ${values.seed}`;
const plugin = (file) => new URL(`./mutants/${file}`, import.meta.url).href;

const tallies = [];
for (const { module, part, mutate, tests } of wanted) {
  process.env['MUTANTS_TESTS'] = tests.join(';');
  const name = `${FOLDER}/${module}-${part.replaceAll(' ', '-')}`;
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', plugin('wording.mjs'), plugin('sample.mjs')],
    ignorers: ['wording', 'sample'],
    vitest: { configFile: '.config/vitest.mutants.config.ts', related: false },
    mutate: [...mutate, '!**/*.test.ts'],
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: `${name}-known.json`,
    reporters: ['json', 'clear-text'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: `${name}.json` },
    tempDirName: 'coverage/mutants/sandbox',
    ignorePatterns: ['dist', 'demo-output', 'coverage'],
    // Stryker would ask TypeScript's JavaScript interface, which TypeScript 7 does not have.
    tsconfigFile: 'none',
    concurrency: Number(values.concurrency),
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 15,
    logLevel: 'warn',
    thresholds: { high: LEAST_KILLED, low: LEAST_KILLED, break: null },
  }).runMutationTest();
  tallies.push({ module, part, ...count(results) });
}

console.log('');
for (const tally of tallies) tell(`${tally.module}/${tally.part}`, tally);
const modules = [...new Set(tallies.map(({ module }) => module))].map((module) => {
  const sum = { killed: 0, survived: 0, leftOut: 0 };
  for (const tally of tallies) if (tally.module === module) for (const key of Object.keys(sum)) sum[key] += tally[key];
  tell(`${module}, all`, sum);
  return sum;
});
process.exit(modules.every((sum) => percent(sum) >= LEAST_KILLED) ? 0 : 1);

// --- internal ---

/** A mutant that no test runs counts as a survivor. One that does not start is not counted. */
function count(results) {
  const of = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  return {
    killed: of('Killed', 'Timeout'),
    survived: of('Survived', 'NoCoverage'),
    leftOut: of('Ignored', 'RuntimeError', 'CompileError'),
  };
}

function percent({ killed, survived }) {
  return killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
}

function tell(name, tally) {
  const { killed, survived, leftOut } = tally;
  console.log(
    `${name.padEnd(26)} ${percent(tally).toFixed(1).padStart(5)} %  killed ${killed} of ${killed + survived}, left out ${leftOut}`,
  );
}
