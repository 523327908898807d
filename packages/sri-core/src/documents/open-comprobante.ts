import { XmlError } from '../errors.js';
import { child, children, childText, readXml, type XmlElement } from '../xml/reader.js';
import { DOCUMENT_TYPES, DOCUMENTS, findByRoot } from './registry.js';

/** A comprobante taken out of the file that holds it. */
export interface OpenedComprobante {
  /** The text of the comprobante alone, without a byte order mark or blanks around it when it was wrapped. */
  readonly xml: string;
  readonly root: XmlElement;
  /** The SRI's `<autorizacion>` around it; null for a bare comprobante. */
  readonly authorization: XmlElement | null;
}

/**
 * Opens a file with a comprobante: bare, in an `<autorizacion>`, or in a whole answer of the SRI's authorization service.
 * Inside, it stands as CDATA, as escaped text or as elements. Among several authorizations an AUTORIZADO wins, else the last;
 * an answer about a lote holds other documents too, and is opened with one alone.
 *
 * @throws XmlError when the text is not XML, holds no comprobante of a supported type, or holds one escaped twice.
 */
export function openComprobante(text: string): OpenedComprobante {
  const root = readXml(text, { maxBytes: MAX_FILE_BYTES });
  if (findByRoot(root.name)) return { xml: text, root, authorization: null };
  const authorization = findAuthorization(root);
  const holder = child(authorization, 'comprobante');
  if (!authorization || !holder) {
    const roots = DOCUMENT_TYPES.map((code) => DOCUMENTS[code].root).join(', ');
    throw new XmlError(`The XML holds none of these, bare or in an autorizacion: ${roots}.`);
  }
  const xml = holder.children.length > 0 ? innerXml(text) : holder.text.trim();
  if (xml === '') throw new XmlError('The comprobante in the autorizacion is empty.');
  if (/^&(amp;)*lt;|^<!\[CDATA\[/i.test(xml)) {
    throw new XmlError(
      'The comprobante in the autorizacion is wrapped twice: its text is &lt; or a CDATA section, not a tag.',
    );
  }
  const inner = readXml(xml);
  if (!findByRoot(inner.name)) throw new XmlError(`The autorizacion holds another document: ${inner.name}.`);
  return { xml, root: inner, authorization };
}

// --- internal ---

/** Room for a wrapper in which each character of the comprobante is escaped. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

const LOTE = 'RespuestaAutorizacionLote';

/** The elements around an autorizacion, from the outside to the inside. Files begin with any of them, and may lack others. */
const WRAPPERS: readonly string[] = [
  'Envelope',
  'Body',
  'autorizacionComprobanteResponse',
  'autorizacionComprobanteLoteResponse',
  'RespuestaAutorizacionComprobante',
  'RespuestaAutorizacion',
  LOTE,
  'autorizaciones',
];

function findAuthorization(root: XmlElement): XmlElement | null {
  if (root.name === 'autorizacion') return root;
  const outermost = WRAPPERS.indexOf(root.name);
  if (outermost < 0) return null;
  let holder = root;
  let isLote = root.name === LOTE;
  for (const name of WRAPPERS.slice(outermost + 1)) {
    holder = child(holder, name) ?? holder;
    isLote ||= holder.name === LOTE;
  }
  const held = children(holder, 'autorizacion').filter((each) => child(each, 'comprobante'));
  if (isLote && held.length > 1) {
    throw new XmlError(`The answer holds ${held.length} documents of a lote: save each autorizacion in its own file.`);
  }
  return held.findLast((each) => childText(each, 'estado') === 'AUTORIZADO') ?? held.at(-1) ?? null;
}

/** The source of the elements in the comprobante element. */
function innerXml(text: string): string {
  const start = /<([\w.-]+:)?comprobante(\s[^<>]*)?>/.exec(text);
  const end = text.lastIndexOf(`</${start?.[1] ?? ''}comprobante`);
  return start && end > start.index ? text.slice(start.index + start[0].length, end).trim() : '';
}
