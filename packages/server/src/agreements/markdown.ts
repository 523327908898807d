import { Marked } from 'marked';
import { escapeHtml } from '../platform/escape-html.js';

/** A rendered text: its first heading, and the rest as HTML. */
export interface RenderedText {
  /** HTML; empty when the text begins otherwise. */
  readonly title: string;
  /** HTML. */
  readonly content: string;
}

/** Renders the Markdown of an agreement. HTML, images and links of other schemes are shown as plain text. */
export function renderMarkdown(markdown: string): RenderedText {
  const [first, ...rest] = marked.lexer(markdown);
  const isTitled = first?.type === 'heading' && first['depth'] === 1;
  return {
    title: isTitled ? marked.parseInline(first['text'], { async: false }) : '',
    content: marked.parser(isTitled || !first ? rest : [first, ...rest]).trimEnd(),
  };
}

// --- internal ---

const marked = new Marked({
  gfm: false,
  renderer: {
    html: ({ raw }) => escapeHtml(raw),
    image: ({ raw }) => escapeHtml(raw),
    link({ href, raw, tokens }) {
      if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return escapeHtml(raw);
      return `<a href="${escapeHtml(href)}">${this.parser.parseInline(tokens)}</a>`;
    },
  },
});
