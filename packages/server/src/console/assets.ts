import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KeptContent, toKeptContent } from '../platform/http/kept-content.js';
import { findFolderWith } from '../platform/package-folder.js';

/**
 * A file of the console; null for any other name.
 *
 * @param path within the console's folder, such as `pages/overview.js`
 */
export function findAsset(path: string): KeptContent | null {
  assets ??= readAssets();
  return assets.get(path) ?? null;
}

/** The folders of the console's files. */
export const CONSOLE_FOLDERS = ['pages', 'forms'];

// Read once, on the first request: the files are few, and part of the package.

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Read once, when the first one is asked for: they are few, and part of the package. */
let assets: ReadonlyMap<string, KeptContent> | null = null;

function readAssets(): ReadonlyMap<string, KeptContent> {
  const folder = join(findFolderWith('console/index.html'), 'console');
  const names = ['', ...CONSOLE_FOLDERS.map((name) => `${name}/`)].flatMap((under) =>
    readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && entry.name !== 'tsconfig.json' ? [`${under}${entry.name}`] : [],
    ),
  );
  return new Map(names.flatMap((name) => toEntry(folder, name)));
}

function toEntry(folder: string, name: string): readonly (readonly [string, KeptContent])[] {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  return type ? [[name, toKeptContent(type, readFileSync(join(folder, name)))]] : [];
}
