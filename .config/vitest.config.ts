import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { createMemoryFolder } from './memory-folder.ts';

const major = Number(process.versions.node.split('.')[0]);
if (major < 22) {
  throw new Error(
    `These tests need Node 22.19 or newer, and this is ${process.versions.node}: run them as "npm test", which uses the pinned Node.`,
  );
}

const root = fileURLToPath(new URL('..', import.meta.url));
const memoryFolder = createMemoryFolder();
const source = (path: string) => `${root}packages/${path}`;

/**
 * Every branch is tested where a mistake costs most: numbering, states, cryptography and authentication. The coverage of this
 * process does not count a thread of its own (p12-thread, p12-worker). verify-document stops at faults of the XML library
 * that no known document causes.
 */
const EVERY_BRANCH = [
  'sri-core/src/{access-key,sequential,random}.ts',
  'sri-core/src/lifecycle/*.ts',
  'sri-core/src/signing/!(p12-thread|p12-worker|verify-document).ts',
  'sri-core/src/webhooks/*.ts',
  'storage-adapters/src/sequentials.ts',
  'server/src/platform/{transitions,expiring-cache,http/own-machine,secrets/{vault,master-keys}}.ts',
  'server/src/{accounts/{tenant,scopes,status-rows},billing/account,webhooks/delivery}.ts',
  'server/src/keys/{api-token,known-keys,administer-keys,rows,revocation-rows}.ts',
  'server/src/platform/secrets/secret-rows.ts',
  'server/src/{issuers/counter-move-rows,operator/admin-tokens}.ts',
  'server/src/gate/{authenticate,authenticate-operator,pipeline}.ts',
];

/** Tests of `npm run test:full` alone: they kill servers, drive browsers, play many cases through, or take half a minute each. */
const SLOW = [
  'server/src/{chaos-*,bad-input-*,replica*,graceful-stop,many-connections,large-uploads,order-games}.test.ts',
  'server/src/{sri-connections,docs-commands,planted-secrets,package-build,supply-chain,world,aside-connection,read-only-pgbouncer}.test.ts',
  'server/src/platform/threads/{bounded-threads,threads}.test.ts',
  'server/src/{console,guide}/*.browser.test.ts',
  'server/src/{webhooks/fairness,operator/rotate-master-key,ops/deploy-*,cli/new-user,cli/serve-workers}.test.ts',
  'server/src/{gate/fair-share,billing/{billing-rehearsal,billing.property},onboarding/hostile-p12,onboarding/register-faults}.test.ts',
  'server/src/{mail/mail-limits,cli/batch/batch*,cli/backup/backup*,notifications/concurrency}.test.ts',
  'storage-adapters/src/{outage,processes,faults-*}.test.ts',
  'sri-core/src/**/random-*.test.ts',
  'sri-core/src/documents/{write-comprobante.property,hostile-bodies}.test.ts',
  'sri-core/src/cli/received/killed-runs.test.ts',
];

/** `npm test` runs with the mode `test`, `npm run test:full` with `full`. */
export default defineConfig(({ mode }) => ({
  root,
  resolve: {
    // Tests run on the sources, so that a fresh clone needs no build.
    alias: [
      { find: /^sri-core$/, replacement: source('sri-core/src/index.ts') },
      { find: /^sri-core\/cli$/, replacement: source('sri-core/src/cli/index.ts') },
      { find: /^sri-core\/client$/, replacement: source('sri-core/src/client.ts') },
      { find: /^sri-core\/simulator$/, replacement: source('sri-core/src/simulator.ts') },
      { find: /^sri-core\/testing$/, replacement: source('sri-core/src/testing/index.ts') },
      { find: /^sri-core\/webhooks$/, replacement: source('sri-core/src/webhooks.ts') },
      { find: /^sri-storage-adapters$/, replacement: source('storage-adapters/src/index.ts') },
      { find: /^sri-server$/, replacement: source('server/src/index.ts') },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(mode === 'full' ? [] : SLOW.map((file) => `packages/${file}`))],
    provide: { databases: mode === 'full' ? ['SQLite', 'PostgreSQL'] : ['SQLite'] },
    env: memoryFolder === null ? {} : { TMPDIR: memoryFolder, NODE_COMPILE_CACHE: `${memoryFolder}/sri-compile-cache` },
    globalSetup: [
      source('storage-adapters/src/testing/postgres-for-tests.ts'),
      source('server/src/testing/console-for-tests.ts'),
    ],
    // Test files share the modules of their worker: one import, one compiled description of the interface, one certificate.
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A worker beside this one may hold the processor for longer than the default second.
    expect: { poll: { timeout: 10_000 } },
    dangerouslyIgnoreUnhandledErrors: false,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**'],
      reporter: ['text-summary', 'json-summary', 'json'],
      thresholds: {
        lines: 95,
        branches: 90,
        ...Object.fromEntries(EVERY_BRANCH.map((files) => [`packages/${files}`, { branches: 100 }])),
      },
    },
  },
}));
