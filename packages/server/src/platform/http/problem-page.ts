import { type Language, type LocalizedText, translate } from 'sri-core';
import { escapeHtml } from '../escape-html.js';
import { LANGUAGE_NAMES, LANGUAGES } from '../language.js';

/** A problem for a browser, on a route that serves pages. */
export function problemPage(language: Language, problem: Readonly<Record<string, unknown>>): string {
  const title = escapeHtml(String(problem['title'] ?? ''));
  const errors = (problem['errors'] ?? []) as readonly { readonly message: string }[];
  const lines = [String(problem['detail'] ?? ''), ...errors.map(({ message }) => message)];
  return messagePage(language, title, lines.map((line) => `<p>${escapeHtml(line)}</p>`).join(''));
}

/**
 * A small server page. @param title and @param content HTML. @param hasLanguages whether it links to itself in the
 * other language: its address has no query.
 */
export function messagePage(language: Language, title: string, content = '', hasLanguages = false): string {
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    '<meta name="color-scheme" content="light dark">',
    `<style>${STYLE}</style></head>`,
    `<body>${pageHeader(translate(NAME, language), hasLanguages ? languageLink(language) : '')}`,
    `<main><h1>${title}</h1>${content}</main></body></html>`,
  ].join('\n');
}

/** The header of a page, with the icon and a link to the start page. @param name and @param links HTML. */
export function pageHeader(name: string, links: string): string {
  return `<header><a href="/">${ICON}${name}</a>${links}</header>`;
}

/** A link to the same page in the other language, as HTML. */
export function languageLink(language: Language): string {
  const [other = language] = LANGUAGES.filter((each) => each !== language);
  return `<a href="?lang=${other}" hreflang="${other}" lang="${other}">${LANGUAGE_NAMES[other]}</a>`;
}

// --- internal ---

const NAME: LocalizedText = { es: 'Facturación electrónica', en: 'Electronic invoicing' };
/** The icon of the console and the guide, which a small page may not load. */
const ICON =
  '<svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b5f59"/><path d="M9 6h14v21l-3.5-2.4L16 27l-3.5-2.4L9 27z" fill="#fff"/><path d="M12 11h8M12 15h8M12 19h5" stroke="#0b5f59" stroke-width="1.8" stroke-linecap="round"/></svg>';

/** The colours of the console and the guide; a small page does not load their files. */
const STYLE = [
  ':root{--ink:#17211f;--page:#f4f6f5;--card:#fff;--line:#d5ddda;--accent:#0b5f59;color-scheme:light dark}',
  '@media(prefers-color-scheme:dark){:root{--ink:#e6edea;--page:#111816;--card:#1a2320;--line:#35423e;--accent:#5cc4b8}}',
  'body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}',
  'header{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1.2rem;padding:.6rem 1.2rem;background:var(--card);border-bottom:1px solid var(--line)}',
  'header a{display:flex;align-items:center;gap:.6rem;min-height:2.2rem;color:var(--ink);font-weight:650;text-decoration:none}',
  'header a[hreflang]{color:var(--accent)}',
  'main{max-width:46rem;margin:2.2rem auto;padding:0 1.1rem}',
  'h1{font-size:1.6rem;line-height:1.25}h2{margin-top:2.2rem;font-size:1.2rem;line-height:1.3}h1,h2{overflow-wrap:anywhere}',
  'a{color:var(--accent)}li{margin:.4rem 0}dd{margin:0 0 .8rem 1.4rem}',
  'code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.88em;overflow-wrap:anywhere}',
  'pre{padding:.9rem 1.1rem;overflow-x:auto;border:1px solid var(--line);border-radius:10px;background:var(--card);white-space:pre-wrap}',
].join('');
