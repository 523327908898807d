import {
  COUNTERPARTY_ROLES,
  DOCUMENT_STATUSES,
  DOCUMENTS,
  describeFailedAttempt,
  describeWarning,
  formatSequential,
  type Language,
  type StoredDocument,
  toIssueDate,
  type Warning,
} from 'sri-core';
import { mailReasonIn } from '../mail/index.js';
import { documentTypeField } from '../platform/http/document-type-field.js';
import {
  accessKeyText,
  anyObject,
  issueDate,
  maybe,
  money,
  named,
  oneOf,
  orNull,
  part,
  type Shown,
  text,
  textOfForm,
  timestamp,
  uuid,
  whole,
} from '../platform/schema-words.js';
import { toIsoMoment } from './document-words.js';

const MAIL_STATUSES = [
  'PENDING',
  'SENT',
  'DELIVERED',
  'FAILED',
  'COMPLAINED',
  'SKIPPED',
] as const satisfies readonly StoredDocument['mail']['status'][];

/** The progress of a document in flight at the SRI. */
const dispatchSchema = named('Dispatch', "How far the SRI's part of a document in flight has come.", {
  status: oneOf(
    ['PENDING', 'DISPATCHED', 'FAILED'],
    'Waiting for its turn, being sent, or given up until it is retried.',
  ),
  attemptCount: whole('Attempts so far.', 1, { minimum: 0 }),
  lastError: orNull(text('Why the last attempt failed, in the language of the answer.', 'The SRI answered HTTP 503.')),
});

/** The other side of a document. */
export const counterpartySchema = named('Counterparty', 'The other side of a document.', {
  role: oneOf(COUNTERPARTY_ROLES, 'What it is called: buyer, supplier, recipient of goods, subject of a withholding.'),
  idType: orNull(text('Type of identification; null for the recipient of goods.', '05')),
  id: text('Identification number.', '1710034065'),
  name: text('Name.', 'María Muñoz'),
});

const commonFields = {
  accessKey: accessKeyText('Access key (clave de acceso).'),
  documentType: documentTypeField,
  sequential: textOfForm('^[0-9]{9}$', 'Number of the document at its issue point.', '000000001'),
  status: oneOf(DOCUMENT_STATUSES, 'Where the document stands.', 'AUTHORIZED'),
  issueDate: issueDate('Day of issue.'),
  total: money('Total with taxes; what was withheld by a withholding, 0.00 for a delivery guide.'),
  counterparty: counterpartySchema,
  authorizationNumber: maybe(
    text('The number the SRI authorized it under.', '2111202601179001234500110010020000000011234567819'),
  ),
  authorizationDate: maybe(text("The SRI's own moment of authorization.", '2026-11-21T10:00:05-05:00')),
  email: part('The mail to the counterparty.', {
    status: oneOf(MAIL_STATUSES, 'Where it stands.', 'SENT'),
    sentAt: maybe(timestamp('When it was handed over.', '2026-11-21T15:00:06.000Z')),
    error: maybe(text('Why it waits or could not be sent, in the language of the answer.', 'SMTP 550')),
  }),
  dispatch: maybe(dispatchSchema),
};

/** A document in every answer. Fields that do not apply are omitted; they are never null. */
export const documentSchema = named('Document', 'An electronic document.', commonFields);

/** A document in a list. */
export const listedDocumentSchema = named('ListedDocument', 'An electronic document in a list.', {
  ...commonFields,
  issuerId: uuid('Id of its issuer, sent as `X-Issuer-Id` to ask for the document.'),
});

/** A document with the body it was created from. */
export const documentWithPayloadSchema = named('DocumentWithPayload', 'A document with the body it was made from.', {
  ...commonFields,
  requestPayload: maybe(anyObject('The creation body as it came.', { documentType: '01' })),
});

/** A voided document. */
export const voidedDocumentSchema = named('VoidedDocument', 'A document that was marked as voided.', {
  ...commonFields,
  buyer: part('The counterparty.', {
    id: text('Identification number.', '1710034065'),
    idType: orNull(text('Type of identification; null for the recipient of goods.', '05')),
    name: text('Name.', 'María Muñoz'),
    email: orNull(text('Address; null where the document names none.', 'maria@example.com')),
  }),
  voidReason: maybe(text('Why it was voided.', 'Error en el comprador')),
  voidedAt: maybe(timestamp('When it was voided here.')),
});

/** A document as answers show it. */
export type DocumentBody = Shown<typeof documentSchema>;

/** Shapes the common fields of a document, for a reader of that language. */
export function toDocumentBody(document: StoredDocument, language: Language): DocumentBody {
  const { authorization, mail } = document;
  const dispatch = toDispatch(document, language);
  return {
    accessKey: document.accessKey,
    documentType: document.documentType,
    sequential: formatSequential(document.sequential),
    status: document.status,
    issueDate: toIssueDate(document.issueDate),
    total: document.total,
    counterparty: toCounterpartyBody(document),
    ...(authorization
      ? { authorizationNumber: authorization.number, authorizationDate: toIsoMoment(authorization.date) }
      : {}),
    email: {
      status: mail.status,
      ...(mail.sentAt ? { sentAt: mail.sentAt.toISOString() } : {}),
      ...(mail.error ? { error: mailReasonIn(language, mail.error) } : {}),
    },
    ...(dispatch ? { dispatch } : {}),
  };
}

/** Shapes the other side of a document. */
export function toCounterpartyBody({
  documentType,
  counterparty: { idType, id, name },
}: Pick<StoredDocument, 'documentType' | 'counterparty'>): Shown<typeof counterpartySchema> {
  return { role: DOCUMENTS[documentType].counterpartyRole, idType, id, name };
}

/** The `warnings` member of an answer; omitted without warnings. */
export function toWarningBodies(warnings: readonly Warning[], language: Language) {
  if (warnings.length === 0) return {};
  return {
    warnings: warnings.map((warning) => ({
      code: warning.code,
      field: warning.field,
      message: describeWarning(warning, language),
    })),
  };
}

// --- internal ---

function toDispatch({ status, job }: StoredDocument, language: Language): DocumentBody['dispatch'] | null {
  if (status !== 'PENDING_SEND' && status !== 'RECEIVED') return null;
  // The job is gone after the last late question too.
  if (!job) return { status: 'FAILED', attemptCount: 0, lastError: null };
  const running = job.running ? 'DISPATCHED' : 'PENDING';
  return {
    status: job.status === 'FAILED' ? 'FAILED' : running,
    attemptCount: job.attemptCount,
    lastError: job.lastError && describeFailedAttempt(job.lastError, language),
  };
}
