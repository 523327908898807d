import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pagesIn = (language: string) => readdirSync(join(ROOT, 'docs', language)).toSorted();
const PAGES = [
  'README.md',
  'README.es.md',
  ...['en', 'es'].flatMap((language) => pagesIn(language).map((page) => `docs/${language}/${page}`)),
];

describe('the documentation', () => {
  it('has the same pages, and as many headings, in both languages', () => {
    expect(pagesIn('es')).toEqual(pagesIn('en'));
    const headings = (path: string) => [...read(path).matchAll(/^#+ /gm)].map(([hashes]) => hashes);
    expect(headings('README.es.md')).toEqual(headings('README.md'));
    for (const page of pagesIn('en')) expect(headings(`docs/es/${page}`), page).toEqual(headings(`docs/en/${page}`));
  });

  it.each(PAGES)('%s links only to files that are there', (page) => {
    const targets = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target ?? '');
    const missing = targets.filter((target) => !existsSync(join(ROOT, normalize(join(dirname(page), target)))));
    expect(missing).toEqual([]);
  });

  it.each(PAGES)('%s quotes examples as they run', (page) => {
    for (const [, path = '', quoted = ''] of read(page).matchAll(/<!-- (examples\/\S+) -->\n```\w+\n([\s\S]*?)```/g)) {
      const withoutHead = read(path).replace(/^(\/\/.*\n)+/, '');
      expect(quoted, path).toBe(withoutHead);
    }
  });
});
