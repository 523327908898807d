import { type Engine, type Language, type LocalizedText, type StoredDocument, translate } from 'sri-core';
import { findTenant } from '../accounts/index.js';
import { readIssuer, readLogoImage } from '../issuers/index.js';
import {
  fillTemplate,
  type MailAttachment,
  type MailContent,
  type MailedDocument,
  type MailTemplates,
  type MailText,
  type MailWriters,
  type OutboxMail,
  type RefusalMailKind,
  safeName,
} from '../mail/index.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import { escapeHtml } from '../platform/escape-html.js';
import { formatDay, formatMoment } from '../platform/formats.js';
import type { FairQueue } from '../platform/jobs/fair-queue.js';
import { wordsOf, writeNumber } from './document-words.js';
import { writeRefusalMail } from './refusal-mail.js';

/** Dependencies of the writers of document mails. */
export interface DocumentMailDeps {
  readonly engine: Engine;
  readonly printQueue: FairQueue;
  readonly database: ServerDatabase;
  readonly templates: MailTemplates;
}

/** The writers of mails about documents. */
export function documentMails(parts: DocumentMailDeps): Pick<MailWriters, 'AUTHORIZED' | RefusalMailKind> {
  return {
    AUTHORIZED(mail) {
      if (!mail.document) throw new Error('The mail names no document.');
      return writeDocumentMail(parts, mail, mail.document);
    },
    DOCUMENT_RETURNED: (mail) => writeRefusalMail('DOCUMENT_RETURNED', mail.data, mail.language),
    DOCUMENT_NOT_AUTHORIZED: (mail) => writeRefusalMail('DOCUMENT_NOT_AUTHORIZED', mail.data, mail.language),
  };
}

// --- internal ---

/**
 * Writes the mail with a document. RIDE and XML are generated now, so that a repeat shows the current document.
 *
 * @throws Error when the document has no authorized XML, or its issuer is gone.
 */
async function writeDocumentMail(
  { engine, printQueue, database, templates }: DocumentMailDeps,
  mail: OutboxMail,
  about: MailedDocument,
): Promise<MailContent> {
  const document = await engine.get(about, about.accessKey);
  const xml = await engine.xml(about, about.accessKey, 'authorized');
  const [issuer, tenant, image] = await database.read(async (tables) => [
    await readIssuer(tables, about.issuerId),
    await findTenant(tables, mail.tenantId),
    await readLogoImage(tables, about.issuerId),
  ]);
  if (xml === null || !issuer || !tenant) throw new Error('The document cannot be mailed any more.');
  const pdf = await printQueue.runPatiently(`tenant ${mail.tenantId}`, () => engine.ride(about, about.accessKey));
  const name = safeName(issuer.tradeName ?? '') || safeName(issuer.businessName);
  // The names behind other addresses are unknown.
  const isToCounterparty = about.automatic && document.counterparty.email === mail.recipient;
  const logo = image && pictureOf(image);
  const values = { ...valuesOf(document, name, mail.language, isToCounterparty), logo: logo ? `cid:${logo.cid}` : '' };
  const text = fillTemplate(templates[mail.language], values);
  return {
    ...marked(document, text, mail.language),
    toName: isToCounterparty ? safeName(document.counterparty.name) : '',
    replyTo: { name, address: tenant.email },
    attachments: [
      { filename: `RIDE-${about.accessKey}.pdf`, contentType: 'application/pdf', content: Buffer.from(pdf) },
      { filename: `${about.accessKey}.xml`, contentType: 'application/xml', content: Buffer.from(xml, 'utf8') },
      ...(logo && text.html.includes(`cid:${logo.cid}`) ? [logo] : []),
    ],
  };
}

/** A stored logo as the picture of a mail. The upload has re-encoded it. */
function pictureOf(image: Uint8Array): MailAttachment & { readonly cid: string } {
  const isPng = image[0] === 0x89;
  return {
    filename: isPng ? 'logo.png' : 'logo.jpg',
    contentType: isPng ? 'image/png' : 'image/jpeg',
    content: Buffer.from(image),
    cid: 'logo',
  };
}

const GREETING: LocalizedText = { es: 'Hola, {buyer}:', en: 'Hello, {buyer},' };
const NAMELESS_GREETING: LocalizedText = { es: 'Hola:', en: 'Hello,' };
const ANNULLED: LocalizedText = { es: 'Este comprobante fue anulado.', en: 'This document was annulled.' };
const MARK: LocalizedText = { es: 'PRUEBAS, sin validez', en: 'PRUEBAS (test), not valid' };
const TEST: LocalizedText = {
  es: 'PRUEBAS, sin validez tributaria: este comprobante es un ensayo.',
  en: 'PRUEBAS (test), without fiscal validity: this document is a rehearsal.',
};

/** A mail about a test document says so first, whatever its template. */
function marked({ environment }: StoredDocument, mail: MailText, language: Language): MailText {
  if (environment !== 'sandbox') return mail;
  const notice = translate(TEST, language);
  const line = `<p><strong>${escapeHtml(notice)}</strong></p>`;
  const body = /<body[^>]*>/i.exec(mail.html)?.[0] ?? '';
  return {
    subject: `[${translate(MARK, language)}] ${mail.subject}`,
    text: `${notice}\n\n${mail.text}`,
    html: body === '' ? `${line}${mail.html}` : mail.html.replace(body, () => `${body}\n${line}`),
  };
}

function valuesOf(document: StoredDocument, issuer: string, language: Language, isToCounterparty: boolean) {
  const { accessKey, authorization } = document;
  const { typeName, totalLabel, total } = wordsOf(document, language);
  const buyer = safeName(document.counterparty.name);
  return {
    issuer,
    greeting: translate(isToCounterparty && buyer !== '' ? GREETING : NAMELESS_GREETING, language, { buyer }),
    buyer,
    documentType: typeName,
    number: writeNumber(accessKey),
    issueDate: formatDay(document.issueDate, language),
    totalLabel,
    total,
    accessKey,
    authorizationNumber: authorization?.number ?? '',
    authorizationDate: authorization ? formatMoment(authorization.date, language) : '',
    notice: document.status === 'VOIDED' ? translate(ANNULLED, language) : '',
  };
}
