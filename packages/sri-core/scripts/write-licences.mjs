// Gathers the licences of everything a package's build bundles into its dist/THIRD-PARTY-LICENSES.txt. Runs in the package's
// folder after tsup, which leaves a list of the files it read.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const home = process.cwd();
const outDir = process.env.BUILD_FOLDER ?? 'dist';
const list = join(home, outDir, 'metafile-esm.json');
const { inputs } = JSON.parse(await readFile(list, 'utf8'));
await rm(list);

const folders = new Set(
  Object.keys(inputs).flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
);
const texts = [];
for (const folder of [...folders].map((path) => resolve(home, path)).sort()) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? await readFile(join(folder, file), 'utf8') : `Licence: ${license}`;
  texts.push(`${name} ${version}\n\n${text.trim()}\n`);
}
await writeFile(join(home, outDir, 'THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
