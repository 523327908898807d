import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type KeptContent, toKeptContent } from '../platform/http/kept-content.js';
import { findFolderWith } from '../platform/package-folder.js';

/** A file of the console by its name; null for any other name. */
export function findAsset(name: string): KeptContent | null {
  assets ??= readAssets();
  return assets?.get(name) ?? null;
}

/** The same file compressed, for browsers that take it so: a third of its bytes. */
export function compressed(asset: KeptContent): KeptContent {
  const known = zipped.get(asset) ?? toKeptContent(asset.type, gzipSync(asset.content, { level: 9 }));
  zipped.set(asset, known);
  return known;
}

// --- internal ---

/** Compressed once, when they are first asked for. */
const zipped = new WeakMap<KeptContent, KeptContent>();

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

/** Beside the program that was built, or in `dist` beside its sources. */
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
