import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KeptContent, toKeptContent } from '../platform/http/kept-content.js';
import { findFolderWith } from '../platform/package-folder.js';

/** A file that the pages of the guide load, read once; null for any other name. */
export function findGuideAsset(name: string): KeptContent | null {
  const known = kept.get(name);
  if (known) return known;
  const file = FILES.get(name);
  if (!file) return null;
  const content = toKeptContent(file.type, readFileSync(join(findFolderWith(file.path), file.path)));
  kept.set(name, content);
  return content;
}

// --- internal ---

const FILES: ReadonlyMap<string, { readonly type: string; readonly path: string }> = new Map([
  ['guide.css', { type: 'text/css; charset=utf-8', path: 'guide/guide.css' }],
  ['guide.js', { type: 'text/javascript; charset=utf-8', path: 'guide/guide.js' }],
  ['icon.svg', { type: 'image/svg+xml', path: 'console/icon.svg' }],
]);

const kept = new Map<string, KeptContent>();
