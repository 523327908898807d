import { XmlError } from '../errors.js';

/**
 * Scans the text once before a DOM is built. It rejects input that a lenient parser accepts or that costs it too much.
 * That input is document types, entities other than the five of XML, bare `&`, forbidden characters, deep nesting, and too
 * many nodes. Measured: a megabyte of empty tags takes the DOM parser two seconds.
 *
 * @param limits.maxNodes elements, attributes, comments, CDATA sections and instructions together. Each `=` within a tag
 * counts as an attribute.
 * @throws XmlError naming the first fault. The parser checks tag balance and names.
 */
export function requireWellFormed(
  text: string,
  { maxDepth, maxNodes }: { readonly maxDepth: number; readonly maxNodes: number },
): void {
  if (isForbidden(text)) throw new XmlError('The XML holds a character that XML forbids.');
  let depth = 0;
  let nodes = 0;
  let position = nextMarkup(text, 0);
  while (position < text.length) {
    if (text[position] === '<' && text[position + 1] !== '/') nodes += 1;
    if (text.startsWith('<!--', position)) position = after(text, '-->', position + 4);
    else if (text.startsWith('<![CDATA[', position)) position = after(text, ']]>', position + 9);
    else if (text.startsWith('<?', position)) position = after(text, '?>', position + 2);
    else if (text.startsWith('<!', position)) {
      throw new XmlError('XML with a DOCTYPE or an entity declaration is refused.');
    } else if (text.startsWith('</', position)) {
      depth -= 1;
      position = after(text, '>', position + 2);
    } else if (text[position] === '<') {
      const tag = at(START_TAG, text, position);
      if (!tag) throw new XmlError('The XML is malformed: a tag has no end.');
      for (const ampersand of tag.matchAll(/&/g)) requireReference(tag, ampersand.index);
      nodes += tag.split('=').length - 1;
      depth += 1;
      if (depth > maxDepth) throw new XmlError('The XML is nested too deeply.');
      if (tag.endsWith('/>')) depth -= 1;
      position += tag.length;
    } else if (text[position] === '&') position = requireReference(text, position);
    else throw new XmlError('The XML is malformed: "]]>" stands in a text.');
    if (nodes > maxNodes) throw new XmlError(`The XML has more than ${maxNodes} nodes.`);
    position = nextMarkup(text, position);
  }
}

/** Whether a text has characters that XML cannot carry. */
export function isForbidden(text: string): boolean {
  return FORBIDDEN.test(text) || !text.isWellFormed();
}

// --- internal ---

const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const MARKUP = /[<&]|\]\]>/g;
// Each alternative starts with a different character, so that backtracking is limited to one pass over the tag.
const START_TAG = /<[^\s<>/!?&="'](?:"[^"<]*"|'[^'<]*'|[^"'<>])*>/y;
const REFERENCE = /&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});/y;

function nextMarkup(text: string, from: number): number {
  MARKUP.lastIndex = from;
  return MARKUP.exec(text)?.index ?? text.length;
}

function at(sticky: RegExp, text: string, position: number): string | null {
  sticky.lastIndex = position;
  return sticky.exec(text)?.[0] ?? null;
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  if (found === -1) throw new XmlError('The XML is malformed: it ends inside a markup.');
  return found + end.length;
}

/** @returns the position after the reference. */
function requireReference(text: string, position: number): number {
  const reference = at(REFERENCE, text, position);
  if (!reference)
    throw new XmlError('The XML is malformed: a bare "&", or an entity that is not one of the five of XML.');
  if (reference[1] === '#') {
    const code = reference[2] === 'x' ? Number.parseInt(reference.slice(3), 16) : Number(reference.slice(2, -1));
    if (code > 0x10ffff || isForbidden(String.fromCodePoint(code))) {
      throw new XmlError('The XML refers to a character that XML forbids.');
    }
  }
  return position + reference.length;
}
