import { cp, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', main: 'src/main.ts', demo: 'src/demo.ts' },
  format: 'esm',
  target: 'node22',
  dts: false,
  splitting: true,
  clean: ['dist/*.js', 'dist/*.map'],
  sourcemap: true,
  silent: true,
  onSuccess: async () => {
    await carryGuide();
    await carryReferencePage();
  },
});

/** The documentation goes with the package, whose server shows it: beside what is built, as in the repository beside the packages. */
async function carryGuide(): Promise<void> {
  await rm('dist/docs', { recursive: true, force: true });
  for (const path of ['docs', 'llms.txt']) await cp(`../../${path}`, `dist/${path}`, { recursive: true });
}

/** What draws the reference page, and its licence: three files of a package of 12 MB that nobody then has to install. */
async function carryReferencePage(): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await mkdir('dist/swagger-ui', { recursive: true });
  for (const file of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'favicon-32x32.png',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ])
    await cp(join(folder, file), `dist/swagger-ui/${file}`);
}
