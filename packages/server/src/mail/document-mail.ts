import { type Engine, type StoredDocument, toIssueDate } from 'sri-core';
import { type Language, type Text, tell } from '../language.js';
import { readIssuer } from '../store/issuers.js';
import type { ServerDatabase } from '../store/schema.js';
import { findTenant } from '../store/tenants.js';
import { fillTemplate, type MailTemplates } from './mail-templates.js';
import type { WrittenMail } from './mail-transport.js';
import type { MailedDocument, OutboxMail } from './outbox-mail.js';

/** What the mail with a document is made from. */
export interface DocumentMailParts {
  readonly engine: Engine;
  readonly database: ServerDatabase;
  readonly templates: MailTemplates;
}

/**
 * Writes the mail with a document: RIDE and XML are drawn now, so that a repeat shows the document as it stands.
 *
 * @throws Error when the document has no authorized XML, or its issuer is gone.
 */
export async function writeDocumentMail(
  { engine, database, templates }: DocumentMailParts,
  mail: OutboxMail,
  about: MailedDocument,
): Promise<Omit<WrittenMail, 'id' | 'to' | 'date'>> {
  const document = await engine.get(about, about.accessKey);
  const xml = await engine.xml(about, about.accessKey, 'authorized');
  const [issuer, tenant] = await database.read(async (tables) => [
    await readIssuer(tables, about.issuerId),
    await findTenant(tables, mail.tenantId),
  ]);
  if (xml === null || !issuer || !tenant) throw new Error('The document cannot be mailed any more.');
  const pdf = await engine.ride(about, about.accessKey);
  const name = issuer.tradeName ?? issuer.businessName;
  return {
    ...fillTemplate(templates[mail.language], valuesOf(document, name, mail.language)),
    // A copy goes to somebody whose name nobody said.
    toName: about.automatic ? document.buyer.name : '',
    replyTo: { name, address: tenant.email },
    attachments: [
      { filename: `RIDE-${about.accessKey}.pdf`, contentType: 'application/pdf', content: Buffer.from(pdf) },
      { filename: `${about.accessKey}.xml`, contentType: 'application/xml', content: Buffer.from(xml, 'utf8') },
    ],
  };
}

// --- internal ---

const TYPE_NAMES: Readonly<Record<StoredDocument['documentType'], Text>> = {
  '01': { es: 'Factura', en: 'Invoice' },
  '04': { es: 'Nota de crédito', en: 'Credit note' },
};
const ANNULLED: Text = { es: 'Este documento fue anulado.', en: 'This document was annulled.' };
const TEST: Text = {
  es: 'Documento de prueba, sin validez tributaria.',
  en: 'Test document without fiscal validity.',
};

function valuesOf(document: StoredDocument, issuer: string, language: Language) {
  const { accessKey, authorization } = document;
  const notices = [
    document.environment === 'sandbox' ? tell(TEST, language) : '',
    document.status === 'VOIDED' ? tell(ANNULLED, language) : '',
  ];
  return {
    issuer,
    buyer: document.buyer.name,
    documentType: tell(TYPE_NAMES[document.documentType], language),
    // As the access key holds it: branch, issue point, sequential.
    number: `${accessKey.slice(24, 27)}-${accessKey.slice(27, 30)}-${accessKey.slice(30, 39)}`,
    issueDate: toIssueDate(document.issueDate),
    total: document.total,
    accessKey,
    authorizationNumber: authorization?.number ?? '',
    authorizationDate: authorization?.date ?? '',
    notice: notices.filter(Boolean).join(' '),
  };
}
