import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the console as it is served. */
export interface Asset {
  readonly type: string;
  readonly content: Buffer;
  /** Changes with the content. */
  readonly etag: string;
}

/**
 * A file of the console; null for any other name.
 *
 * @param path within the console's folder, such as `pages/overview.js`
 */
export function findAsset(path: string): Asset | null {
  assets ??= readAssets();
  return assets.get(path) ?? null;
}

// --- internal ---

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Read once, when the first one is asked for: they are few, and part of the package. */
let assets: ReadonlyMap<string, Asset> | null = null;

function readAssets(): ReadonlyMap<string, Asset> {
  const folder = findFolder();
  const names = ['', 'pages/'].flatMap((under) =>
    readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && entry.name !== 'tsconfig.json' ? [`${under}${entry.name}`] : [],
    ),
  );
  return new Map(names.flatMap((name) => toEntry(folder, name)));
}

function toEntry(folder: string, name: string): readonly (readonly [string, Asset])[] {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (!type) return [];
  const content = readFileSync(join(folder, name));
  const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
  return [[name, { type, content, etag }]];
}

/** The sources and what is built of them lie at different depths below the package's folder. */
function findFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'console', 'index.html'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The files of the console are missing from the package.');
    folder = parent;
  }
  return join(folder, 'console');
}
