import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The nearest folder above the running program that contains a path. Sources and build have different depths, and the
 * files they need are next to either.
 * @param path that it has to contain, such as `console/index.html`
 * @throws Error if the package lacks it.
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

/** The version of this package; read once. @throws Error if the package lacks its `package.json`. */
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
