import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const PACKAGES = join(ROOT, 'packages');
const CACHE = join(ROOT, 'node_modules/.cache/sri-sources');

/** The programs that tests start many times. */
const ENTRIES = {
  'sri-server': 'server/src/main.ts',
  'sri-core': 'sri-core/src/cli/main.ts',
  'crashing-server': 'server/src/testing/chaos/crashing-server.ts',
  'stray-faults-server': 'server/src/testing/stray-faults-server.ts',
  'migrating-process': 'server/src/testing/chaos/migrating-process.ts',
} as const;

/** The threads that those start, by the names under which they look for them. */
const THREADS = {
  'worker-thread': 'server/src/platform/threads/worker-thread.ts',
  'p12-worker': 'sri-core/src/signing/p12-worker.ts',
} as const;

/** A program of the sources. */
export type BundledProgram = keyof typeof ENTRIES;

/** Returns the file that runs a program: its sources in a few files, which start in a third of the time of a thousand. */
export function bundledProgram(name: BundledProgram): string {
  return join(FOLDER, `${name}.js`);
}

// --- internal ---

/** Several processes may call it at once. A folder of earlier sources stays, since servers may run from it. */
async function bundleSources(): Promise<string> {
  const folder = join(CACHE, digestOfSources());
  if (existsSync(folder)) return folder;
  await removeOldBundles();
  const draft = join(CACHE, `.${randomUUID()}`);
  await build({
    entryPoints: Object.entries({ ...ENTRIES, ...THREADS }).map(([out, path]) => ({ in: join(PACKAGES, path), out })),
    outdir: draft,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    keepNames: true,
    tsconfig: join(ROOT, 'tsconfig.json'),
    plugins: [PLACES_OF_SOURCES],
    // They load files of their own (native code, fonts, threads), or have exports that only Node finds.
    external: ['better-sqlite3', 'nodemailer', 'pdfkit', 'pg', 'pino', 'piscina', 'swagger-ui-dist', 'undici'],
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  await writeFile(join(draft, 'package.json'), '{"type":"module"}');
  await rename(draft, folder).catch(async (error: Error) => {
    if (!existsSync(folder)) throw error;
    await rm(draft, { recursive: true, force: true });
  });
  return folder;
}

/** Sources find their texts and package next to themselves, and their threads next to the bundle. */
const PLACES_OF_SOURCES: Plugin = {
  name: 'places-of-sources',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]packages[\\/][a-z-]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      if (/[\\/](?:p12-thread|threads)\.ts$/.test(path)) return null;
      const source = await readFile(path, 'utf8');
      return { contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
    });
  },
};

function digestOfSources(): string {
  const hash = createHash('sha256');
  const files = readdirSync(PACKAGES).flatMap((name) => filesOf(join(PACKAGES, name, 'src')));
  for (const file of [join(ROOT, 'package-lock.json'), ...files]) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs}\0${size}\0`);
  }
  return hash.digest('hex').slice(0, 32);
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .toSorted();
}

async function removeOldBundles(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const dayAgo = Date.now() - 86_400_000;
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (mtimeMs < dayAgo) await rm(path, { recursive: true, force: true });
  }
}

const FOLDER = await bundleSources();
