import { XmlNotSignableError } from '../errors.js';
import { canonicalize, inheritedContext, writeNamespaces, writeXmlAttributes } from '../xml/c14n.js';
import { readDocument } from '../xml/document.js';
import { findElements } from '../xml/elements.js';
import type { XmlOutline } from '../xml/outline.js';
import { documentIds } from './document-ids.js';
import { SIGNATURE_NAMESPACES, type UnsignedDocument } from './prepare-signature.js';
import { DS } from './xmldsig.js';

/** The size limit of a parsed comprobante, signed or not. The SRI accepts 320 KB (Ficha técnica off-line v2.34). */
export const MAX_FOREIGN_XML_BYTES = 512 * 1024;

/**
 * Reads a comprobante of other software and splits it at the place of its signature. The text stays unchanged, except that a
 * byte-order mark is dropped: the SRI rejects it.
 *
 * @throws XmlError when it is not well-formed XML, has a DOCTYPE or has no canonical form; XmlNotSignableError.
 */
export function readForeignXml(xml: string): UnsignedDocument {
  const text = xml.replace(/^\uFEFF/, '');
  const { root, outline } = readDocument(text, MAX_FOREIGN_XML_BYTES);
  requireUtf8(outline);
  const ids = documentIds(root);
  if (findElements(root, DS, 'Signature').length > 0) {
    throw new XmlNotSignableError('alreadySigned', 'The document already carries a signature.');
  }
  if (root.getAttribute('id') !== 'comprobante') {
    throw new XmlNotSignableError('comprobanteIdMissing', 'The root element needs the attribute id="comprobante".');
  }
  const [twice] = ids.duplicates;
  if (twice !== undefined) {
    throw new XmlNotSignableError('duplicateId', 'Two elements have the same id, so a signature over it is ambiguous.');
  }
  const inherited = inheritedContext(root);
  return {
    ...cut(text, outline),
    canonicalRoot: canonicalize(root),
    namespaces: writeNamespaces(new Map([...inherited.namespaces, ...SIGNATURE_NAMESPACES])),
    xmlAttributes: writeXmlAttributes(inherited.xmlAttributes),
    takenIds: ids.all,
  };
}

// --- internal ---

function requireUtf8({ encoding }: XmlOutline): void {
  if (encoding !== null && !/^utf-?8$/i.test(encoding)) {
    throw new XmlNotSignableError('encodingNotUtf8', 'The file declares an encoding other than UTF-8.');
  }
}

function cut(text: string, outline: XmlOutline): { before: string; after: string } {
  const { rootEndTag, rootTagEnd, rootName } = outline;
  if (rootEndTag !== null) return { before: text.slice(0, rootEndTag), after: text.slice(rootEndTag) };
  // <factura/> has no room for a signature: it becomes <factura></factura>, which is equivalent.
  return { before: `${text.slice(0, rootTagEnd - 2)}>`, after: `</${rootName}>${text.slice(rootTagEnd)}` };
}
