import type { Element } from '@xmldom/xmldom';
import { XmlError } from '../errors.js';
import { elementsOf } from './elements.js';
import { outlineXml, type XmlOutline } from './outline.js';
import { parseDom } from './reader.js';

/**
 * Parses an untrusted document, for code that signs or verifies it. A document that two XML readers may read differently is
 * rejected.
 *
 * @param text a whole file; it may start with a byte-order mark.
 * @throws XmlError when it is malformed, has a DOCTYPE, or exceeds a limit.
 */
export function readDocument(text: string, maxBytes: number): { readonly root: Element; readonly outline: XmlOutline } {
  if (text.length > maxBytes) throw new XmlError(`The XML is larger than ${maxBytes} bytes.`);
  const outline = outlineXml(text);
  const root = parseDom(text, maxBytes);
  // Of two attributes with equal namespace and name, the parser silently keeps the last.
  let attributes = 0;
  for (const element of elementsOf(root)) attributes += element.attributes.length;
  if (attributes !== outline.attributeCount) {
    throw new XmlError('The XML is malformed: an element has the same attribute twice.');
  }
  return { root, outline };
}
