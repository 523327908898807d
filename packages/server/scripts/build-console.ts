import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(PACKAGE, 'console');
const MODULES = join(PACKAGE, '../../node_modules');

/**
 * Bundles the console into a folder: a page, and files whose names change with their content. A page of the console that
 * is not shown first is a file of its own.
 */
export async function buildConsole(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: [join(SOURCE, 'src/main.tsx')],
    outdir: folder,
    bundle: true,
    splitting: true,
    plugins: [FIRST_PAGE_TOGETHER],
    minify: true,
    format: 'esm',
    target: ['es2022', 'safari16'],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    tsconfig: join(SOURCE, 'tsconfig.json'),
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  const named = (ending: string) => names.find((name) => name.startsWith('main-') && name.endsWith(ending)) ?? '';
  const icon = await readFile(join(SOURCE, 'icon.svg'));
  await writeFile(join(folder, 'icon.svg'), icon);
  await writeFile(join(folder, 'LICENCES.txt'), await licencesOf(metafile));
  const preloads = importsOf(metafile, named('.js')).map(
    (name) => `<link rel="modulepreload" href="/console/assets/${name}" />`,
  );
  for (const name of names.filter((each) => each.endsWith('.js'))) await importTogether(folder, name, metafile);
  const page = await readFile(join(SOURCE, 'page.html'), 'utf8');
  await writeFile(
    join(folder, 'index.html'),
    page
      .replace('MAIN.css', named('.css'))
      .replace('MAIN.js', named('.js'))
      .replace('<!-- PRELOADS -->', preloads.join('')),
  );
}

/**
 * Bundles the console for a server that runs from its sources, unless it is bundled already. Several processes may call
 * it at once.
 * @returns the folder.
 */
export async function bundleForSources(): Promise<string> {
  const folder = join(PACKAGE, 'dist/console');
  const digest = await digestOfSources();
  const record = join(folder, 'SOURCES');
  if (existsSync(record) && (await readFile(record, 'utf8')) === digest) return folder;
  const draft = join(PACKAGE, `.console-${process.pid}`);
  await buildConsole(draft);
  await writeFile(join(draft, 'SOURCES'), digest);
  await mkdir(join(PACKAGE, 'dist'), { recursive: true });
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
  return folder;
}

// --- internal ---

/**
 * Every page imports the modules of the first page. So esbuild puts these into one file, instead of one for each set of
 * pages that share a part: a browser on HTTP/1.1 loads only six files at once.
 */
const FIRST_PAGE_TOGETHER: Plugin = {
  name: 'first-page-together',
  setup(build) {
    build.onLoad({ filter: /console\/src\/pages\/.*\.tsx$/ }, async ({ path }) => ({
      contents: `import '../frame/app.js';${await readFile(path, 'utf8')}`,
      loader: 'tsx',
    }));
  },
};

/**
 * Makes a file import a page together with the page's own imports that are not loaded yet. Otherwise the browser would
 * request these only after the page arrives. The names stay: the same files give the same imports.
 */
async function importTogether(folder: string, name: string, metafile: Metafile): Promise<void> {
  const path = join(folder, name);
  const main = Object.keys(metafile.outputs).find((each) => /main-\w+\.js$/.test(each)) ?? '';
  const loaded = importsOf(metafile, basename(main));
  const text = await readFile(path, 'utf8');
  const changed = text.replaceAll(/import\("\.\/([\w-]+\.js)"\)/g, (whole, page: string) => {
    const others = importsOf(metafile, page).filter((each) => !loaded.includes(each) && each !== name);
    return others.length === 0 ? whole : `(${others.map((each) => `import("./${each}"),`).join('')}${whole})`;
  });
  await writeFile(path, changed);
}

async function digestOfSources(): Promise<string> {
  const hash = createHash('sha256');
  const folders = [SOURCE, join(PACKAGE, '../sri-core/src/client')];
  for (const folder of folders) {
    for (const file of (await readdir(folder, { recursive: true })).toSorted()) {
      if (/\.\w+$/.test(file)) hash.update(file).update(await readFile(join(folder, file)));
    }
  }
  return hash.digest('hex');
}

/** The static imports of a file, direct and indirect: a browser requests all at once. */
function importsOf({ outputs }: Metafile, name: string): readonly string[] {
  const found = new Set<string>();
  const visit = (of: string) => {
    const [, output] = Object.entries(outputs).find(([path]) => basename(path) === of) ?? [];
    for (const { path, kind } of output?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(basename(path))) continue;
      found.add(basename(path));
      visit(basename(path));
    }
  };
  visit(name);
  return [...found];
}

/** The licences of the packages in the bundle, which must be distributed with it. */
async function licencesOf({ inputs }: Metafile): Promise<string> {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  const texts = await Promise.all([...packages].toSorted().map(licenceOf));
  return texts.join('\n\n');
}

async function licenceOf(name: string): Promise<string> {
  const folder = join(MODULES, name);
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  const { license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { readonly license: string };
  const text = file ? await readFile(join(folder, file), 'utf8') : `Licence: ${license}`;
  return `${name}\n${'-'.repeat(name.length)}\n${text.trim()}\n`;
}
