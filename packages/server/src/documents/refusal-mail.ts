import { type MailText, oneLine, type RefusalMailKind, writeNotice } from '../mail/index.js';
import { type Language, type Text, tell } from '../platform/language.js';

/** The data of a refusal mail in the outbox; null or empty where unknown. */
export interface RefusalMailData extends Readonly<Record<string, string | null>> {
  /** `001-001-000000042` */
  readonly number: string;
  readonly accessKey: string;
  readonly buyerName: string;
  readonly total: string;
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
  const say = (text: Text) => tell(text, language, values);
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

const MAILS: Readonly<Record<RefusalMailKind, { readonly subject: Text; readonly line: Text }>> = {
  DOCUMENT_RETURNED: {
    subject: { es: 'El SRI devolvió el documento {number}', en: 'The SRI returned document {number}' },
    line: {
      es: 'El SRI devolvió el documento {number}. No está autorizado.',
      en: 'The SRI returned document {number}. It is not authorized.',
    },
  },
  DOCUMENT_NOT_AUTHORIZED: {
    subject: { es: 'El SRI no autorizó el documento {number}', en: 'The SRI did not authorize document {number}' },
    line: {
      es: 'El SRI recibió el documento {number} y no lo autorizó.',
      en: 'The SRI received document {number} and did not authorize it.',
    },
  },
};

const TEST_MARK: Text = { es: '[Pruebas]', en: '[Test]' };
const TEST_NOTE: Text = {
  es: 'Es un documento del ambiente de pruebas, sin valor tributario.',
  en: 'It is a document of the test environment, without tax value.',
};
const NEXT: Text = {
  es: 'Corrija lo que indica el SRI y reconstruya el documento: hasta entonces el comprador no tiene comprobante.',
  en: 'Correct what the SRI names and rebuild the document: until then the buyer has no receipt.',
};

const ROWS: readonly (readonly [keyof RefusalMailData & string, Text])[] = [
  ['reason', { es: 'Mensaje del SRI', en: 'Message of the SRI' }],
  ['action', { es: 'Qué hacer', en: 'What to do' }],
  ['buyerName', { es: 'Contraparte', en: 'Counterparty' }],
  ['total', { es: 'Total (USD)', en: 'Total (USD)' }],
  ['issueDate', { es: 'Fecha de emisión', en: 'Issue date' }],
  ['accessKey', { es: 'Clave de acceso', en: 'Access key' }],
];
