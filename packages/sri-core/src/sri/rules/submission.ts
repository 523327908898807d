import { decodeStrictly } from '../../decode-text.js';
import type { DocumentType } from '../../documents/document-type.js';
import { findByRoot } from '../../documents/registry.js';
import { XmlError } from '../../errors.js';
import type { SriMessage } from '../../storage.js';
import { child, childText, readXml, type XmlElement } from '../../xml/reader.js';
import { sriMessage } from './sri-message.js';

/** A submitted comprobante, parsed but not yet checked. */
export interface Submission {
  /** As submitted; the SRI returns it unchanged. */
  readonly xml: string;
  /** The root without its signature. */
  readonly root: XmlElement;
  /** The type of the root's name; null for an unknown root. */
  readonly type: DocumentType | null;
  /** claveAcceso as written; empty without one. */
  readonly accessKey: string;
  readonly infoTributaria: XmlElement | null;
  /** The element with the heading of the type. */
  readonly info: XmlElement | null;
}

/** Parses the bytes of a comprobante, or returns reception's rejection message. */
export function readSubmission(bytes: Uint8Array): Submission | SriMessage {
  if (bytes.byteLength > MAX_COMPROBANTE_BYTES) return sriMessage('26');
  if (bytes[0] === 0xef && bytes[1] === 0xbb) return notXml('El archivo inicia con una marca BOM.');
  const xml = decode(bytes);
  return typeof xml === 'string' ? readSubmissionText(xml) : xml;
}

/** The same for decoded text. */
export function readSubmissionText(xml: string): Submission | SriMessage {
  if (Buffer.byteLength(xml) > MAX_COMPROBANTE_BYTES) return sriMessage('26');
  let whole: XmlElement;
  try {
    whole = readXml(xml);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return notXml(error.message);
  }
  const root = { ...whole, children: whole.children.filter((element, index) => !isSignature(element, index, whole)) };
  const infoTributaria = child(root, 'infoTributaria');
  const type = findByRoot(root.name);
  return {
    xml,
    root,
    type,
    accessKey: childText(infoTributaria, 'claveAcceso') ?? '',
    infoTributaria,
    info: type && child(root, type.info),
  };
}

/** The declared encoding of a file, unless it is UTF-8; `singleByte` when ASCII is the same in it. */
export function otherEncoding(text: string): { readonly name: string; readonly singleByte: boolean } | null {
  const name = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']{1,40})["']/.exec(text)?.[1];
  if (name === undefined || /^utf-?8$/i.test(name)) return null;
  return { name, singleByte: /^(us-ascii|latin1|iso-8859-\d{1,2}|(windows-|cp)125\d)$/i.test(name) };
}

// --- internal ---

/** Maximum bytes of a single comprobante. Ficha técnica off-line v2.34, §9. */
const MAX_COMPROBANTE_BYTES = 320 * 1024;

/** A parser trusts the declaration: each UTF-8 accent becomes two letters, so that the signature fails. */
function decode(bytes: Uint8Array): string | SriMessage {
  const xml = decodeStrictly(bytes);
  const other = xml === null ? null : otherEncoding(xml);
  if (other?.singleByte) return new TextDecoder('windows-1252').decode(bytes);
  if (other) return notXml(`El archivo declara otra codificación que la suya: ${other.name}.`);
  return xml ?? notXml('El archivo no está codificado en UTF-8.');
}

function notXml(detail: string): SriMessage {
  const message = sriMessage('35', `Se encontró el siguiente error en la estructura del comprobante: ${detail}`);
  return { ...message, message: 'ARCHIVO NO CUMPLE ESTRUCTURA XML' };
}

/** The signature is the last child; anywhere else it is a misplaced element. */
function isSignature(element: XmlElement, index: number, parent: XmlElement): boolean {
  return (
    index === parent.children.length - 1 &&
    element.name === 'Signature' &&
    element.namespace === 'http://www.w3.org/2000/09/xmldsig#'
  );
}
