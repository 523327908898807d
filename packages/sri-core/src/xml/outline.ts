import { XmlError } from '../errors.js';

/** The position of a document's root in its text, for code that inserts into a file without rewriting it. */
export interface XmlOutline {
  /** As declared, `UTF-8`; null without a declaration. */
  readonly encoding: string | null;
  readonly rootName: string;
  /** Just after the `>` of the root's start tag. */
  readonly rootTagEnd: number;
  /** First character of the root's end tag; null for a self-closing tag. */
  readonly rootEndTag: number | null;
  /** Attributes in the whole document, including namespace declarations. */
  readonly attributeCount: number;
}

/**
 * Walks the tags of a document in linear time and checks them against the grammar of XML 1.0 with namespaces. It is stricter
 * than the DOM parser. It bounds the inputs that take that parser quadratic time: attributes of one element, prefixes in
 * scope, markup next to the root.
 *
 * @param text a whole file; it may start with a byte-order mark. `requireWellFormed` checks characters and references.
 * @throws XmlError when it is malformed, has a DOCTYPE, is not XML 1.0, or exceeds a limit.
 */
export function outlineXml(text: string): XmlOutline {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const declaration = match(DECLARATION, text, start);
  const walk: Walk = {
    text,
    open: [],
    prefixes: new Set(),
    beside: 0,
    attributeCount: 0,
    rootName: null,
    rootTagEnd: 0,
    rootEndTag: null,
  };
  let position = start + (declaration?.[0].length ?? 0);
  while (position < text.length) {
    const next = text.indexOf('<', position);
    const end = next === -1 ? text.length : next;
    if (walk.open.length === 0 && /[^ \t\r\n]/.test(text.slice(position, end))) throw malformed('text beside the root');
    position = next === -1 ? end : markup(walk, next);
  }
  if (walk.open.length > 0) throw malformed('an element has no end tag');
  if (walk.rootName === null) throw malformed('there is no root element');
  const { rootName, rootTagEnd, rootEndTag, attributeCount } = walk;
  return { encoding: declaration?.[2] ?? null, rootName, rootTagEnd, rootEndTag, attributeCount };
}

// --- internal ---

const MAX_ATTRIBUTES = 256;
const MAX_PREFIXES = 64;
const MAX_BESIDE_ROOT = 64;

const NAME_START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D' +
  '\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NC_NAME = `[${NAME_START}][${NAME_START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*`;
const Q_NAME = `${NC_NAME}(?::${NC_NAME})?`;
const START_NAME = new RegExp(`<(${Q_NAME})`, 'uy');
const ATTRIBUTE = new RegExp(`[ \\t\\r\\n]+(${Q_NAME})[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'uy');
const START_CLOSE = /[ \t\r\n]*(\/?)>/y;
const END_TAG = new RegExp(`</(${Q_NAME})[ \\t\\r\\n]*>`, 'uy');
const PI_TARGET = new RegExp(`<\\?(${NC_NAME})(?=[ \\t\\r\\n]|\\?>)`, 'uy');
const DECLARATION =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])([A-Za-z][A-Za-z0-9._-]*)\1)?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y;
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

interface Walk {
  readonly text: string;
  readonly open: string[];
  readonly prefixes: Set<string>;
  beside: number;
  attributeCount: number;
  rootName: string | null;
  rootTagEnd: number;
  rootEndTag: number | null;
}

/** @returns the position after the markup at `position`. */
function markup(walk: Walk, position: number): number {
  const { text } = walk;
  switch (text[position + 1]) {
    case '/':
      return endTag(walk, position);
    case '?':
      return processingInstruction(walk, position);
    case '!':
      if (text.startsWith('<!--', position)) return comment(walk, position);
      if (text.startsWith('<![CDATA[', position)) return cdata(walk, position);
      throw new XmlError('XML with a DOCTYPE or an entity declaration is refused.');
    default:
      return startTag(walk, position);
  }
}

function startTag(walk: Walk, position: number): number {
  const { text, open } = walk;
  const name = match(START_NAME, text, position);
  if (!name?.[1]) throw malformed('a tag has no proper name');
  let end = position + name[0].length;
  let count = 0;
  for (let attribute = match(ATTRIBUTE, text, end); attribute; attribute = match(ATTRIBUTE, text, end)) {
    end += attribute[0].length;
    count += 1;
    walk.attributeCount += 1;
    if (count > MAX_ATTRIBUTES) throw new XmlError(`An element has more than ${MAX_ATTRIBUTES} attributes.`);
    checkDeclaration(walk, attribute[1] ?? '', attribute[2] ?? attribute[3] ?? '');
  }
  const close = match(START_CLOSE, text, end);
  if (!close) throw malformed('a start tag is not well formed');
  end += close[0].length;
  const selfClosing = close[1] === '/';
  if (open.length === 0) {
    if (walk.rootName !== null) throw malformed('there are two root elements');
    walk.rootName = name[1];
    walk.rootTagEnd = end;
  }
  if (!selfClosing) open.push(name[1]);
  return end;
}

/** Rules of Namespaces in XML 1.0, §3, that the DOM parser does not check. */
function checkDeclaration(walk: Walk, name: string, value: string): void {
  if (name !== 'xmlns' && !name.startsWith('xmlns:')) return;
  const prefix = name.slice(6);
  walk.prefixes.add(prefix);
  if (walk.prefixes.size > MAX_PREFIXES) throw new XmlError(`The XML declares more than ${MAX_PREFIXES} prefixes.`);
  const reserved = prefix === 'xmlns' || value === XMLNS_NAMESPACE || (prefix === 'xml') !== (value === XML_NAMESPACE);
  if (reserved || (prefix !== '' && value === '')) throw malformed('a namespace declaration is not allowed');
}

function endTag(walk: Walk, position: number): number {
  const tag = match(END_TAG, walk.text, position);
  if (!tag || walk.open.pop() !== tag[1]) throw malformed('an end tag does not match its start tag');
  // The root's is the last one.
  walk.rootEndTag = position;
  return position + tag[0].length;
}

function comment(walk: Walk, position: number): number {
  countBeside(walk);
  const dashes = walk.text.indexOf('--', position + 4);
  if (dashes === -1 || walk.text[dashes + 2] !== '>') throw malformed('a comment holds "--" or has no end');
  return dashes + 3;
}

function cdata(walk: Walk, position: number): number {
  const end = walk.text.indexOf(']]>', position + 9);
  if (walk.open.length === 0 || end === -1) throw malformed('a CDATA section stands beside the root or has no end');
  return end + 3;
}

function processingInstruction(walk: Walk, position: number): number {
  countBeside(walk);
  const target = match(PI_TARGET, walk.text, position);
  const end = target ? walk.text.indexOf('?>', position + target[0].length) : -1;
  if (end === -1) throw malformed('a processing instruction has no proper name or no end');
  if (target?.[1]?.toLowerCase() === 'xml') {
    throw malformed('the XML declaration is not the first thing, is not of version 1.0, or is not well formed');
  }
  return end + 2;
}

function countBeside(walk: Walk): void {
  if (walk.open.length > 0) return;
  walk.beside += 1;
  if (walk.beside > MAX_BESIDE_ROOT) throw new XmlError('There are too many comments beside the root element.');
}

function match(sticky: RegExp, text: string, position: number): RegExpExecArray | null {
  sticky.lastIndex = position;
  return sticky.exec(text);
}

function malformed(what: string): XmlError {
  return new XmlError(`The XML is malformed: ${what}.`);
}
