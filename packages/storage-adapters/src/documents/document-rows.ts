import {
  type AccessKey,
  type DocumentChange,
  type DocumentStatus,
  type DocumentType,
  type Environment,
  foldCase,
  formatDecimal,
  type MailStatus,
  MONEY_SCALE,
  parseDecimal,
  type StoredDocument,
} from 'sri-core';
import { type ShownJobColumns, toShownJob } from '../jobs/job-rows.js';
import type { DocumentsTable } from '../sql/schema.js';
import { toDate, toStorableText } from '../sql/values.js';

/** The columns that are read back. The others are for searches. */
export const DOCUMENT_COLUMNS = [
  'id',
  'issuer_id',
  'environment',
  'document_type',
  'sequential',
  'access_key',
  'status',
  'issue_date',
  'total_cents',
  'counterparty_id_type',
  'counterparty_id',
  'counterparty_name',
  'counterparty_email',
  'mail_copies',
  'modifies_type',
  'modifies_number',
  'authorization_number',
  'authorization_date',
  'void_reason',
  'voided_at',
  'mail_status',
  'mail_sent_at',
  'mail_error',
  'idempotency_key',
  'payload_hash',
  'created_at',
  'updated_at',
  'revision',
] as const satisfies readonly (keyof DocumentsTable)[];

/** A document's row with the visible columns of its job. */
export type DocumentRow = Pick<DocumentsTable, (typeof DOCUMENT_COLUMNS)[number]> & ShownJobColumns;

export function toStoredDocument(row: DocumentRow): StoredDocument {
  // `toDocumentRow` wrote these columns from the same types.
  return {
    id: row.id,
    issuerId: row.issuer_id,
    environment: row.environment as Environment,
    documentType: row.document_type as DocumentType,
    sequential: row.sequential,
    accessKey: row.access_key as AccessKey,
    status: row.status as DocumentStatus,
    issueDate: row.issue_date,
    total: formatDecimal(BigInt(row.total_cents), MONEY_SCALE),
    counterparty: {
      idType: row.counterparty_id_type,
      id: row.counterparty_id,
      name: row.counterparty_name,
      email: row.counterparty_email,
    },
    copies: row.mail_copies?.split(' ') ?? [],
    modifies:
      row.modifies_type === null || row.modifies_number === null
        ? null
        : { documentType: row.modifies_type, number: row.modifies_number },
    authorization:
      row.authorization_number === null || row.authorization_date === null
        ? null
        : { number: row.authorization_number || row.access_key, date: row.authorization_date },
    voided:
      row.void_reason === null || row.voided_at === null
        ? null
        : { reason: row.void_reason, at: new Date(row.voided_at) },
    mail: { status: row.mail_status as MailStatus, sentAt: toDate(row.mail_sent_at), error: row.mail_error },
    idempotencyKey: row.idempotency_key,
    payloadHash: row.payload_hash,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    revision: row.revision,
    job: toShownJob(row),
  };
}

export function toDocumentRow(document: StoredDocument): DocumentsTable {
  return {
    id: document.id,
    issuer_id: document.issuerId,
    environment: document.environment,
    document_type: document.documentType,
    idempotency_key: document.idempotencyKey,
    payload_hash: document.payloadHash,
    created_at: document.createdAt.getTime(),
    updated_at: document.updatedAt.getTime(),
    revision: document.revision,
    status: document.status,
    status_group: toStatusGroup(document.status),
    access_key: document.accessKey,
    issue_date: document.issueDate,
    sequential: document.sequential,
    total_cents: toCents(document.total),
    ...toCounterpartyColumns(document.counterparty),
    mail_copies: toCopiesColumn(document.copies),
    ...toModifiesColumns(document.modifies),
    ...toAuthorizationColumns(document.authorization, document.accessKey),
    ...toVoidedColumns(document.voided),
    ...toMailColumns(document.mail),
  };
}

/** The columns of the fields that a change sets. */
export function toChangedColumns(
  { authorization: given, ...set }: DocumentChange['set'],
  document: Pick<StoredDocument, 'accessKey' | 'authorization' | 'status'>,
): Partial<DocumentsTable> {
  const { status, accessKey, issueDate, sequential, total, counterparty, copies, modifies, voided, mail, ...rest } =
    set;
  // A field without a column here does not compile.
  rest satisfies Readonly<Record<string, never>>;
  const authorization = given === undefined && accessKey !== undefined ? document.authorization : given;
  return {
    ...(status !== undefined && { status, ...toMovedGroup(document.status, status) }),
    ...(accessKey !== undefined && { access_key: accessKey }),
    ...(issueDate !== undefined && { issue_date: issueDate }),
    ...(sequential !== undefined && { sequential }),
    ...(total !== undefined && { total_cents: toCents(total) }),
    ...(counterparty !== undefined && toCounterpartyColumns(counterparty)),
    ...(copies !== undefined && { mail_copies: toCopiesColumn(copies) }),
    ...(modifies !== undefined && toModifiesColumns(modifies)),
    ...(authorization !== undefined && toAuthorizationColumns(authorization, accessKey ?? document.accessKey)),
    ...(voided !== undefined && toVoidedColumns(voided)),
    ...(mail !== undefined && toMailColumns(mail)),
  };
}

/**
 * The group under which an index has a status. The statuses on the way to the SRI's answer share `OPEN`, so that a
 * document changes its group once. Null for `AUTHORIZED`, which most documents have; another status is its own group.
 */
export function toStatusGroup(status: DocumentStatus): DocumentStatus | 'OPEN' | null {
  if (status === 'AUTHORIZED') return null;
  return status === 'SIGNED' || status === 'PENDING_SEND' || status === 'RECEIVED' ? 'OPEN' : status;
}

// --- internal ---

/** An amount as its stored integer. @throws RangeError for a larger amount. */
export function toCents(total: string): number {
  const cents = Number(parseDecimal(total, MONEY_SCALE));
  if (!Number.isSafeInteger(cents)) throw new RangeError('The total of a document has more than 13 whole digits.');
  return cents;
}

/** The group of a new status, unless it is that of the old one: SQLite writes an index again when its column is set. */
function toMovedGroup(before: DocumentStatus, after: DocumentStatus) {
  const group = toStatusGroup(after);
  return group !== toStatusGroup(before) && { status_group: group };
}

function toCounterpartyColumns(counterparty: StoredDocument['counterparty']) {
  return {
    counterparty_id_type: counterparty.idType,
    counterparty_id: counterparty.id,
    counterparty_name: counterparty.name,
    counterparty_name_folded: foldCase(counterparty.name),
    counterparty_email: counterparty.email,
  };
}

function toCopiesColumn(copies: StoredDocument['copies']): string | null {
  return copies.length === 0 ? null : copies.join(' ');
}

function toModifiesColumns(modifies: StoredDocument['modifies']) {
  return { modifies_type: modifies?.documentType ?? null, modifies_number: modifies?.number ?? null };
}

/** The authorization number is usually the access key, which is not stored twice. */
function toAuthorizationColumns(authorization: StoredDocument['authorization'], accessKey: string) {
  if (!authorization) return { authorization_number: null, authorization_date: null };
  const { number, date } = authorization;
  return { authorization_number: number === accessKey ? '' : number, authorization_date: date };
}

function toVoidedColumns(voided: StoredDocument['voided']) {
  return { void_reason: toStorableText(voided?.reason ?? null), voided_at: voided?.at.getTime() ?? null };
}

function toMailColumns(mail: StoredDocument['mail']) {
  return {
    mail_status: mail.status,
    mail_sent_at: mail.sentAt?.getTime() ?? null,
    mail_error: toStorableText(mail.error),
  };
}
