import type { Language } from 'sri-core';
import { PAGE_TYPE, type StaticContent, toStaticContent } from '../platform/http/static-content.js';
import { indexContent, indexMarkdown, indexTitle } from './guide-index.js';
import { type GuideView, guideAddress, guideLayout } from './guide-layout.js';
import { type GuideSource, readGuide } from './guide-source.js';

/** Links between the pages and to other pages. */
export type OtherLinks = (language: Language) => GuideView['links'];

/** The requested page of the guide, and its form. */
export interface GuideRequest {
  readonly language: Language;
  /** Null for the list of the pages. */
  readonly name: string | null;
  /** The Markdown source instead of HTML. */
  readonly asMarkdown: boolean;
}

/** A page of the guide; null for an unknown name. */
export async function guideContent(request: GuideRequest, links: OtherLinks): Promise<StaticContent | null> {
  const { language, name, asMarkdown } = request;
  const { pages } = await readGuide();
  if (name === null) {
    return asMarkdown ? markdown(indexMarkdown(language, pages[language])) : index(language, pages, links);
  }
  const page = pages[language].get(name);
  if (!page) return null;
  if (asMarkdown) return markdown(page.markdown);
  // Loaded on the first request: a server without readers need not load Markdown.
  const { renderMarkdown } = await import('./render-markdown.js');
  const { html, headings } = renderMarkdown(page.markdown, {
    language,
    base: `${guideAddress(language, null)}/`,
    titleOf: (other) => pages[language].get(other)?.title,
  });
  const view = { language, name, title: page.title, content: html, headings, pages, links: links(language) };
  return toStaticContent(PAGE_TYPE, guideLayout(view));
}

// --- internal ---

function markdown(text: string): StaticContent {
  return toStaticContent('text/markdown; charset=utf-8', text);
}

function index(language: Language, pages: GuideSource['pages'], links: OtherLinks): StaticContent {
  const own = links(language);
  const content = indexContent(language, pages[language], own);
  const title = indexTitle(language);
  return toStaticContent(
    PAGE_TYPE,
    guideLayout({ language, name: null, title, content, headings: [], pages, links: own }),
  );
}
