import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';

/** Where it builds: beside the place of what was built before, when that may be in use. */
const outDir = process.env['BUILD_FOLDER'] ?? 'dist';

/** Stands in for the two packages that only pdfkit's `font` and `text` use. */
const NO_TEXT_LAYOUT = fileURLToPath(new URL('scripts/no-text-layout.mjs', import.meta.url));

export default defineConfig({
  outDir,
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
    // Not for anybody to import: each keeps its own file, so that a bundler can leave out what a program does not use.
    ...parts([
      'access-key',
      'identification',
      'catalogs/tax-rates',
      'documents/prepare',
      'documents/write-comprobante',
      'documents/read-comprobante',
      'signing/p12',
      'signing/sign-xml',
      'signing/verify',
      'sri/soap-client',
      'sri/undici-transport',
      'ride/pdf',
      'engine',
    ]),
  },
  format: 'esm',
  target: 'node22',
  dts: false,
  // An install of pdfkit has fifteen packages and 20 MB. The RIDE needs one file of them, which goes into ours.
  // TypeBox is 200 files, which take longer to load than all of ours.
  noExternal: [/^pdfkit/, /^@sinclair\/typebox/],
  esbuildPlugins: [
    {
      // pdfkit looks for its own fonts and color profile in files. The RIDE uses neither, and a bundler would not find them.
      name: 'pdfkit-without-files',
      setup: ({ onLoad }) =>
        onLoad({ filter: /pdfkit\.node\.mjs$/ }, async ({ path }) => ({
          contents: (await readFile(path, 'utf8'))
            .replace(/new URL\(.*import\.meta\.url\)\.href/, 'undefined')
            .replace('createRequire(import.meta.url)', 'undefined'),
        })),
    },
  ],
  // The RIDE sets its own text. Without pdfkit's text layout the file has 0.4 MB and not 2.4 MB.
  esbuildOptions(options) {
    options.alias = { fontkit: NO_TEXT_LAYOUT, linebreak: NO_TEXT_LAYOUT };
  },
  metafile: true,
  splitting: true,
  clean: [`${outDir}/*.js`, `${outDir}/*.map`],
  sourcemap: true,
  silent: true,
});

/** Entries by the names of their files, all in one folder: what they load beside them is looked for there. */
function parts(modules: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(modules.map((name) => [`part-${name.replaceAll('/', '-')}`, `src/${name}.ts`]));
}
