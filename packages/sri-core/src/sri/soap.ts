import type { AccessKey } from '../access-key.js';
import { XmlError } from '../errors.js';
import { child, children, readXml, type XmlElement } from '../xml/reader.js';
import { MAX_ANSWER_BYTES, MAX_ANSWER_NODES } from './answer-body.js';

/** One operation of the SRI's web services: its address and its envelope. */
export interface SoapOperation {
  /** Last part of the address, below SRI_SERVICES_PATH. */
  readonly service: string;
  readonly namespace: string;
  readonly name: string;
  /** The element of the argument. */
  readonly argument: string;
  /** The element inside `<name>Response` that carries the answer. */
  readonly answer: string;
}

/** Submits one signed comprobante. As in the SRI's WSDL: SOAP 1.1, document/literal, empty SOAPAction. */
export const RECEPTION = {
  service: 'RecepcionComprobantesOffline',
  namespace: 'http://ec.gob.sri.ws.recepcion',
  name: 'validarComprobante',
  argument: 'xml',
  answer: 'RespuestaRecepcionComprobante',
} as const satisfies SoapOperation;

/** Queries the authorization of one access key. */
export const AUTHORIZATION = {
  service: 'AutorizacionComprobantesOffline',
  namespace: 'http://ec.gob.sri.ws.autorizacion',
  name: 'autorizacionComprobante',
  argument: 'claveAccesoComprobante',
  answer: 'RespuestaAutorizacionComprobante',
} as const satisfies SoapOperation;

/**
 * Queries the present validity of one access key. Ficha técnica off-line v2.34 (2026-07-27), §8.2; the service exists since
 * 2025, on both hosts.
 */
export const CONSULTATION = {
  service: 'ConsultaComprobante',
  namespace: 'http://ec.gob.sri.ws.consultas',
  name: 'consultarEstadoAutorizacionComprobante',
  argument: 'claveAcceso',
  answer: 'EstadoAutorizacionComprobante',
} as const satisfies SoapOperation;

/** The path of all services, on both hosts. */
export const SRI_SERVICES_PATH = '/comprobantes-electronicos-ws';

/** The namespace of SOAP 1.1 envelopes. */
export const SOAP_NAMESPACE = 'http://schemas.xmlsoap.org/soap/envelope/';

/** The envelope of a submission: the comprobante's UTF-8 bytes in base64. */
export function receptionEnvelope(signedXml: string): string {
  return envelope(RECEPTION, Buffer.from(signedXml, 'utf8').toString('base64'));
}

/** The envelope of an authorization query for one key. */
export function authorizationEnvelope(accessKey: AccessKey): string {
  return envelope(AUTHORIZATION, accessKey);
}

/** The envelope of a validity query for one key. */
export function consultationEnvelope(accessKey: AccessKey): string {
  return envelope(CONSULTATION, accessKey);
}

/** The kind of an answer's body. */
export type SoapReading =
  | { readonly kind: 'answer'; readonly answer: XmlElement }
  /** `text`: the faultstring on one line, cut to 200 characters. */
  | { readonly kind: 'fault'; readonly text: string }
  | { readonly kind: 'other'; readonly reason: string };

/**
 * Reads the body of an SRI answer. Names match without prefix, since the SRI sends its inner elements unprefixed, against
 * its WSDL. Their path must match in full.
 */
export function readSoap(text: string, operation: SoapOperation): SoapReading {
  let root: XmlElement;
  try {
    root = readXml(text, { maxBytes: MAX_ANSWER_BYTES, maxNodes: MAX_ANSWER_NODES });
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return { kind: 'other', reason: error.message };
  }
  const body = root.name === 'Envelope' ? child(root, 'Body') : null;
  if (!body) return { kind: 'other', reason: 'The answer is not a SOAP envelope.' };
  const fault = child(body, 'Fault');
  if (fault) return { kind: 'fault', text: faultText(fault) };
  const answer = child(child(body, `${operation.name}Response`), operation.answer);
  if (!answer) return { kind: 'other', reason: `The envelope does not hold ${operation.answer}.` };
  return { kind: 'answer', answer };
}

// --- internal ---

function envelope(operation: SoapOperation, argument: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    `<soapenv:Envelope xmlns:soapenv="${SOAP_NAMESPACE}" xmlns:ec="${operation.namespace}"><soapenv:Header/>` +
    `<soapenv:Body><ec:${operation.name}><${operation.argument}>${argument}</${operation.argument}></ec:${operation.name}>` +
    '</soapenv:Body></soapenv:Envelope>'
  );
}

function faultText(fault: XmlElement): string {
  // SOAP 1.2 uses Reason/Text; a proxy in front of the service may send it.
  const text = children(fault, 'faultstring')[0]?.text ?? child(child(fault, 'Reason'), 'Text')?.text ?? '';
  return text.replace(/\s+/g, ' ').trim().slice(0, 200);
}
