import { XmlError } from '../errors.js';
import { child } from '../xml/reader.js';
import { openComprobante } from './open-comprobante.js';
import { readHead } from './parts/reading.js';
import { type Comprobante, DOCUMENTS, findByRoot } from './registry.js';

/**
 * Reads a comprobante of a supported type, signed or not, of any schema version. It may stand alone, in the SRI's
 * `<autorizacion>`, or in a whole SOAP answer. Reading does not validate, so that any comprobante can be shown.
 *
 * @throws XmlError when the text is not such XML; TypeError when it is no text.
 */
export function readComprobante(xml: string): Comprobante {
  const { root } = openComprobante(xml);
  const type = findByRoot(root.name);
  const tributaria = child(root, 'infoTributaria');
  const info = type && child(root, type.info);
  if (!tributaria || !info) throw new XmlError(`The ${root.name} lacks its infoTributaria or its own heading.`);
  const head = { documentType: type.code, ...readHead(root, tributaria, info) };
  return DOCUMENTS[type.code].read(root, head);
}
