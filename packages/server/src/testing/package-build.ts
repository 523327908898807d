import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A package to build. */
export interface PackageBuild {
  readonly folder: string;
  /** The inputs of the build: files and folders, absolute. */
  readonly sources: readonly string[];
  /** The file that records the last build. */
  readonly record: string;
  /** Builds into an empty folder next to the place. */
  build(target: string): Promise<void>;
}

/**
 * Builds a package if its sources have changed, and moves the result into `dist`. Each file is replaced atomically, and
 * files that name others come last. Files that running programs may still load stay for a few builds.
 *
 * @returns whether it was built.
 */
export async function buildInPlace({ folder, sources, record, build }: PackageBuild): Promise<boolean> {
  const digest = await digestOf(sources);
  const place = join(folder, 'dist');
  const last = await readRecord(record);
  if (last.digest === digest && (await isIntact(place, last))) return false;
  const target = join(folder, `.dist-${process.pid}`);
  try {
    await rm(target, { recursive: true, force: true });
    await mkdir(target);
    await build(target);
    const files = (await listFiles(target)).toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
    const placed: Record<string, number> = {};
    for (const file of files) {
      await mkdir(dirname(join(place, file)), { recursive: true });
      await rename(join(target, file), join(place, file));
      placed[file] = (await stat(join(place, file))).mtimeMs;
    }
    const generations = [files, ...last.generations];
    const kept = new Set(generations.slice(0, KEPT_BUILDS).flat());
    for (const file of generations.flat()) if (!kept.has(file)) await rm(join(place, file), { force: true });
    const next: BuildRecord = { digest, placed, generations: generations.slice(0, KEPT_BUILDS) };
    await mkdir(dirname(record), { recursive: true });
    await writeFile(record, JSON.stringify(next));
    return true;
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

// --- internal ---

interface BuildRecord {
  readonly digest: string;
  /** Each file with its write time, which reveals another build of the same folder. */
  readonly placed: Readonly<Record<string, number>>;
  /** The files of the last builds, the newest first. */
  readonly generations: readonly (readonly string[])[];
}

/** A program that runs for more builds than this must be restarted. */
const KEPT_BUILDS = 5;

/** Whether a file is an entry. The names of chunks contain a hash, `name-HASHHASH.js`. */
function isEntry(file: string): boolean {
  return !/-[A-Z0-9]{8}\.js(\.map)?$/.test(file);
}

async function digestOf(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const files = (await stat(source)).isDirectory() ? (await listFiles(source)).toSorted() : [''];
    for (const file of files) hash.update(`${source}/${file}\0`).update(await readFile(join(source, file)));
  }
  return hash.digest('hex');
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

async function isIntact(place: string, { placed }: BuildRecord): Promise<boolean> {
  for (const [file, mtimeMs] of Object.entries(placed)) {
    const path = join(place, file);
    if (!existsSync(path) || (await stat(path)).mtimeMs !== mtimeMs) return false;
  }
  return true;
}

async function readRecord(record: string): Promise<BuildRecord> {
  const text = await readFile(record, 'utf8').catch(() => null);
  return text === null ? { digest: '', placed: {}, generations: [] } : JSON.parse(text);
}
