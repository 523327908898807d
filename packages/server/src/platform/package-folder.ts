import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The nearest folder above the running program that holds something. The sources and what is built of them lie at
 * different depths, and what they need lies beside either.
 *
 * @param path what it has to hold, such as `console/index.html`
 * @throws Error when the package lacks it.
 */
export function findFolderWith(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, path))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`${path} is missing from the package.`);
    folder = parent;
  }
  return folder;
}

/** The version of this package; read once. @throws Error when the package lacks its `package.json`. */
export function packageVersion(): string {
  known ??= (JSON.parse(readFileSync(join(findFolderWith('package.json'), 'package.json'), 'utf8')) as Manifest)
    .version;
  return known;
}

// --- internal ---

interface Manifest {
  readonly version: string;
}

let known: string | undefined;
