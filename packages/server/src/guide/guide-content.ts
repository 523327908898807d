import { type KeptContent, toKeptContent } from '../platform/http/kept-content.js';
import type { Language } from '../platform/language.js';
import { indexContent, indexMarkdown, indexTitle } from './guide-index.js';
import { type GuideView, guideAddress, guideLayout } from './guide-layout.js';
import { type GuideSource, readGuide } from './guide-source.js';

/** What the pages lead to beside each other. */
export type OtherLinks = (language: Language) => GuideView['links'];

/** Which page of the guide, and how. */
export interface GuideRequest {
  readonly language: Language;
  /** Null for the list of the pages. */
  readonly name: string | null;
  /** As it was written instead of as a page for people. */
  readonly asMarkdown: boolean;
}

/** A page of the guide; null for a name that is none. */
export async function guideContent(request: GuideRequest, links: OtherLinks): Promise<KeptContent | null> {
  const { language, name, asMarkdown } = request;
  const { pages } = await readGuide();
  if (name === null) {
    return asMarkdown ? markdown(indexMarkdown(language, pages[language])) : index(language, pages, links);
  }
  const page = pages[language].get(name);
  if (!page) return null;
  if (asMarkdown) return markdown(page.markdown);
  // Loaded when somebody reads: a server that nobody reads on need not know Markdown.
  const { renderMarkdown } = await import('./render-markdown.js');
  const { html, headings } = renderMarkdown(page.markdown, {
    language,
    base: `${guideAddress(language, null)}/`,
    titleOf: (other) => pages[language].get(other)?.title,
  });
  const view = { language, name, title: page.title, content: html, headings, pages, links: links(language) };
  return toKeptContent(HTML, guideLayout(view));
}

// --- internal ---

const HTML = 'text/html; charset=utf-8';

function markdown(text: string): KeptContent {
  return toKeptContent('text/markdown; charset=utf-8', text);
}

function index(language: Language, pages: GuideSource['pages'], links: OtherLinks): KeptContent {
  const own = links(language);
  const content = indexContent(language, pages[language], own);
  const title = indexTitle(language);
  return toKeptContent(HTML, guideLayout({ language, name: null, title, content, headings: [], pages, links: own }));
}
