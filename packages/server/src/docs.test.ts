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
  'CONTRIBUTING.md',
  'AGENTS.md',
  'SECURITY.md',
  'llms.txt',
  ...['en', 'es'].flatMap((language) => pagesIn(language).map((page) => `docs/${language}/${page}`)),
];

describe('the documentation', () => {
  it('has the same pages, and as many headings, in both languages', () => {
    expect(pagesIn('es')).toEqual(pagesIn('en'));
    const headings = (path: string) => [...read(path).matchAll(/^#+ /gm)].map(([hashes]) => hashes);
    expect(headings('README.es.md')).toEqual(headings('README.md'));
    for (const page of pagesIn('en')) expect(headings(`docs/es/${page}`), page).toEqual(headings(`docs/en/${page}`));
  });

  it('is listed for programs that read it, page by page and example by example', () => {
    const listed = read('llms.txt');
    const examples = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.ts'));
    for (const path of [
      ...pagesIn('en').map((page) => `docs/en/${page}`),
      ...examples.map((name) => `examples/${name}`),
    ]) {
      expect(listed).toContain(`](${path})`);
    }
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
