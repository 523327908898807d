import { type Language, type LocalizedText, translate } from 'sri-core';
import { escapeHtml } from '../platform/escape-html.js';
import type { ServerLink } from '../platform/http/server-links.js';
import { LANGUAGE_NAMES, LANGUAGES } from '../platform/language.js';
import { GUIDE_GROUPS } from './guide-pages.js';
import type { GuideSource } from './guide-source.js';
import type { Heading } from './render-markdown.js';

/** The content of a page's layout. */
export interface GuideView {
  readonly language: Language;
  /** Null for the list of the pages. */
  readonly name: string | null;
  readonly title: string;
  /** HTML. */
  readonly content: string;
  readonly headings: readonly Heading[];
  readonly pages: GuideSource['pages'];
  /** Other pages of the server. */
  readonly links: readonly ServerLink[];
}

/** The address of a page; with null, of the list of the pages. */
export function guideAddress(language: Language, name: string | null): string {
  return name === null ? `/guide/${language}` : `/guide/${language}/${name}`;
}

/** A whole page of the guide: its content, and links to all others. */
export function guideLayout(view: GuideView): string {
  const { language, name, title, content } = view;
  const guide = label('guide', language);
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${name === null ? guide : `${escapeHtml(title)} · ${guide}`}</title>`,
    '<link rel="icon" href="/guide/assets/icon.svg" type="image/svg+xml">',
    '<link rel="stylesheet" href="/guide/assets/guide.css">',
    ...LANGUAGES.map((other) => `<link rel="alternate" hreflang="${other}" href="${guideAddress(other, name)}">`),
    `<link rel="alternate" type="text/markdown" href="${guideAddress(language, name)}.md">`,
    '<script type="module" src="/guide/assets/guide.js"></script></head><body>',
    banner(view),
    `<div class="frame${view.headings.length > 1 ? '' : ' short'}">`,
    menu(view),
    contents(view),
    `<main id="content" tabindex="-1"><article>${content}</article>`,
    turn(view),
    `<footer><a href="${guideAddress(language, name)}.md">${label('markdown', language)}</a></footer>`,
    '</main></div></body></html>',
  ].join('\n');
}

// --- internal ---

const LABELS = {
  guide: { es: 'Guía', en: 'Guide' },
  skip: { es: 'Saltar al contenido', en: 'Skip to content' },
  server: { es: 'Este servidor', en: 'This server' },
  pages: { es: 'Páginas', en: 'Pages' },
  contents: { es: 'En esta página', en: 'On this page' },
  turn: { es: 'Página anterior y siguiente', en: 'Previous and next page' },
  previous: { es: 'Anterior', en: 'Previous' },
  next: { es: 'Siguiente', en: 'Next' },
  markdown: { es: 'Esta página en Markdown', en: 'This page as Markdown' },
} as const satisfies Readonly<Record<string, LocalizedText>>;

function label(name: keyof typeof LABELS, language: Language): string {
  return translate(LABELS[name], language);
}

function banner({ language, name, links }: GuideView): string {
  // The reference links to the errors.
  const others = links
    .filter(({ address }) => address !== '/docs/errors')
    .map(({ address, text }) => `<a href="${address}">${escapeHtml(text)}</a>`);
  const languages = LANGUAGES.filter((other) => other !== language).map(
    (other) =>
      `<a href="${guideAddress(other, name)}" hreflang="${other}" lang="${other}">${LANGUAGE_NAMES[other]}</a>`,
  );
  return [
    `<header class="banner"><a class="skip" href="#content">${label('skip', language)}</a>`,
    `<a class="brand" href="${guideAddress(language, null)}"><img src="/guide/assets/icon.svg" alt="" width="28" height="28">${label('guide', language)}</a>`,
    `<nav aria-label="${label('server', language)}">${[...others, ...languages].join('')}</nav></header>`,
  ].join('');
}

/** All pages by group. A narrow screen folds the list. */
function menu({ language, name, pages }: GuideView): string {
  const groups = GUIDE_GROUPS.map(({ title, pages: entries }) => {
    const items = entries.map((entry) => {
      const current = entry.name === name ? ' aria-current="page"' : '';
      const text = escapeHtml(pages[language].get(entry.name)?.title ?? entry.name);
      return `<li><a href="${guideAddress(language, entry.name)}"${current}>${text}</a></li>`;
    });
    return `<p>${translate(title, language)}</p><ul>${items.join('')}</ul>`;
  });
  return [
    `<details class="menu"><summary>${label('pages', language)}</summary>`,
    `<nav aria-label="${label('pages', language)}">${groups.join('')}</nav></details>`,
  ].join('');
}

function contents({ language, headings }: GuideView): string {
  if (headings.length < 2) return '';
  const items = headings
    .filter(({ depth }) => depth <= 3)
    .map(({ id, text, depth }) => {
      const within = depth === 3 ? ' class="within"' : '';
      return `<li${within}><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`;
    });
  return [
    `<details class="contents"><summary>${label('contents', language)}</summary>`,
    `<nav aria-label="${label('contents', language)}"><p>${label('contents', language)}</p><ul>${items.join('')}</ul></nav></details>`,
  ].join('');
}

function turn({ language, name, pages }: GuideView): string {
  const names = [...pages[language].keys()];
  const place = name === null ? -1 : names.indexOf(name);
  const previous = place > 0 ? names[place - 1] : undefined;
  const next = name === null ? undefined : names[place + 1];
  const link = (to: string | undefined, way: 'previous' | 'next') => {
    if (to === undefined) return '';
    const title = escapeHtml(pages[language].get(to)?.title ?? to);
    return `<a class="${way}" rel="${way === 'next' ? 'next' : 'prev'}" href="${guideAddress(language, to)}"><span>${label(way, language)}</span> ${title}</a>`;
  };
  if (previous === undefined && next === undefined) return '';
  return `<nav class="turn" aria-label="${label('turn', language)}">${link(previous, 'previous')}${link(next, 'next')}</nav>`;
}
