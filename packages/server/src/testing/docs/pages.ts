import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Language } from 'sri-core';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Every Markdown page of the repository, by its path in it. */
export const PAGES: readonly string[] = [
  ...markdownIn(''),
  ...['.github/', 'deploy/', 'docs/', 'examples/', 'packages/', 'security/'].flatMap((folder) => markdownUnder(folder)),
];

/** The language a page is written in. */
export function languageOf(page: string): Language {
  return page.startsWith('docs/es/') || page.endsWith('.es.md') ? 'es' : 'en';
}

// --- internal ---

function markdownIn(folder: string): readonly string[] {
  return readdirSync(`${ROOT}${folder}`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`)
    .toSorted();
}

function markdownUnder(folder: string): readonly string[] {
  const inside = readdirSync(`${ROOT}${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name))
    .flatMap(({ name }) => markdownUnder(`${folder}${name}/`));
  return [...markdownIn(folder), ...inside];
}
