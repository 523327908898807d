import { escapeHtml } from '../escape-html.js';

/** A text as it is shown: its first heading, and the rest as HTML. */
export interface RenderedText {
  /** HTML; empty when the text begins otherwise. */
  readonly title: string;
  /** HTML. */
  readonly content: string;
}

/**
 * Turns the Markdown that agreements use into HTML: headings, paragraphs, lists of one level, rules, emphasis, code and
 * links. Everything else, HTML included, is shown as it is written, so that no text can bring anything active along.
 */
export function renderMarkdown(markdown: string): RenderedText {
  const blocks = toBlocks(markdown);
  const [first] = blocks;
  const title = first && /^# /.test(first) ? renderInline(first.slice(2)) : '';
  return { title, content: (title ? blocks.slice(1) : blocks).map(renderBlock).join('\n') };
}

// --- internal ---

const BULLET = /^[-*] +/;
const NUMBER = /^\d{1,3}[.)] +/;

/** Paragraphs, headings and lists, one text each, their lines as they were. */
function toBlocks(markdown: string): readonly string[] {
  const blocks: string[] = [];
  let open = false;
  for (const line of markdown
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((text) => text.trimEnd())) {
    const alone = /^#{1,6} |^(?:-{3,}|\*{3,})$/.test(line);
    const begins = alone || !open || startsOtherBlock(blocks.at(-1) ?? '', line);
    if (line !== '') {
      if (begins) blocks.push(line);
      else blocks.push(`${blocks.pop() ?? ''}\n${line}`);
    }
    open = line !== '' && !alone;
  }
  return blocks;
}

/** A list begins a block of its own, and its entries stay together. */
function startsOtherBlock(block: string, line: string): boolean {
  if (BULLET.test(line)) return !BULLET.test(block);
  if (NUMBER.test(line)) return !NUMBER.test(block);
  return false;
}

function renderBlock(block: string): string {
  const heading = /^(#{1,6}) +(.*)$/.exec(block);
  if (heading) return `<h${heading[1]?.length}>${renderInline(heading[2] ?? '')}</h${heading[1]?.length}>`;
  if (/^(?:-{3,}|\*{3,})$/.test(block)) return '<hr>';
  if (BULLET.test(block)) return renderList('ul', block, BULLET);
  if (NUMBER.test(block)) return renderList('ol', block, NUMBER);
  return `<p>${renderInline(block)}</p>`;
}

function renderList(tag: 'ul' | 'ol', block: string, mark: RegExp): string {
  const entries: string[] = [];
  for (const line of block.split('\n')) {
    if (mark.test(line)) entries.push(line.replace(mark, ''));
    else entries.push(`${entries.pop() ?? ''} ${line.trim()}`);
  }
  return `<${tag}>\n${entries.map((entry) => `<li>${renderInline(entry)}</li>`).join('\n')}\n</${tag}>`;
}

const INLINE =
  /\\([!-/:-@[-`{-~])|`([^`]+)`|\*\*(?=\S)((?:\\.|[^\\*])+)\*\*|\*(?=\S)((?:\\.|[^\\*])+)\*|\[((?:\\.|[^\\[\]])+)\]\(([^()\s]+)\)/g;

/** Text within a block. What is not markup is escaped. */
function renderInline(text: string): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    html += escapeHtml(text.slice(end, match.index)) + renderMark(match);
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

function renderMark([whole, literal, code, strong, emphasis, label, target]: RegExpExecArray): string {
  if (literal !== undefined) return escapeHtml(literal);
  if (code !== undefined) return `<code>${escapeHtml(code)}</code>`;
  if (strong !== undefined) return `<strong>${renderInline(strong)}</strong>`;
  if (emphasis !== undefined) return `<em>${renderInline(emphasis)}</em>`;
  const safe = label !== undefined && target !== undefined && /^(?:https?:\/\/|mailto:)/i.test(target);
  return safe ? `<a href="${escapeHtml(target)}">${renderInline(label)}</a>` : escapeHtml(whole);
}
