import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  SCRIPT_TYPE,
  STYLE_TYPE,
  type StaticContent,
  type StaticContents,
  toStaticContent,
} from '../platform/http/static-content.js';
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from './reference-page.js';

/**
 * A file of the reference page: from the package that renders it, or the script and style of ours. No other file of that
 * package is served.
 * @returns null for any other name.
 */
export async function findReferenceFile(kept: StaticContents, name: string): Promise<StaticContent | null> {
  const type = PACKAGE_FILES.get(name);
  if (type) return kept.get(`reference ${name}`, () => readPackageFile(name, type));
  return OWN_FILES.get(name) ?? null;
}

// --- internal ---

const OWN_FILES: ReadonlyMap<string, StaticContent> = new Map([
  ['start.js', toStaticContent(SCRIPT_TYPE, REFERENCE_SCRIPT)],
  ['reference.css', toStaticContent(STYLE_TYPE, REFERENCE_STYLE)],
]);

const PACKAGE_FILES: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', STYLE_TYPE],
  ['swagger-ui-bundle.js', SCRIPT_TYPE],
  ['favicon-32x32.png', 'image/png'],
]);

async function readPackageFile(name: string, type: string): Promise<StaticContent> {
  // The build copies them next to itself: their package has a script that reports every installation.
  const built = fileURLToPath(new URL(`./swagger-ui/${name}`, import.meta.url));
  const path = existsSync(built) ? built : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return toStaticContent(type, await readFile(path));
}
