import type { Element, Node } from '@xmldom/xmldom';
import { XmlError } from '../errors.js';
import { isElement, isText } from './elements.js';
import { NamespaceScopes } from './namespace-scopes.js';
import { escapeAttribute, escapeText } from './writer.js';

/** The options of a canonical form. */
export interface CanonicalOptions {
  /** Leaves out this element and its descendants, as the enveloped-signature transform does. */
  readonly omit?: Element;
  /** Keeps comments. Default false, as in the canonical form of comprobantes. */
  readonly comments?: boolean;
  /** False leaves out white-space texts, which no canonical form does. Used to find why a digest differs. */
  readonly blanks?: boolean;
  /** False leaves out inherited declarations. Used to find why a digest differs. */
  readonly inherit?: boolean;
  /** Exclusive C14N 1.0: a namespace is written where a name first uses it, and `xml:` attributes are not inherited. */
  readonly exclusive?: boolean;
}

/**
 * The canonical form of an element in its place, inclusive by default: inherited namespaces and `xml:` attributes are
 * written on it, used or not. Time is linear in the size; nesting does not use the stack.
 *
 * Implemented here because xml-crypto differs from the recommendation: it sorts prefixes by locale, drops attributes named
 * `xmlns…`, stops at processing instructions, forgets inherited `xml:` attributes, and is quadratic.
 *
 * @throws XmlError when a prefix is not declared, or a namespace is not an absolute URI.
 * @see W3C Recommendations «Canonical XML 1.0», 15 March 2001, §2 and §4.8; «Exclusive XML Canonicalization 1.0», 18 July
 *   2002, §3.
 */
export function canonicalize(apex: Element, options: CanonicalOptions = {}): string {
  const out: string[] = [];
  const scopes: Scopes = { known: new NamespaceScopes(), written: options.exclusive ? new NamespaceScopes() : null };
  let node: Node | null = apex;
  for (;;) {
    let next: Node | null = null;
    if (isElement(node)) {
      if (node !== options.omit) {
        out.push(startTag(node, scopes, node === apex ? apexExtras(apex, scopes.known, options) : NOTHING));
        next = node.firstChild;
        if (!next) out.push(endTag(node, scopes));
      }
    } else out.push(leaf(node, options));
    while (!next) {
      if (node === apex) return out.join('');
      next = node.nextSibling;
      if (next) break;
      node = node.parentNode;
      if (!node || !isElement(node)) throw new XmlError('The element is not part of a document.');
      out.push(endTag(node, scopes));
    }
    node = next;
  }
}

/** Namespaces and `xml:` attributes that an element passes to its children, by prefix and by name. */
export interface InheritedContext {
  readonly namespaces: ReadonlyMap<string, string>;
  readonly xmlAttributes: ReadonlyMap<string, string>;
}

/** The inherited declarations of this element's children. */
export function inheritedContext(element: Node | null): InheritedContext {
  const namespaces = new Map<string, string>();
  const xmlAttributes = new Map<string, string>();
  const path: Element[] = [];
  for (let up = element; up && isElement(up); up = up.parentNode) path.push(up);
  for (const ancestor of path.reverse()) {
    for (const { name, value } of ancestor.attributes) {
      const prefix = declaredPrefix(name);
      if (prefix !== null && prefix !== 'xml') namespaces.set(prefix, requireAbsolute(value));
      else if (name.startsWith('xml:')) xmlAttributes.set(name, value);
    }
  }
  if (namespaces.get('') === '') namespaces.delete('');
  return { namespaces, xmlAttributes };
}

/** The declarations of a start tag in canonical order and escaping, each after a blank. */
export function writeNamespaces(namespaces: Iterable<readonly [prefix: string, uri: string]>): string {
  return [...namespaces]
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .map(([prefix, uri]) => ` xmlns${prefix && ':'}${prefix}="${escapeAttribute(uri)}"`)
    .join('');
}

/** The `xml:` attributes of a start tag in canonical order and escaping, each after a blank. */
export function writeXmlAttributes(attributes: Iterable<readonly [name: string, value: string]>): string {
  return [...attributes]
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('');
}

// --- internal ---

const PROCESSING_INSTRUCTION = 7;
const COMMENT = 8;
const NOTHING: InheritedContext = { namespaces: new Map(), xmlAttributes: new Map() };

function apexExtras(apex: Element, scopes: NamespaceScopes, options: CanonicalOptions): InheritedContext {
  const inherited = inheritedContext(apex.parentNode);
  if (options.inherit !== false && !options.exclusive) return inherited;
  for (const [prefix, uri] of inherited.namespaces) scopes.declare(prefix, uri);
  return NOTHING;
}

interface Scopes {
  /** As the document declares them. */
  readonly known: NamespaceScopes;
  /** As the exclusive form declares them; null in the inclusive form, which declares every known namespace. */
  readonly written: NamespaceScopes | null;
}

function startTag(element: Element, { known, written }: Scopes, inherited: InheritedContext): string {
  known.enter();
  written?.enter();
  if (element.attributes.length === 0 && inherited === NOTHING && !written) {
    requireDeclared(element.tagName, known);
    return `<${element.tagName}>`;
  }
  const declared = new Map(inherited.namespaces);
  const plain: Attribute[] = [];
  const xmlAttributes = new Map(inherited.xmlAttributes);
  for (const { name, value } of element.attributes) {
    const prefix = declaredPrefix(name);
    if (prefix === null) {
      xmlAttributes.delete(name);
      plain.push({ name, value });
    } else declared.set(prefix, requireAbsolute(value));
  }
  for (const [name, value] of xmlAttributes) plain.push({ name, value });
  const news = [...declared].filter(([prefix, uri]) => known.declare(prefix, uri));
  requireDeclared(element.tagName, known);
  const attributes = writeAttributes(plain, known);
  const shown = written ? usedPrefixes(element.tagName, plain).flatMap((prefix) => use(prefix, known, written)) : news;
  return `<${element.tagName}${writeNamespaces(shown)}${attributes}>`;
}

/** The prefixes of a tag and its attributes, each once; an attribute without one is in no namespace. */
function usedPrefixes(tagName: string, attributes: readonly Attribute[]): readonly string[] {
  const names = attributes.map(({ name }) => name).filter((name) => name.includes(':'));
  return [...new Set([tagName, ...names].map((name) => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '')))];
}

/** @returns the declaration, unless it is written already. */
function use(prefix: string, known: NamespaceScopes, written: NamespaceScopes): readonly (readonly [string, string])[] {
  const uri = known.get(prefix) ?? '';
  return written.declare(prefix, uri) ? [[prefix, uri]] : [];
}

function endTag(element: Element, { known, written }: Scopes): string {
  known.leave();
  written?.leave();
  return `</${element.tagName}>`;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
}

function writeAttributes(attributes: readonly Attribute[], scopes: NamespaceScopes): string {
  if (attributes.length === 0) return '';
  const resolved = attributes.map(({ name, value }) => {
    return { name, value, uri: requireDeclared(name, scopes), local: name.slice(name.indexOf(':') + 1) };
  });
  resolved.sort((a, b) => compareCodePoints(a.uri, b.uri) || compareCodePoints(a.local, b.local));
  return resolved.map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`).join('');
}

function leaf(node: Node, options: CanonicalOptions): string {
  const data = node.nodeValue ?? '';
  if (isText(node)) {
    return options.blanks === false && /^[ \t\r\n]*$/.test(data) ? '' : escapeText(data);
  }
  if (node.nodeType === COMMENT) return options.comments ? `<!--${data}-->` : '';
  if (node.nodeType === PROCESSING_INSTRUCTION) return `<?${node.nodeName}${data && ' '}${data}?>`;
  throw new XmlError('The XML holds something other than elements, text, comments and processing instructions.');
}

function requireDeclared(name: string, scopes: NamespaceScopes): string {
  const colon = name.indexOf(':');
  const uri = colon === -1 ? '' : scopes.get(name.slice(0, colon));
  if (uri === undefined) throw new XmlError('The XML is malformed: a prefix is not declared.');
  return uri;
}

/** RFC 3986, §4.3, without `&`: libxml2 (and so xmlsec1) does not escape it in a declaration, and Java does. */
const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?#[\]@!$'()*+,;=%]*$/;

/** Canonical XML 1.0 §1.3: a document with relative namespace names has no canonical form. */
function requireAbsolute(uri: string): string {
  if (uri !== '' && !ABSOLUTE_URI.test(uri)) {
    throw new XmlError('The XML has a namespace that is not a plain absolute URI, so it has no canonical form.');
  }
  return uri;
}

/** The prefix that an attribute declares, '' for the default namespace; null for any other attribute. */
function declaredPrefix(name: string): string | null {
  if (name === 'xmlns') return '';
  return name.startsWith('xmlns:') ? name.slice(6) : null;
}

/** Order of Unicode code points: JavaScript orders by code units, which differs beyond U+FFFF. */
function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  if (/[\ud800-\udfff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
