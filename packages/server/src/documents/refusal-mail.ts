import { type Language, type LocalizedText, translate } from 'sri-core';
import { type MailText, type RefusalMailKind, writeNotice } from '../mail/index.js';
import { oneLine } from '../platform/one-line.js';
import type { DocumentWords } from './document-words.js';

/** The data of a refusal mail in the outbox; null or empty where unknown. */
export interface RefusalMailData extends Readonly<Record<string, string | null>>, DocumentWords {
  /** `001-001-000000042` */
  readonly number: string;
  readonly accessKey: string;
  readonly buyerName: string;
  readonly issueDate: string;
  /** The SRI's message. */
  readonly reason: string;
  /** The advised action. */
  readonly action: string;
  /** `sandbox` or `production`. */
  readonly environment: string;
}

/** Writes the mail that reports a refusal by the SRI to the account. */
export function writeRefusalMail(
  kind: RefusalMailKind,
  data: Readonly<Record<string, string | null>>,
  language: Language,
): MailText {
  const values = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, oneLine(value ?? '')]));
  const say = (text: LocalizedText) => translate(text, language, values);
  const isTest = values['environment'] !== 'production';
  const { subject, line } = MAILS[kind];
  return writeNotice(
    {
      subject: `${isTest ? `${say(TEST_MARK)} ` : ''}${say(subject)}`,
      paragraphs: [say(line), ...(isTest ? [say(TEST_NOTE)] : []), say(NEXT)],
      rows: ROWS.map(([name, label]) => [say(label), values[name] ?? '']),
    },
    language,
  );
}

// --- internal ---

const MAILS: Readonly<Record<RefusalMailKind, { readonly subject: LocalizedText; readonly line: LocalizedText }>> = {
  DOCUMENT_RETURNED: {
    subject: { es: 'El SRI devolvió: {typeName} {number}', en: 'The SRI returned: {typeName} {number}' },
    line: {
      es: 'El SRI devolvió el comprobante {number} ({typeName}). No está autorizado.',
      en: 'The SRI returned document {number} ({typeName}). It is not authorized.',
    },
  },
  DOCUMENT_NOT_AUTHORIZED: {
    subject: { es: 'El SRI no autorizó: {typeName} {number}', en: 'The SRI did not authorize: {typeName} {number}' },
    line: {
      es: 'El SRI recibió el comprobante {number} ({typeName}) y no lo autorizó.',
      en: 'The SRI received document {number} ({typeName}) and did not authorize it.',
    },
  },
};

const TEST_MARK: LocalizedText = { es: '[Pruebas]', en: '[Test]' };
const TEST_NOTE: LocalizedText = {
  es: 'Es un comprobante del ambiente de pruebas, sin valor tributario.',
  en: 'It is a document of the test environment, without tax value.',
};
const NEXT: LocalizedText = {
  es: 'Corrija en el comprobante lo que indica el SRI: hasta entonces la contraparte no tiene ninguno.',
  en: 'Correct what the SRI names and rebuild the document: until then the counterparty has no document.',
};

const ROWS: readonly (readonly [keyof RefusalMailData & string, LocalizedText])[] = [
  ['reason', { es: 'Mensaje del SRI', en: 'Message of the SRI' }],
  ['action', { es: 'Qué hacer', en: 'What to do' }],
  ['buyerName', { es: 'Contraparte', en: 'Counterparty' }],
  ['total', { es: '{totalLabel}', en: '{totalLabel}' }],
  ['issueDate', { es: 'Fecha de emisión', en: 'Issue date' }],
  ['accessKey', { es: 'Clave de acceso', en: 'Access key' }],
];
