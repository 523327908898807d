import { XmlError } from '../errors.js';
import { child, readXml } from '../xml/reader.js';
import { readHead } from './parts/reading.js';
import { type Comprobante, DOCUMENT_TYPES, DOCUMENTS, findByRoot } from './registry.js';

/**
 * Reads a comprobante of a supported type, signed or not, of any schema version. Reading does not validate, so that any
 * comprobante can be shown.
 *
 * @throws XmlError when the text is not such XML.
 */
export function readComprobante(xml: string): Comprobante {
  const root = readXml(xml);
  const type = findByRoot(root.name);
  if (!type) {
    const roots = DOCUMENT_TYPES.map((code) => DOCUMENTS[code].root).join(', ');
    throw new XmlError(`The root element of the XML is not one of these: ${roots}.`);
  }
  const tributaria = child(root, 'infoTributaria');
  const info = child(root, type.info);
  if (!tributaria || !info) throw new XmlError(`The ${root.name} lacks its infoTributaria or its own heading.`);
  const head = { documentType: type.code, ...readHead(root, tributaria, info) };
  return DOCUMENTS[type.code].read(root, head);
}
