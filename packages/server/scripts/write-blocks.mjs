// Rewrites the code blocks of every page from their source files, and prints how many of them CI proves, and how.
// Run by `npm run docs:blocks`. Exits with 1 when a block has no source.
import { readFile, writeFile } from 'node:fs/promises';
import { findSource } from '../src/testing/docs/block-text.ts';
import { fencesOf, rewriteFences } from '../src/testing/docs/fences.ts';
import { languageOf, PAGES, ROOT } from '../src/testing/docs/pages.ts';

const counts = {};
for (const page of PAGES) {
  const markdown = await readFile(`${ROOT}${page}`, 'utf8');
  const texts = new Map();
  for (const fence of fencesOf(markdown)) {
    try {
      const { text, proof } = await findSource(fence, languageOf(page));
      texts.set(fence.line, text);
      counts[proof] = (counts[proof] ?? 0) + 1;
    } catch (error) {
      console.error(`${page}:${fence.line}: ${error.message}`);
      process.exitCode = 1;
    }
  }
  await writeFile(
    `${ROOT}${page}`,
    rewriteFences(markdown, ({ line, text }) => texts.get(line) ?? text),
  );
}
for (const [proof, count] of Object.entries(counts)) console.log(`${String(count).padStart(4)} ${proof}`);
