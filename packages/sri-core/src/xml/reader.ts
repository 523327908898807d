import { DOMParser, type Element, type Node } from '@xmldom/xmldom';
import { XmlError } from '../errors.js';
import { isElement, isText } from './elements.js';
import { requireWellFormed } from './well-formed.js';
import { requireXmlText } from './xml-text.js';

/** A parsed element. The SRI answers with and without prefixes, so names are local ones. */
export interface XmlElement {
  readonly name: string;
  /** Namespace of the name; empty without one. */
  readonly namespace: string;
  /** By local name, without namespace declarations and schema hints, which any element may have. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Direct text and CDATA, joined; not trimmed. */
  readonly text: string;
}

/** What untrusted XML may have at most. */
export interface XmlLimits {
  readonly maxBytes?: number;
  readonly maxDepth?: number;
  readonly maxNodes?: number;
}

/**
 * Reads untrusted XML: an answer from outside, or an uploaded file.
 *
 * @param limits bytes of UTF-8 (default 1 MiB), levels of nesting (64) and nodes (100,000).
 * @returns the root element.
 * @throws XmlError when it is malformed, has a DOCTYPE, or exceeds a limit.
 */
export function readXml(text: string, limits: XmlLimits = {}): XmlElement {
  return toElement(parseDom(text, limits.maxBytes ?? 1024 * 1024, limits));
}

/** The first child of that local name. */
export function child(element: XmlElement | null | undefined, name: string): XmlElement | null {
  return element?.children.find((candidate) => candidate.name === name) ?? null;
}

/** All children of that local name. */
export function children(element: XmlElement | null | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((candidate) => candidate.name === name) ?? [];
}

/** The trimmed text of the first child of that name; null without one. */
export function childText(element: XmlElement | null | undefined, name: string): string | null {
  return child(element, name)?.text.trim() ?? null;
}

/** Parses to a DOM with the same checks, for code that needs nodes (canonical form). */
export function parseDom(
  text: string,
  maxBytes: number,
  { maxDepth = 64, maxNodes = 100_000 }: Omit<XmlLimits, 'maxBytes'> = {},
): Element {
  requireXmlText(text);
  if (Buffer.byteLength(text) > maxBytes) throw new XmlError(`The XML is larger than ${maxBytes} bytes.`);
  requireWellFormed(text, { maxDepth, maxNodes });
  let root: Element | null = null;
  let fault: XmlError | null = null;
  try {
    const parser = new DOMParser({
      // No caller needs node positions, and computing them takes a tenth of the time.
      locator: false,
      // XML 1.0 has two line ends; the parser's default also converts U+0085 and U+2028, which changes the text.
      normalizeLineEndings: (source) => source.replace(/\r\n?/g, '\n'),
      // Input that the parser only warns about, such as an unquoted attribute, is not XML either; U+FFFD is.
      onError: (level, message) => {
        if (level === 'warning' && /replacement character/i.test(message)) return;
        fault = new XmlError(`The XML is malformed: ${firstLine(message)}`);
        throw fault;
      },
    });
    // A byte-order mark is a blank, too.
    root = parser.parseFromString(text.trimStart(), 'text/xml').documentElement;
  } catch (error) {
    // The parser wraps what `onError` throws.
    throw fault ?? new XmlError(`The XML is malformed: ${firstLine(error instanceof Error ? error.message : '')}`);
  }
  if (!root) throw new XmlError('The XML has no root element.');
  return root;
}

// --- internal ---

const XMLNS = 'http://www.w3.org/2000/xmlns/';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const SCHEMA_HINTS: ReadonlySet<string> = new Set(['schemaLocation', 'noNamespaceSchemaLocation']);

function toElement(node: Element): XmlElement {
  const attributes: Record<string, string> = {};
  for (const attribute of node.attributes) {
    const name = attribute.localName ?? attribute.name;
    const isHint = attribute.namespaceURI === XSI && SCHEMA_HINTS.has(name);
    if (attribute.namespaceURI !== XMLNS && !isHint) attributes[name] = attribute.value;
  }
  const inner: XmlElement[] = [];
  let text = '';
  for (let next: Node | null = node.firstChild; next; next = next.nextSibling) {
    if (isElement(next)) inner.push(toElement(next));
    else if (isText(next)) text += next.nodeValue ?? '';
  }
  return {
    name: node.localName ?? node.nodeName,
    namespace: node.namespaceURI ?? '',
    attributes,
    children: inner,
    text,
  };
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
