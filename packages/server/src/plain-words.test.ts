import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Words of CONTRIBUTING's rule on prose: they hide the subject, or are old. */
const HEAVY = /\b(?:nobody|whoever|(?:is|are) told|anew|(?:that|which) (?:is|are) none|be it)\b/i;

/** Values of the interface, the account of Debian, and the rule itself. */
const QUOTED = /'nobody'|\bnobody:|\b(?:user postgres nor|NOBODY)\b|\("whoever"\)/;

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
