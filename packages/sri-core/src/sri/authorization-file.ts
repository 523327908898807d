import type { Environment } from '../environment.js';
import { XmlError } from '../errors.js';
import type { SriMessage } from '../storage.js';
import { readXml } from '../xml/reader.js';
import { element } from '../xml/writer.js';
import { type AuthorizationEntry, toEntry } from './authorization.js';

/** The content of an archived authorization. */
export interface AuthorizationFile {
  readonly number: string;
  /** As the SRI wrote it. */
  readonly date: string;
  readonly environment: Environment;
  /** The signed document, as the SRI holds it. */
  readonly comprobante: string;
  readonly messages: readonly SriMessage[] | null;
}

/** The SRI's names of its environments in an authorization. */
export const AMBIENTES = { sandbox: 'PRUEBAS', production: 'PRODUCCIÓN' } as const satisfies Record<
  Environment,
  string
>;

/**
 * Writes the `<autorizacion>` document, with the comprobante inside byte for byte (in CDATA). It must be archived for seven
 * years and handed to the buyer.
 *
 * @see Ficha técnica off-line v2.34, §8.
 */
export function writeAuthorization(authorization: AuthorizationFile): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?><autorizacion>',
    element('estado', 'AUTORIZADO'),
    element('numeroAutorizacion', authorization.number),
    element('fechaAutorizacion', authorization.date),
    element('ambiente', AMBIENTES[authorization.environment]),
    `<comprobante>${cdata(authorization.comprobante)}</comprobante>`,
    `<mensajes>${(authorization.messages ?? []).map(writeMessage).join('')}</mensajes>`,
    '</autorizacion>',
  ].join('');
}

/**
 * Reads an `<autorizacion>` document, of this library or of an older archive.
 *
 * @throws XmlError when it is not such a document, or holds no comprobante.
 */
export function readAuthorizationFile(xml: string): AuthorizationEntry & { readonly comprobante: string } {
  const root = readXml(xml, { maxBytes: 4 * 1024 * 1024 });
  if (root.name !== 'autorizacion') throw new XmlError('The document is not an autorizacion.');
  const entry = toEntry(root);
  if (entry.comprobante === null) throw new XmlError('The autorizacion holds no comprobante.');
  return { ...entry, comprobante: entry.comprobante };
}

/** The text in CDATA sections, split so that none holds `]]>`, which would end it. */
export function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** [mensaje] */
export function writeMessage({ identifier, message, additionalInfo, type }: SriMessage): string {
  const parts = [
    element('identificador', identifier),
    element('mensaje', message),
    // An empty text differs from an absent one.
    additionalInfo === null ? '' : element('informacionAdicional', additionalInfo),
    element('tipo', type),
  ];
  return `<mensaje>${parts.join('')}</mensaje>`;
}
