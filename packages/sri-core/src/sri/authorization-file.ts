import type { Environment } from '../environment.js';
import { XmlError } from '../errors.js';
import type { SriMessage } from '../storage.js';
import { readXml } from '../xml/reader.js';
import { element } from '../xml/writer.js';
import { type AuthorizationEntry, toEntry } from './authorization.js';

/** What an archived authorization says. */
export interface AuthorizationFile {
  readonly number: string;
  /** As the SRI wrote it. */
  readonly date: string;
  readonly environment: Environment;
  /** The signed document, as the SRI holds it. */
  readonly comprobante: string;
  readonly messages: readonly SriMessage[] | null;
}

/** How the SRI names its environments in an authorization. */
export const AMBIENTES = { sandbox: 'PRUEBAS', production: 'PRODUCCIÓN' } as const satisfies Record<
  Environment,
  string
>;

/**
 * Writes the `<autorizacion>` document: what has to be archived for seven years and handed to the buyer, the comprobante
 * inside it byte for byte (in CDATA).
 *
 * @see Ficha técnica off-line v2.34, §8.
 */
export function writeAuthorization(authorization: AuthorizationFile): string {
  const comprobante = splitCdata(authorization.comprobante).map((part) => `<![CDATA[${part}]]>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?><autorizacion>',
    element('estado', 'AUTORIZADO'),
    element('numeroAutorizacion', authorization.number),
    element('fechaAutorizacion', authorization.date),
    element('ambiente', AMBIENTES[authorization.environment]),
    `<comprobante>${comprobante.join('')}</comprobante>`,
    `<mensajes>${(authorization.messages ?? []).map(writeMessage).join('')}</mensajes>`,
    '</autorizacion>',
  ].join('');
}

/**
 * Reads an `<autorizacion>` document, one's own or one from an older archive.
 *
 * @throws XmlError when it is no such document, or when it holds no comprobante.
 */
export function readAuthorizationFile(xml: string): AuthorizationEntry & { readonly comprobante: string } {
  const root = readXml(xml, { maxBytes: 4 * 1024 * 1024 });
  if (root.name !== 'autorizacion') throw new XmlError('The document is not an autorizacion.');
  const entry = toEntry(root);
  if (entry.comprobante === null) throw new XmlError('The autorizacion holds no comprobante.');
  return { ...entry, comprobante: entry.comprobante };
}

/** Cuts a text so that no part holds `]]>`, which would end a CDATA section. */
export function splitCdata(text: string): readonly string[] {
  return text.split(/(?<=\]\])(?=>)/);
}

// --- internal ---

function writeMessage({ identifier, message, additionalInfo, type }: SriMessage): string {
  const parts = [
    element('identificador', identifier),
    element('mensaje', message),
    // An empty text is kept apart from none.
    additionalInfo === null ? '' : element('informacionAdicional', additionalInfo),
    element('tipo', type),
  ];
  return `<mensaje>${parts.join('')}</mensaje>`;
}
