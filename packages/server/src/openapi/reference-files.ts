import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type KeptContent, toKeptContent } from '../platform/http/kept-content.js';
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from './reference-page.js';

/**
 * A file of the reference page: from the package that renders it, read once, or the script and style of ours. No other
 * file of that package is served.
 * @returns null for any other name.
 */
export function findReferenceFile(name: string): Promise<KeptContent | null> {
  const known = kept.get(name);
  if (known) return known;
  const type = PACKAGE_FILES.get(name);
  if (!type) return Promise.resolve(null);
  const file = readPackageFile(name, type);
  kept.set(name, file);
  return file;
}

// --- internal ---

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

const PACKAGE_FILES: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', SCRIPT_TYPE],
  ['favicon-32x32.png', 'image/png'],
]);

const kept = new Map<string, Promise<KeptContent | null>>([
  ['start.js', Promise.resolve(toKeptContent(SCRIPT_TYPE, REFERENCE_SCRIPT))],
  ['reference.css', Promise.resolve(toKeptContent('text/css; charset=utf-8', REFERENCE_STYLE))],
]);

async function readPackageFile(name: string, type: string): Promise<KeptContent> {
  // The build copies them next to itself: their package has a script that reports every installation.
  const built = fileURLToPath(new URL(`./swagger-ui/${name}`, import.meta.url));
  const path = existsSync(built) ? built : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return toKeptContent(type, await readFile(path));
}
