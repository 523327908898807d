import { XmlError } from '../../errors.js';
import type { SriMessage } from '../../storage.js';
import { child, childText, readXml, type XmlElement } from '../../xml/reader.js';
import { sriMessage } from './wire.js';

/** A comprobante as it was handed in, read but not yet judged. */
export interface Submission {
  /** As it came; the SRI gives it back like this. */
  readonly xml: string;
  /** The root without its signature. */
  readonly root: XmlElement;
  /** `01` or `04` by the root's name; empty for any other. */
  readonly documentType: '01' | '04' | '';
  /** claveAcceso as written; empty when there is none. */
  readonly accessKey: string;
  readonly infoTributaria: XmlElement | null;
  /** infoFactura or infoNotaCredito. */
  readonly info: XmlElement | null;
}

/** Bytes of a single comprobante. Ficha técnica off-line v2.34, §9. */
export const MAX_COMPROBANTE_BYTES = 320 * 1024;

/** Reads the bytes of a comprobante, or says with which message reception sends them back. */
export function readSubmission(bytes: Uint8Array): Submission | SriMessage {
  if (bytes.byteLength > MAX_COMPROBANTE_BYTES) return sriMessage('26');
  if (bytes[0] === 0xef && bytes[1] === 0xbb) return notXml('El archivo inicia con una marca BOM.');
  let xml: string;
  let whole: XmlElement;
  try {
    xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    whole = readXml(xml);
  } catch (error) {
    return notXml(error instanceof XmlError ? error.message : 'El archivo no está codificado en UTF-8.');
  }
  const root = { ...whole, children: whole.children.filter((element, index) => !isSignature(element, index, whole)) };
  const infoTributaria = child(root, 'infoTributaria');
  return {
    xml,
    root,
    documentType: root.name === 'factura' ? '01' : root.name === 'notaCredito' ? '04' : '',
    accessKey: childText(infoTributaria, 'claveAcceso') ?? '',
    infoTributaria,
    info: child(root, 'infoFactura') ?? child(root, 'infoNotaCredito'),
  };
}

// --- internal ---

function notXml(detail: string): SriMessage {
  const message = sriMessage('35', `Se encontró el siguiente error en la estructura del comprobante: ${detail}`);
  return { ...message, message: 'ARCHIVO NO CUMPLE ESTRUCTURA XML' };
}

/** The signature is the last child; anywhere else it is an element out of place. */
function isSignature(element: XmlElement, index: number, parent: XmlElement): boolean {
  return (
    index === parent.children.length - 1 &&
    element.name === 'Signature' &&
    element.namespace === 'http://www.w3.org/2000/09/xmldsig#'
  );
}
