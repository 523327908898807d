import type { Element, Node } from '@xmldom/xmldom';

/** The element and its descendants, in document order; nesting does not use the stack. */
export function* elementsOf(root: Element): Generator<Element> {
  let node: Node | null = root;
  while (node) {
    if (isElement(node)) yield node;
    let next: Node | null = node.firstChild;
    while (!next && node && node !== root) {
      next = node.nextSibling;
      node = node.parentNode;
    }
    node = next;
  }
}

/** Every element of that expanded name, the given one included, in document order. */
export function findElements(root: Element, namespace: string, localName: string): readonly Element[] {
  const found: Element[] = [];
  for (const element of elementsOf(root)) if (isNamed(element, namespace, localName)) found.push(element);
  return found;
}

/** The child elements, in document order. */
export function childElements(element: Element): readonly Element[] {
  const found: Element[] = [];
  for (let node = element.firstChild; node; node = node.nextSibling) if (isElement(node)) found.push(node);
  return found;
}

/** The child elements of that expanded name. */
export function childrenNamed(
  element: Element | null | undefined,
  namespace: string,
  localName: string,
): readonly Element[] {
  return element ? childElements(element).filter((candidate) => isNamed(candidate, namespace, localName)) : [];
}

/** The first element at the end of a path of local names, all in one namespace. */
export function elementAt(element: Element | null, namespace: string, ...path: readonly string[]): Element | null {
  let found = element;
  for (const name of path) found = childrenNamed(found, namespace, name)[0] ?? null;
  return found;
}

/** Whether that is the element's expanded name. */
export function isNamed(element: Element, namespace: string, localName: string): boolean {
  return element.localName === localName && element.namespaceURI === namespace;
}

/** Whether the node is an element. */
export function isElement(node: Node): node is Element {
  return node.nodeType === ELEMENT;
}

/** Whether the node is text, in a CDATA section or not. */
export function isText(node: Node): boolean {
  return node.nodeType === TEXT || node.nodeType === CDATA;
}

/**
 * The text of an element with a single run of text, not trimmed. Null when a comment, a CDATA section or an element splits
 * it: readers then disagree about the text.
 */
export function plainText(element: Element): string | null {
  const only = element.firstChild;
  if (!only) return '';
  return only.nodeType === TEXT && !only.nextSibling ? (only.nodeValue ?? '') : null;
}

/** Whether only white space, comments and processing instructions separate the child elements. */
export function hasNoText(element: Element): boolean {
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (isText(node) && /[^ \t\r\n]/.test(node.nodeValue ?? '')) return false;
  }
  return true;
}

// --- internal ---

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;
