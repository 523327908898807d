import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import {
  PAGE_TYPE,
  SCRIPT_TYPE,
  STYLE_TYPE,
  type StaticContent,
  type StaticContents,
  TEXT_TYPE,
  toStaticContent,
} from '../platform/http/static-content.js';
import { findFolderWith } from '../platform/package-folder.js';

/** A file of the console by its name; null for any other name, and before a build. */
export function findAsset(kept: StaticContents, name: string): Promise<StaticContent | null> {
  return kept.get(`console ${name}`, async () => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    const folder = builtFolder();
    if (!type || !existsSync(folder) || !(await readdir(folder)).includes(name)) return null;
    return toStaticContent(type, await readFile(join(folder, name)));
  });
}

/** The encodings of a file, the smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const;

/** The same file compressed, for browsers that accept it: less than a third of its bytes. */
export function compress({ type, content }: StaticContent, encoding: (typeof ENCODINGS)[number]): StaticContent {
  return toStaticContent(type, COMPRESS[encoding](content));
}

// --- internal ---

const COMPRESS = {
  // One step below the maximum, which takes twice the time to save one percent of the bytes.
  br: (content: Buffer) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  gzip: (content: Buffer) => gzipSync(content, { level: 9 }),
};

const TYPES: Readonly<Record<string, string>> = {
  html: PAGE_TYPE,
  css: STYLE_TYPE,
  js: SCRIPT_TYPE,
  svg: 'image/svg+xml',
  txt: TEXT_TYPE,
};

/** The folder next to the built program, or in `dist` next to its sources. */
function builtFolder(): string {
  const isBuilt = !import.meta.url.includes('/src/');
  return isBuilt
    ? join(findFolderWith('console/index.html'), 'console')
    : join(findFolderWith('package.json'), 'dist/console');
}
