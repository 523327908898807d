import type { Element } from '@xmldom/xmldom';
import { XmlError } from '../errors.js';
import { elementsOf } from './elements.js';
import { outlineXml, type XmlOutline } from './outline.js';
import { parseDom } from './reader.js';

/**
 * Parses a document that may be hostile, for code that signs or verifies it: what one XML reader refuses or sees otherwise
 * than another is refused.
 *
 * @param text a whole file; a byte-order mark may come first.
 * @throws XmlError when it is malformed, has a DOCTYPE, or goes past a limit.
 */
export function readDocument(text: string, maxBytes: number): { readonly root: Element; readonly outline: XmlOutline } {
  if (text.length > maxBytes) throw new XmlError(`The XML is larger than ${maxBytes} bytes.`);
  const outline = outlineXml(text);
  const root = parseDom(text, maxBytes);
  // Of two attributes that are one by namespace and name, the parser silently keeps the last.
  let attributes = 0;
  for (const element of elementsOf(root)) attributes += element.attributes.length;
  if (attributes !== outline.attributeCount) {
    throw new XmlError('The XML is malformed: an element has the same attribute twice.');
  }
  return { root, outline };
}
