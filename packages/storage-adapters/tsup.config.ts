import { defineConfig } from 'tsup';

/** Where it builds: beside the place of what was built before, when that may be in use. */
const outDir = process.env['BUILD_FOLDER'] ?? 'dist';

export default defineConfig({
  outDir,
  entry: { index: 'src/index.ts' },
  format: 'esm',
  target: 'node22',
  dts: false,
  // Kysely is 255 files, which take longer to load than all of ours.
  noExternal: [/^kysely/],
  metafile: true,
  clean: [`${outDir}/*.js`, `${outDir}/*.map`],
  sourcemap: true,
  silent: true,
});
