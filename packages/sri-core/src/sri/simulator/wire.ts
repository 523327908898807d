import type { Environment } from '../../environment.js';
import type { SriMessage } from '../../storage.js';
import { element } from '../../xml/writer.js';
import { AMBIENTES, cdata, writeMessage } from '../authorization-file.js';
import { AUTHORIZATION, CONSULTATION, RECEPTION, SOAP_NAMESPACE, type SoapOperation } from '../soap.js';

/** Reception's answer: RECIBIDA without messages, DEVUELTA with them. */
export function receptionAnswer(accessKey: string, messages: readonly SriMessage[]): string {
  const comprobantes =
    messages.length === 0
      ? '<comprobantes/>'
      : `<comprobantes><comprobante>${element('claveAcceso', accessKey)}${mensajes(messages)}</comprobante></comprobantes>`;
  return answer(RECEPTION, element('estado', messages.length === 0 ? 'RECIBIDA' : 'DEVUELTA') + comprobantes);
}

/** One `<autorizacion>` of an answer. */
export interface WireAuthorization {
  readonly estado: 'AUTORIZADO' | 'NO AUTORIZADO' | 'EN PROCESO' | 'RECHAZADA';
  /** Null while in process; the SRI then shows none of these. */
  readonly decided: { readonly date: string; readonly environment: Environment; readonly comprobante: string } | null;
  readonly messages: readonly SriMessage[];
}

/** Authorization's answer about a key. */
export function authorizationAnswer(accessKey: string, authorizations: readonly WireAuthorization[]): string {
  const inner = authorizations.map((each) => `<autorizacion>${authorization(accessKey, each)}</autorizacion>`).join('');
  return answer(
    AUTHORIZATION,
    element('claveAccesoConsultada', accessKey) +
      element('numeroComprobantes', String(authorizations.length)) +
      (inner === '' ? '<autorizaciones/>' : `<autorizaciones>${inner}</autorizaciones>`),
  );
}

/** The validity of a key at the simulated SRI. */
export type Consulted =
  | {
      readonly estado: 'AUTORIZADO' | 'NO AUTORIZADO' | 'PENDIENTE DE ANULAR' | 'ANULADO';
      /** The name of the document's type. */
      readonly documentName: string;
      readonly ruc: string;
      readonly date: string;
    }
  | { readonly estado: 'RECHAZADA'; readonly messages: readonly SriMessage[] };

/** The validity service's answer about a key. */
export function consultationAnswer(accessKey: string, consulted: Consulted): string {
  const key = element('claveAcceso', accessKey);
  if (consulted.estado === 'RECHAZADA') {
    return answer(CONSULTATION, element('estadoConsulta', 'RECHAZADA') + key + mensajes(consulted.messages));
  }
  return answer(
    CONSULTATION,
    key +
      mensajes([]) +
      element('estadoAutorizacion', consulted.estado) +
      element('tipoComprobante', consulted.documentName) +
      element('rucEmisor', consulted.ruc) +
      element('fechaAutorizacion', consulted.date),
  );
}

/** An HTTP response with the headers of the SRI's server. */
export function soapResponse(body: string, status = 200): Response {
  return new Response(body, { status, headers: { 'content-type': 'text/xml;charset=UTF-8' } });
}

/** A SOAP fault, sent with HTTP 500. */
export function soapFault(text: string, code: 'Client' | 'Server' | 'VersionMismatch' = 'Client'): Response {
  const fault = `<soap:Fault><faultcode>soap:${code}</faultcode>${element('faultstring', text)}</soap:Fault>`;
  return soapResponse(soapEnvelope(fault), 500);
}

/** A page of a proxy or a firewall, as seen when the SRI is down. */
export function htmlPage(status: number): Response {
  const page = `<html><head><title>${status}</title></head><body><h1>Service unavailable (${status})</h1></body></html>`;
  return new Response(page, { status, headers: { 'content-type': 'text/html' } });
}

// --- internal ---

function answer(operation: SoapOperation, content: string): string {
  const { name, namespace, answer: wrapper } = operation;
  // The real wire format, despite the WSDL: a prefix on the wrapper only, one line, no XML declaration.
  return soapEnvelope(
    `<ns2:${name}Response xmlns:ns2="${namespace}"><${wrapper}>${content}</${wrapper}></ns2:${name}Response>`,
  );
}

function soapEnvelope(body: string): string {
  return `<soap:Envelope xmlns:soap="${SOAP_NAMESPACE}"><soap:Body>${body}</soap:Body></soap:Envelope>`;
}

function authorization(accessKey: string, { estado, decided, messages }: WireAuthorization): string {
  const number = estado === 'AUTORIZADO' ? element('numeroAutorizacion', accessKey) : '';
  const facts = decided
    ? element('fechaAutorizacion', decided.date) +
      element('ambiente', AMBIENTES[decided.environment]) +
      `<comprobante>${cdata(decided.comprobante)}</comprobante>`
    : '';
  return element('estado', estado) + number + facts + mensajes(messages);
}

function mensajes(messages: readonly SriMessage[]): string {
  if (messages.length === 0) return '<mensajes/>';
  return `<mensajes>${messages.map(writeMessage).join('')}</mensajes>`;
}
