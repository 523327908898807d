import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    client: 'src/client.ts',
    simulator: 'src/simulator.ts',
    testing: 'src/testing/index.ts',
    webhooks: 'src/webhooks.ts',
    cli: 'src/cli/index.ts',
    'sri-core': 'src/cli/main.ts',
    // Started by URL in a worker thread, so it must stay a file of its own.
    'p12-worker': 'src/signing/p12-worker.ts',
  },
  format: 'esm',
  target: 'node22',
  dts: false,
  // Fifteen packages and 20 MB for the reader of an install, of which the RIDE needs one file: it goes into ours.
  noExternal: [/^pdfkit/],
  metafile: true,
  splitting: true,
  clean: ['dist/*.js', 'dist/*.map'],
  sourcemap: true,
  silent: true,
});
