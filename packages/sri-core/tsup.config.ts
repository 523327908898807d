import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    simulator: 'src/simulator.ts',
    testing: 'src/testing/index.ts',
    webhooks: 'src/webhooks.ts',
    // Started by URL in a worker thread, so it must stay a file of its own.
    'p12-worker': 'src/signing/p12-worker.ts',
  },
  format: 'esm',
  target: 'node22',
  dts: false,
  splitting: true,
  clean: ['dist/*.js', 'dist/*.map'],
  sourcemap: true,
  silent: true,
});
