import { cp, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig } from 'tsup';
import { buildConsole } from './scripts/build-console.js';

/** Where it builds: beside the place of what was built before, when that may be in use. */
const outDir = process.env['BUILD_FOLDER'] ?? 'dist';

export default defineConfig({
  outDir,
  entry: {
    index: 'src/index.ts',
    main: 'src/main.ts',
    demo: 'src/demo.ts',
    // Started by URL in a worker thread, so it must stay a file of its own.
    'worker-thread': 'src/platform/threads/worker-thread.ts',
  },
  format: 'esm',
  target: 'node22',
  dts: false,
  // Each is 200 files, which take longer to load than all of ours.
  noExternal: [/^@sinclair\/typebox/, /^kysely/],
  metafile: true,
  splitting: true,
  clean: [`${outDir}/*.js`, `${outDir}/*.map`],
  sourcemap: true,
  silent: true,
  onSuccess: async () => {
    await carryGuide();
    await carryReferencePage();
    await buildConsole(`${outDir}/console`);
  },
});

/** The documentation goes with the package, whose server shows it: beside what is built, as in the repository beside the packages. */
async function carryGuide(): Promise<void> {
  await rm(`${outDir}/docs`, { recursive: true, force: true });
  for (const path of ['docs', 'llms.txt']) await cp(`../../${path}`, `${outDir}/${path}`, { recursive: true });
}

/** What draws the reference page, and its licence: three files of a package of 12 MB, which is then not installed. */
async function carryReferencePage(): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await mkdir(`${outDir}/swagger-ui`, { recursive: true });
  for (const file of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'favicon-32x32.png',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ])
    await cp(join(folder, file), `${outDir}/swagger-ui/${file}`);
}
