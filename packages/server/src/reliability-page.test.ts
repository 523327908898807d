import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FAULTS } from './testing/chaos/faults.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Every test file, by its path from the folder of packages. */
const TESTS = ['sri-core', 'storage-adapters', 'server'].flatMap((name) =>
  readdirSync(join(ROOT, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `/${path.replaceAll('\\', '/')}`),
);

/** The evidence in the page's tables: the code names in the last cell of each row. */
function proofsOf(language: string): readonly (readonly string[])[] {
  return readFileSync(join(ROOT, 'docs', language, 'reliability.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => [...(line.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const named = new Set(proofsOf('en').flat());

describe('the page about reliability', () => {
  it('the page names existing tests', () => {
    const files = [...named].filter((name) => name.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !TESTS.some((path) => path.endsWith(`/${file}`)))).toEqual([]);
  });

  it('the page names every fault of `npm run chaos`, and no other', () => {
    const page = readFileSync(join(ROOT, 'docs/en/reliability.md'), 'utf8');
    expect(FAULTS.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const others = [...named].filter((name) => !name.endsWith('.test.ts') && /^[a-z]+(-[a-z]+)+$/.test(name));
    const invariants = new Set(['numbers-have-no-gap', 'authorized-is-counted-in-a-notification']);
    const known = new Set(FAULTS.map(({ name }) => name));
    expect(others.filter((name) => !known.has(name) && !invariants.has(name))).toEqual([]);
  });

  it('the pages of both languages have the same proofs', () => {
    expect(proofsOf('es')).toEqual(proofsOf('en'));
  });
});
