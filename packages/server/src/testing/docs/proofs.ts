import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ROOT } from './pages.js';

/**
 * The CI step that proves a quoted file; null without one. The step must name the file that it runs or checks, unless
 * it runs a whole folder.
 */
export function proofOf(path: string): string | null {
  const proof = PROOFS.find(({ files, isShown }) => files.test(path) && isShown(path));
  return proof?.by ?? null;
}

// --- internal ---

interface Proof {
  readonly files: RegExp;
  readonly by: string;
  isShown(path: string): boolean;
}

const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const COMMANDS_TEST = 'packages/server/src/docs-commands.test.ts';
const BATCH_TEST = 'packages/server/src/cli/docs.test.ts';
const DELIVERY_TEST = 'packages/server/src/webhooks/handlers.test.ts';
const RECEIVERS_TEST = 'packages/server/src/webhooks/receivers.test.ts';
/** Whether CI carries out a script of package.json. */
const isStep = (script: string) => new RegExp(`^npm run ${script}\\b`, 'm').test(read('.ci/run'));
const isNamedIn = (path: string, witness: string) => read(witness).includes(basename(path));
const filesIn = (folder: string, ending: string) =>
  readdirSync(`${ROOT}${folder}`)
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}${name}`);

const PROOFS: readonly Proof[] = [
  // The step runs every program of the folder.
  { files: /^examples\/(recipes\/)?[\w-]+\.ts$/, by: 'npm run examples', isShown: () => isStep('examples') },
  // The test runs every script of the folder.
  { files: /^examples\/commands\/[\w.-]+\.sh$/, by: COMMANDS_TEST, isShown: () => true },
  { files: /^examples\/webhooks\/.*\.json$/, by: DELIVERY_TEST, isShown: (path) => isNamedIn(path, DELIVERY_TEST) },
  { files: /^examples\/cli\//, by: BATCH_TEST, isShown: (path) => isNamedIn(path, BATCH_TEST) },
  { files: /^examples\/webhooks\//, by: RECEIVERS_TEST, isShown: (path) => isNamedIn(path, RECEIVERS_TEST) },
  {
    files: /^examples\/.+\.\w+$/,
    by: COMMANDS_TEST,
    isShown: (path) => filesIn('examples/commands/', '.sh').some((script) => read(script).includes(path)),
  },
  {
    files: /^examples\/[\w-]+\.(json|csv)$/,
    by: 'npm run examples',
    isShown: (path) => isStep('examples') && filesIn('examples/', '.ts').some((program) => isNamedIn(path, program)),
  },
];
