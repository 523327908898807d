import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const major = Number(process.versions.node.split('.')[0]);
if (major < 22) {
  throw new Error(
    `These tests need Node 22.19 or newer, and this is ${process.versions.node}: run them as "npm test", which uses the pinned Node.`,
  );
}

const root = fileURLToPath(new URL('..', import.meta.url));
const source = (path: string) => `${root}packages/${path}`;

export default defineConfig({
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
    globalSetup: [source('storage-adapters/src/testing/postgres-for-tests.ts')],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    dangerouslyIgnoreUnhandledErrors: false,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { 'packages/sri-core/src/**/*.ts': { lines: 90 } },
    },
  },
});
