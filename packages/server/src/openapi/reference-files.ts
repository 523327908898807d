import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  KEPT_SCRIPT,
  KEPT_STYLE,
  type KeptContent,
  type KeptContents,
  toKeptContent,
} from '../platform/http/kept-content.js';
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from './reference-page.js';

/**
 * A file of the reference page: from the package that renders it, or the script and style of ours. No other file of that
 * package is served.
 * @returns null for any other name.
 */
export async function findReferenceFile(kept: KeptContents, name: string): Promise<KeptContent | null> {
  const type = PACKAGE_FILES.get(name);
  if (type) return kept.get(`reference ${name}`, () => readPackageFile(name, type));
  return OWN_FILES.get(name) ?? null;
}

// --- internal ---

const OWN_FILES: ReadonlyMap<string, KeptContent> = new Map([
  ['start.js', toKeptContent(KEPT_SCRIPT, REFERENCE_SCRIPT)],
  ['reference.css', toKeptContent(KEPT_STYLE, REFERENCE_STYLE)],
]);

const PACKAGE_FILES: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', KEPT_STYLE],
  ['swagger-ui-bundle.js', KEPT_SCRIPT],
  ['favicon-32x32.png', 'image/png'],
]);

async function readPackageFile(name: string, type: string): Promise<KeptContent> {
  // The build copies them next to itself: their package has a script that reports every installation.
  const built = fileURLToPath(new URL(`./swagger-ui/${name}`, import.meta.url));
  const path = existsSync(built) ? built : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return toKeptContent(type, await readFile(path));
}
