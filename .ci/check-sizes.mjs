// Bundles small programs as an application would, and fails if one exceeds its size budget or needs a file beside it.

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

// esbuild comes with tsup, which builds the packages.
const require = createRequire(createRequire(import.meta.url).resolve('tsup'));
const { build } = require('esbuild');
const resolveDir = fileURLToPath(new URL('../packages/server', import.meta.url));

/** What a program uses, and what it may weigh, compressed. `own`: whether nothing of another package may be in it. */
const PROGRAMS = [
  { name: 'the client', budgetKb: 15, own: true, code: `export { createClient } from 'sri-core/client'` },
  { name: 'verifying webhooks', budgetKb: 3, own: true, code: `export { verifyWebhook } from 'sri-core/webhooks'` },
  { name: 'access keys alone', budgetKb: 5, own: true, code: `export { parseAccessKey } from 'sri-core'` },
  { name: 'the rates of IVA alone', budgetKb: 5, own: true, code: `export { taxRates } from 'sri-core'` },
  { name: 'signing and verifying', budgetKb: 70, own: false, code: `export { signXml, verifyXml } from 'sri-core'` },
  { name: 'a RIDE', budgetKb: 260, own: false, code: `export { renderRide } from 'sri-core'` },
];

let failed = false;
for (const { name, budgetKb, own, code } of PROGRAMS) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    // The client must run in browsers: anything that only Node has is an error.
    platform: code.includes('/client') ? 'browser' : 'node',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const [{ contents, text }] = outputFiles;
  const kb = (bytes) => bytes / 1024;
  const weight = kb(gzipSync(contents).length);
  const [output] = Object.values(metafile.outputs);
  const foreign = Object.entries(output.inputs).filter(
    ([path, { bytesInOutput }]) => bytesInOutput > 0 && /node_modules\/(?!sri-core)/.test(path),
  );
  const isTooMuch = weight > budgetKb || (own && foreign.length > 0);
  // A file that a module reads beside itself is not beside a bundle.
  const hasFiles = text.includes('import.meta');
  if (isTooMuch || hasFiles) failed = true;
  const verdict = isTooMuch ? 'too much' : hasFiles ? 'looks for files beside it' : 'fine';
  const sizes = `${kb(contents.length).toFixed(1)} KB, ${weight.toFixed(1)} KB compressed of ${budgetKb}`;
  console.log(`${name}: ${sizes}, ${foreign.length} files of other packages: ${verdict}`);
}
process.exit(failed ? 1 : 0);
