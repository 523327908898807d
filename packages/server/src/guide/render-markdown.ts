import { Marked, type Tokens } from 'marked';
import { type Language, translate } from 'sri-core';
import { escapeHtml } from '../platform/escape-html.js';
import { stateTable } from './state-table.js';

/** A page as HTML, with its headings. */
export interface RenderedMarkdown {
  readonly html: string;
  /** The headings below the title, in order. */
  readonly headings: readonly Heading[];
}

/** A heading with a link target. */
export interface Heading {
  readonly id: string;
  /** Plain text. */
  readonly text: string;
  readonly depth: number;
}

/** The place of a page. */
export interface PageContext {
  readonly language: Language;
  /** The prefix of the pages' addresses, such as `/guide/es/`. */
  readonly base: string;
  /** The title of the page of that name; undefined if it does not exist. */
  titleOf(name: string): string | undefined;
}

/**
 * A page of the guide as HTML. Links to other pages use their addresses, and their titles instead of file names. HTML
 * within the Markdown is escaped.
 */
export function renderMarkdown(markdown: string, { language, base, titleOf }: PageContext): RenderedMarkdown {
  const headings: Heading[] = [];
  const nameHeading = headingNames();
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => (/^<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${content}</h1>\n`;
        const heading = { id: nameHeading(plain(text)), text: plain(text), depth };
        headings.push(heading);
        const id = escapeHtml(heading.id);
        const mark = `<a class="mark" href="#${id}" tabindex="-1" aria-hidden="true">#</a>`;
        return `<h${depth} id="${id}">${content} ${mark}</h${depth}>\n`;
      },
      link({ href, text, tokens }) {
        const title = text.endsWith('.md') ? titleOf(text.slice(0, -3)) : undefined;
        const content = title === undefined ? this.parser.parseInline(tokens) : escapeHtml(title);
        const address = toAddress(href, base);
        return address === null ? content : `<a href="${escapeHtml(address)}">${content}</a>`;
      },
      codespan: ({ text }) => `<code${isOneWord(text) ? ' class="word"' : ''}>${withBreaks(text)}</code>`,
      image: ({ text }) => escapeHtml(text),
      code: (token) => codeBlock(token, language),
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const head = row(token.header, 'th');
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="scroll" tabindex="0" role="group" aria-label="${translate(TABLE, language)}"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { html, headings };
}

/**
 * Names headings as GitHub does, so that links between pages work in both places: letters, digits and hyphens of the
 * text in lower case, and a number from the second occurrence of a name.
 * @returns a function that returns the name of each heading of one page, called in order.
 */
export function headingNames(): (text: string) => string {
  const given = new Map<string, number>();
  return (text) => {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const before = given.get(name) ?? 0;
    given.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  };
}

// --- internal ---

const TABLE = { es: 'Tabla', en: 'Table' } as const;
const CODE = { es: 'Código', en: 'Code' } as const;

function codeBlock({ text, lang = '' }: Tokens.Code, language: Language): string {
  if (lang === 'mermaid') return stateTable(text, language);
  const label = `${translate(CODE, language)}${lang ? `: ${escapeHtml(lang)}` : ''}`;
  return `<pre tabindex="0" role="group" aria-label="${label}"><code>${escapeHtml(text)}</code></pre>\n`;
}

/** Whether it is short enough for one line. */
function isOneWord(code: string): boolean {
  return code.length <= 24 && !code.includes(' ');
}

/** Code with line breaks for a narrow screen: after a sign, not within a word. */
function withBreaks(code: string): string {
  return code.length <= 10
    ? escapeHtml(code)
    : code
        .split(/(?<=[_/.,:])(?=[\w"])/)
        .map(escapeHtml)
        .join('<wbr>');
}

/** The target of a link once it is served; null if it has none. */
function toAddress(href: string, base: string): string | null {
  const page = /^([\w-]+)\.md(#.*)?$/.exec(href);
  if (page) return `${base}${page[1]}${page[2] ?? ''}`;
  return /^(https?:\/\/|#|\/(?!\/))/.test(href) ? href : null;
}

/** The text of a heading without its marks. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
}
