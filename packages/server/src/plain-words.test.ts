import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Words of CONTRIBUTING's rule on prose: they hide the subject, or are old. */
const HEAVY = /\b(?:nobody|whoever|(?:is|are) told|anew|(?:that|which) (?:is|are) none|be it)\b/i;

/** Values of the interface, the account of Debian, and the rule itself. */
const QUOTED = /'nobody'|\bnobody:|\b(?:user postgres nor|NOBODY)\b|\("whoever"\)/;

/** The name of a test, without the rules of the specification in front of it. */
const TEST_NAME = /^\s*(?:it|test)(?:\.\w+(?:\([^)\n]*\))?)*\(\s*['"`](?:\[R\d+\] )*([^'"`\n]*)/gm;

/** First words of half a sentence, whose subject only a `describe` could name. */
const HALF_SENTENCE =
  /^(?:is|are|was|were|has|have|had|may|must|can|be|that|what|which|these|those|this|they|it|its|ones?|both|none|and|or|but|with|without|in|on|for|of|as) /;

it('sources and pages name their subject', () => {
  const files = globSync(
    ['packages/*/{src,console,scripts}/**/*.{ts,tsx,mjs}', '{docs,bench,examples}/**/*.{md,ts,mjs}', '*.md'],
    {
      cwd: ROOT,
      exclude: ['**/node_modules/**', '**/plain-words.test.ts', '**/generated/**'],
    },
  );
  const found = files.flatMap((file) =>
    readFileSync(`${ROOT}${file}`, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        HEAVY.test(line) && !QUOTED.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [],
      ),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(found).toEqual([]);
});

it('a test name names its subject', () => {
  const files = globSync('packages/*/src/**/*.ts', { cwd: ROOT });
  const names = files.flatMap((file) =>
    [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(TEST_NAME)].map(([, name = '']) => ({ file, name })),
  );
  expect(names.length).toBeGreaterThan(2000);
  expect(names.filter(({ name }) => HALF_SENTENCE.test(name))).toEqual([]);
});
