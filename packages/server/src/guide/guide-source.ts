import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from 'sri-core';
import { LANGUAGES } from '../platform/language.js';
import { findFolderWith } from '../platform/package-folder.js';
import { GUIDE_PAGE_NAMES } from './guide-pages.js';

/** The source of a page. */
export interface SourcePage {
  readonly name: string;
  readonly title: string;
  /** Markdown with links that work in a package, which contains only the guide. */
  readonly markdown: string;
}

/** The source of the whole guide. */
export interface GuideSource {
  /** The pages of each language, in reading order. */
  readonly pages: Readonly<Record<Language, ReadonlyMap<string, SourcePage>>>;
  /** The list of the pages for programs. */
  readonly programList: string;
}

/**
 * The guide, which is part of the package: read once, on the first request.
 * @throws Error if the package lacks it.
 */
export function readGuide(): Promise<GuideSource> {
  source ??= readAll().catch((error: unknown) => {
    source = null;
    throw error;
  });
  return source;
}

// --- internal ---

let source: Promise<GuideSource> | null = null;

async function readAll(): Promise<GuideSource> {
  const folder = findFolderWith('docs/es/quick-start-server.md');
  const [programList, ...languages] = await Promise.all([
    readFile(join(folder, 'llms.txt'), 'utf8'),
    ...LANGUAGES.map((language) => Promise.all(GUIDE_PAGE_NAMES.map((name) => readPage(folder, language, name)))),
  ]);
  const [es = [], en = []] = languages;
  return { pages: { es: byName(es), en: byName(en) }, programList };
}

async function readPage(folder: string, language: Language, name: string): Promise<SourcePage> {
  const text = await readFile(join(folder, 'docs', language, `${name}.md`), 'utf8');
  return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, markdown: withoutRepository(text) };
}

function byName(pages: readonly SourcePage[]): ReadonlyMap<string, SourcePage> {
  return new Map(pages.map((page) => [page.name, page]));
}

/** Names files of the repository instead of linking them, and drops the notes that name the file of a code block. */
function withoutRepository(markdown: string): string {
  return markdown.replace(/\[[^\]\n]+\]\((?:\.\.\/)+([^)\s]+)\)/g, '`$1`').replace(/^<!--.*-->\n(?=```)/gm, '');
}
