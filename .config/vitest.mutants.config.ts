import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import everything from './vitest.config.js';

const config = everything({ mode: 'test', command: 'serve' });

/**
 * The tests that one part of `npm run mutants` runs for each of its mutants, on SQLite. Two databases take twice the time, and
 * only the storage differs between them. The storage is not among the parts.
 */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: (process.env['MUTANTS_TESTS'] ?? '').split(';'),
    // The slow tests too, where they are named.
    exclude: configDefaults.exclude,
    globalSetup: [fileURLToPath(new URL('../.ci/mutants/no-postgres.mjs', import.meta.url))],
    // Modules run again for each mutant.
    isolate: true,
    // A mutant that makes a test wait for ever is killed by Stryker's own limit.
    testTimeout: 60_000,
  },
});
