import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Claim {
  readonly chapter: string;
  readonly level: string;
  readonly text: string;
  readonly file: string;
  readonly title: string;
}

/** The lines of the checklist: `| V1.2 … | 2 | what holds | `file` «title» |`. */
function claimsOf(language: string): readonly Claim[] {
  const page = readFileSync(join(ROOT, 'docs', language, 'security.md'), 'utf8');
  return page
    .split('\n')
    .filter((line) => /^\| V\d/.test(line))
    .map((line) => {
      const [, chapter = '', level = '', text = '', file = '', title = ''] =
        /^\| (V[\d.]+) [^|]+ \| (\d) \| ([^|]+) \| `([^`]+)` «(.+)» \|$/.exec(line) ?? [];
      return { chapter, level, text, file, title };
    });
}

const CLAIMS = claimsOf('en');

describe('the checklist of the security page', () => {
  it.each(CLAIMS)('the proof of $chapter exists: $file «$title»', ({ file, title }) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    const source = readFileSync(join(ROOT, file), 'utf8');
    // The title is of a test or of a table of tests, in any quotes.
    expect(["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`))).toBe(true);
  });

  it('the checklist covers every chapter that applies, and the chapters of keys at level 3', () => {
    const chapters = (claims: readonly Claim[]) => [...new Set(claims.map(({ chapter }) => chapter.split('.')[0]))];
    expect(chapters(CLAIMS)).toEqual(['V1', 'V2', 'V3', 'V4', 'V5', 'V7', 'V8', 'V11', 'V12', 'V13', 'V14', 'V16']);
    const atThree = chapters(CLAIMS.filter(({ level }) => level === '3'));
    expect(atThree).toEqual(expect.arrayContaining(['V11', 'V14']));
    expect(new Set(CLAIMS.map(({ level }) => level))).toEqual(new Set(['2', '3']));
  });

  it('the pages of both languages have the same checklist, each in its words', () => {
    const bare = (claims: readonly Claim[]) => claims.map(({ text: _, ...rest }) => rest);
    const spanish = claimsOf('es');
    expect(bare(spanish)).toEqual(bare(CLAIMS));
    expect(spanish.filter(({ text }, index) => text === CLAIMS[index]?.text)).toEqual([]);
  });
});
