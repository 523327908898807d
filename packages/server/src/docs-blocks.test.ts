import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findSource } from './testing/docs/block-text.js';
import { fencesOf, rewriteFences } from './testing/docs/fences.js';
import { languageOf, PAGES, ROOT } from './testing/docs/pages.js';
import { proofOf } from './testing/docs/proofs.js';
import { quotedText } from './testing/docs/quoted-file.js';

const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

describe('a block of code in the documentation', () => {
  it.each(PAGES)('every block of %s equals a file that CI runs', async (page) => {
    const complaints: string[] = [];
    for (const fence of fencesOf(read(page))) {
      const complain = (what: string) => complaints.push(`${page}:${fence.line}: ${what}`);
      try {
        const { text } = await findSource(fence, languageOf(page));
        if (text !== fence.text) complain(`differs from «${fence.comment}»: npm run docs:blocks rewrites it`);
      } catch (error) {
        complain(error instanceof Error ? error.message : String(error));
      }
    }
    expect(complaints).toEqual([]);
  });

  it.each(PAGES)('every block of %s stands between fences', (page) => {
    const prose = rewriteFences(read(page), () => '');
    expect([...prose.matchAll(/\n\n(?! *[-*\d])( {4,}\S.*)/g)].map(([, line]) => line)).toEqual([]);
  });

  it.each(['README.md', ...PAGES.filter((page) => page.startsWith('docs/en/'))])(
    'every block of %s comes from the same file in Spanish',
    (page) => {
      const sources = (path: string) => fencesOf(read(path)).map(({ comment }) => comment);
      const common = (source: string | null) => source?.replace('.es.', '.') ?? null;
      expect(sources(page.replace('/en/', '/es/').replace('README.', 'README.es.')).map(common)).toEqual(sources(page));
    },
  );
});

describe('the check of a block', () => {
  const block = (comment: string) => fencesOf(`Text\n\n${comment}\n\`\`\`sh\nsri-server serve\n\`\`\`\n`)[0];
  const judge = async (comment: string) => {
    const fence = block(comment);
    if (!fence) throw new Error('There is a block.');
    return findSource(fence, 'en').then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
  };

  it.each([
    ['no comment', '', /no «<!-- from: path#region -->»/],
    ['another comment', '<!-- note -->', /no «<!-- from: path#region -->»/],
    ['a missing file', '<!-- from: examples/none.ts -->', /there is no examples\/none\.ts/],
    ['a missing part', '<!-- from: examples/commands/cli.sh#none -->', /has no #region none/],
    ['a file that is never run', '<!-- from: packages/server/scripts/rules.mjs -->', /nothing in CI runs/],
    ['something that is never built', '<!-- made of: dreams -->', /nothing makes «dreams»/],
  ])('the check of a block rejects %s', async (_, comment, complaint) => {
    expect(await judge(comment)).toMatch(complaint);
  });

  it('the reader of fences keeps indentation, and accepts fences of any kind and length', () => {
    const page = '- item\n\n  <!-- from: a -->\n  ````md\n  ```\n    x\n  ```\n  ````\n\n~~~\n```\n~~~\n';
    expect(fencesOf(page)).toEqual([
      { line: 4, language: 'md', comment: 'from: a', text: '```\n  x\n```\n' },
      { line: 10, language: '', comment: null, text: '```\n' },
    ]);
    expect(rewriteFences(page, ({ text }) => text)).toBe(page);
    expect(() => fencesOf('```sh\nx\n')).toThrow('line 1');
  });

  it('a block may quote a whole file without its first comments, or all parts of one name', () => {
    expect(quotedText({ path: 'examples/sign-an-invoice.ts', region: null })).toMatch(/^import /);
    const issue = quotedText({ path: 'examples/commands/requests.sh', region: 'issue' });
    expect(issue.match(/^curl /gm)).toHaveLength(4);
    expect(issue).not.toMatch(/answer|#region/);
  });

  it('a test proves a file only if it names the file', () => {
    expect(proofOf('examples/webhooks/receiver.py')).toMatch(/receivers\.test\.ts$/);
    expect(proofOf('examples/webhooks/receiver.rb')).toBeNull();
    expect(proofOf('examples/http/other.json')).toBeNull();
  });
});
