import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type KeptContent, toKeptContent } from '../platform/http/kept-content.js';
import { findFolderWith } from '../platform/package-folder.js';

/** A file of the console by its name; null for any other name. */
export function findAsset(name: string): KeptContent | null {
  assets ??= readAssets();
  return assets?.get(name) ?? null;
}

/** The encodings of a file, the smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const;

/** The same file compressed, for browsers that accept it: less than a third of its bytes. */
export function compressed(asset: KeptContent, encoding: (typeof ENCODINGS)[number]): KeptContent {
  const known = zipped[encoding].get(asset) ?? toKeptContent(asset.type, COMPRESS[encoding](asset.content));
  zipped[encoding].set(asset, known);
  return known;
}

// --- internal ---

/** Files are compressed once, on their first request. */
const zipped = { br: new WeakMap<KeptContent, KeptContent>(), gzip: new WeakMap<KeptContent, KeptContent>() };

const COMPRESS = {
  // One step below the maximum, which takes twice the time to save one percent of the bytes.
  br: (content: Buffer) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  gzip: (content: Buffer) => gzipSync(content, { level: 9 }),
};

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

/** Read once, on the first request: the files are few, and part of the package. */
let assets: ReadonlyMap<string, KeptContent> | null = null;

/** Null before a build: a server that runs from its sources has no console then. */
function readAssets(): ReadonlyMap<string, KeptContent> | null {
  const folder = builtFolder();
  if (!existsSync(folder)) return null;
  return new Map(readdirSync(folder).flatMap((name) => toEntry(folder, name)));
}

/** The folder next to the built program, or in `dist` next to its sources. */
function builtFolder(): string {
  const isBuilt = !import.meta.url.includes('/src/');
  return isBuilt
    ? join(findFolderWith('console/index.html'), 'console')
    : join(findFolderWith('package.json'), 'dist/console');
}

function toEntry(folder: string, name: string): readonly (readonly [string, KeptContent])[] {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  return type ? [[name, toKeptContent(type, readFileSync(join(folder, name)))]] : [];
}
