import { describeSriCode } from '../../sri/codes.js';
import type { SriMessage } from '../../storage.js';
import { type Area, type Finding, object } from './finding.js';

/** One message of the SRI, with the explanation of its code. */
export function fromMessage(
  area: Area,
  { identifier, message, additionalInfo }: Pick<SriMessage, 'identifier' | 'message' | 'additionalInfo'>,
  verdict: 'fail' | 'warn' = 'fail',
): Finding {
  const known = describeSriCode(identifier, additionalInfo);
  const said = additionalInfo ?? message;
  return object(verdict, area, {
    sriCode: identifier,
    message: { es: said, en: known ? `${known.meaning.en} (${said})` : said },
    advice: known?.advice ?? null,
  });
}

/** What is said of a service answer without a comprobante. */
export const ANSWER = {
  es: 'Es una respuesta del servicio web del SRI sin un comprobante dentro; para revisar la firma hace falta el XML firmado.',
  en: 'This is an answer of the SRI’s web service without a comprobante in it; the signed XML is needed to look at its signature.',
};

/** The SRI's messages, when the file is a service answer instead of a comprobante. */
export function findInAnswer(text: string): readonly Finding[] {
  const messages = [...text.matchAll(MESSAGE)].map(([, identifier = '', message = '', additionalInfo = null]) =>
    fromMessage('file', { identifier, message, additionalInfo }),
  );
  return [object('fail', 'file', { message: ANSWER }), ...messages];
}

// --- internal ---

/** A message with its detail, if it has one, in the order of the service. */
const MESSAGE =
  /<identificador>\s*(\d{1,5})\s*<\/identificador>\s*<mensaje>([^<]{0,500})<(?:\/mensaje>\s*<informacionAdicional>([^<]{1,4000})<)?/g;
