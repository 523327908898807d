import { escapeHtml } from '../escape-html.js';
import type { Language } from '../language.js';

/** A problem for a browser, on a route that serves pages. */
export function problemPage(language: Language, problem: Readonly<Record<string, unknown>>): string {
  const title = escapeHtml(String(problem['title'] ?? ''));
  const detail = escapeHtml(String(problem['detail'] ?? ''));
  return messagePage(language, title, `<p>${detail}</p>`);
}

/** A small page of ours. @param title and @param content HTML. */
export function messagePage(language: Language, title: string, content = ''): string {
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    '<meta name="color-scheme" content="light dark">',
    `<style>${STYLE}</style></head>`,
    `<body><main><h1>${title}</h1>${content}</main></body></html>`,
  ].join('\n');
}

// --- internal ---

/** The colours of the console and the guide; a small page does not load their files. */
const STYLE = [
  ':root{--ink:#17211f;--page:#f4f6f5;--card:#fff;--line:#d5ddda;--accent:#0b5f59;color-scheme:light dark}',
  '@media(prefers-color-scheme:dark){:root{--ink:#e6edea;--page:#111816;--card:#1a2320;--line:#35423e;--accent:#5cc4b8}}',
  'body{max-width:46rem;margin:3rem auto;padding:0 1.1rem;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}',
  'h1{font-size:1.6rem;line-height:1.25}h2{margin-top:2.2rem;font-size:1.2rem;line-height:1.3}h1,h2{overflow-wrap:anywhere}',
  'a{color:var(--accent)}li{margin:.4rem 0}dd{margin:0 0 .8rem 1.4rem}',
  'code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.88em;overflow-wrap:anywhere}',
  'pre{padding:.9rem 1.1rem;overflow-x:auto;border:1px solid var(--line);border-radius:10px;background:var(--card);white-space:pre-wrap}',
].join('');
