import { escapeHtml } from '../escape-html.js';
import type { Language } from '../language.js';

/** A problem for a person's browser, where a page was asked for. */
export function problemPage(language: Language, problem: Readonly<Record<string, unknown>>): string {
  const title = escapeHtml(String(problem['title'] ?? ''));
  const detail = escapeHtml(String(problem['detail'] ?? ''));
  return messagePage(language, title, `<p>${detail}</p>`);
}

/** A small page of our own. @param title and @param content HTML. */
export function messagePage(language: Language, title: string, content = ''): string {
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    '<style>body{font-family:sans-serif;max-width:32em;margin:4em auto;padding:0 1em;color:#222}</style></head>',
    `<body><main><h1>${title}</h1>${content}</main></body></html>`,
  ].join('\n');
}
