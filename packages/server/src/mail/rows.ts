import { type SqlBool, sql } from 'kysely';
import type { Environment, Language, Scope } from 'sri-core';
import { inParts } from '../platform/database/in-parts.js';
import type { Tables } from '../platform/database/tables.js';
import {
  changeJobs,
  isFree,
  isPending,
  type JobChange,
  type JobRow,
  NO_ATTEMPTS,
  NO_LEASE,
  ONE_ATTEMPT,
  restartJobs,
  settleJobs,
  toJobRow,
  toLease,
} from '../platform/jobs/job-rows.js';
import type { ClaimedMail, HeldFor, MailedDocument, MailKind, OutboxMail } from './outbox-mail.js';

/** Columns that wipe a mail's secret, once it is sent or given up. */
export const NO_SECRET = { master_key_id: null, wrapped_key: null, sealed_token: null };

/** Queues a mail, in the transaction of its cause. It is due at once. */
export async function insertMail(tables: Tables, mail: OutboxMail): Promise<void> {
  await tables.insertInto('jobs').values(toMailRow(mail)).execute();
}

/** Queues the mails of authorizations, except existing mails. The mails are due at once. */
export async function insertMailsOnce(tables: Tables, mails: readonly OutboxMail[]): Promise<void> {
  for (const part of inParts(mails.map(toMailRow))) {
    await tables
      .insertInto('jobs')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['authorization_of', 'recipient']).where('authorization_of', 'is not', null).doNothing(),
      )
      .execute();
  }
}

/** The mail of a job. */
export function toMail(row: JobRow): OutboxMail {
  const { master_key_id: masterKeyId, wrapped_key: wrappedKey, sealed_token: ciphertext } = row;
  const document = toMailedDocument(row);
  return {
    id: row.id,
    tenantId: row.tenant_id ?? '',
    kind: row.subject as MailKind,
    recipient: row.recipient ?? '',
    language: row.language as Language,
    data: JSON.parse(row.data ?? '{}'),
    token: masterKeyId && wrappedKey && ciphertext ? { masterKeyId, wrappedKey, ciphertext } : null,
    ...(document ? { document } : {}),
    createdAt: new Date(row.created_at),
  };
}

/** A mail of a claimed job. Reports of an earlier sending do not apply to this one. */
export async function toClaimedMail(tables: Tables, row: JobRow): Promise<ClaimedMail> {
  if (row.reports) await changeJobs(tables, sql`id = ${row.id}`, { reports: '' });
  return { lease: toLease(row), mail: toMail(row), attemptCount: row.attempt_count };
}

/**
 * Makes the mails of an authorization due at once and restarts their attempts; their Message-IDs stay.
 *
 * @param sentToo false to leave those that were sent.
 * @returns their ids, the counterparty's first; without those that a worker holds.
 */
export async function requeueMails(
  tables: Tables,
  documentId: string,
  { now, language, sentToo }: { readonly now: Date; readonly language: Language; readonly sentToo: boolean },
): Promise<readonly string[]> {
  const free = sql<SqlBool>`authorization_of = ${documentId} and ${isFree(now)}`;
  const ids = await restartJobs(tables, sentToo ? free : sql`${free} and status <> 'SENT'`, now, {
    ...NO_ATTEMPTS,
    requested: 1,
    language,
    // A repeat of a sent mail is counted again.
    counted_on: sql<string | null>`case when status = 'PENDING' or status = 'FAILED' then counted_on end`,
  });
  return ids.toSorted();
}

/** Whether every mail of an authorization was sent; true without any. */
export async function areMailsSent(tables: Tables, documentId: string): Promise<boolean> {
  const unsent = await tables
    .selectFrom('jobs')
    .select('id')
    .where('authorization_of', '=', documentId)
    .where('status', '<>', 'SENT')
    .limit(1)
    .executeTakeFirst();
  return unsent === undefined;
}

/** The states of a document's mail that was sent. */
export const WENT_OUT = ['SENT', 'DELIVERED', 'COMPLAINED'] as const;

/**
 * Access keys of the authorizations with pending or failed mails, oldest first, without those that a worker holds, and
 * without documents of one recipient whose mail was sent otherwise, as by a copy on request.
 */
export async function listUnsentMails(
  tables: Tables,
  scope: Scope,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom('jobs')
    .select('access_key')
    .where('issuer_id', '=', scope.issuerId)
    .where('environment', '=', scope.environment)
    // The exact condition of the index: with parameters, a planner cannot choose it.
    .where(sql<SqlBool>`status in ('PENDING', 'FAILED', 'UNVERIFIED', 'OVER_LIMIT')`)
    .where('authorization_of', 'is not', null)
    .where(isFree(now))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sri_documents')
            .select('sri_documents.id')
            .whereRef('sri_documents.id', '=', 'jobs.authorization_of')
            .whereRef('sri_documents.issuer_id', '=', 'jobs.issuer_id')
            .where('mail_copies', 'is', null)
            .where('mail_status', 'in', WENT_OUT),
        ),
      ),
    )
    .groupBy('access_key')
    .orderBy(({ fn }) => fn.min('created_at'))
    .orderBy('access_key')
    .limit(limit)
    .execute();
  return rows.flatMap((row) => row.access_key ?? []);
}

/** Due mails of authorizations without a request, which no worker holds, oldest first. */
export async function listAutomaticMails(
  tables: Tables,
  { from, issuerId, now }: { readonly from: number | null; readonly issuerId: string | null; readonly now: Date },
  limit: number,
): Promise<readonly { readonly id: string; readonly recipient: string; readonly document: MailedDocument }[]> {
  const rows = await tables
    .selectFrom('jobs')
    .selectAll()
    .where(isPending('MAIL'))
    .where('ready_at', '<=', now.getTime())
    .$if(from !== null, (query) => query.where('ready_at', '>=', from ?? 0))
    .$if(issuerId !== null, (query) => query.where('issuer_id', '=', issuerId))
    .where('authorization_of', 'is not', null)
    .where('requested', '=', 0)
    .orderBy('ready_at')
    .limit(limit)
    .execute();
  return rows.flatMap((row) => {
    const document = toMailedDocument(row);
    return document ? [{ id: row.id, recipient: row.recipient ?? '', document }] : [];
  });
}

/** Marks a mail without a request as skipped. @returns false when a worker holds it, or a caller has requested it. */
export async function markMailSkippedUnclaimed(tables: Tables, id: string, now: Date): Promise<boolean> {
  const which = sql<SqlBool>`id = ${id} and ${isPending('MAIL')} and ${isFree(now)} and requested = 0`;
  return (await changeJobs(tables, which, SKIPPED)).length > 0;
}

/** Marks the waiting mails of an account that are of those kinds as skipped. A running attempt may still send its mail. */
export async function markWaitingMailsSkipped(
  tables: Tables,
  tenantId: string,
  kinds: readonly MailKind[],
): Promise<void> {
  const about = sql.join(kinds);
  await changeJobs(tables, sql`lane = ${tenantId} and ${isPending('MAIL')} and subject in (${about})`, SKIPPED);
}

/** Stores the result of a claimed mail. @returns false when another worker has taken it since. */
export async function settleMail(tables: Tables, { lease }: ClaimedMail, change: JobChange): Promise<boolean> {
  return (await settleJobs(tables, [lease], change)).has(lease.id);
}

/** Whether a mail waits for an attempt. A mail that was replaced during its last attempt does not wait. */
export async function isWaiting(tables: Tables, id: string): Promise<boolean> {
  const waiting = tables.selectFrom('jobs').select('id').where('id', '=', id).where(isPending('MAIL'));
  return (await waiting.executeTakeFirst()) !== undefined;
}

/** A mail that is not sent, which wipes its secret. */
export const SKIPPED = { status: 'SKIPPED', ...NO_SECRET };

/** A sent mail, which wipes its secret. */
export function sentAt(now: Date): JobChange {
  return { status: 'SENT', done_at: now.getTime(), last_error: null, ...ONE_ATTEMPT, ...NO_SECRET };
}

/** A failed attempt. @param dueAt when to retry; null to give the mail up, which wipes its secret. */
export function failedWith(error: string, dueAt: Date | null): JobChange {
  const next = dueAt ? { due_at: dueAt.getTime() } : { status: 'FAILED', ...NO_SECRET };
  return { last_error: error, ...ONE_ATTEMPT, ...next };
}

/** A held mail. */
export function heldFor(status: HeldFor, error: string, dueAt: Date): JobChange {
  return { status, last_error: error, due_at: dueAt.getTime() };
}

/** Skips the waiting mails of an account, also the mails that a worker holds. */
export async function skipUnsentMails(tables: Tables, tenantId: string): Promise<void> {
  const skipped = { ...SKIPPED, ...NO_LEASE };
  const lanes = sql.join([tenantId, TO_ALL]);
  await changeJobs(tables, sql`${isPending('MAIL')} and lane in (${lanes}) and tenant_id = ${tenantId}`, skipped);
  await changeJobs(tables, sql`status in ('UNVERIFIED', 'OVER_LIMIT') and tenant_id = ${tenantId}`, skipped);
}

// --- internal ---

/** The document of a mail; null for a mail about the account. */
function toMailedDocument(row: JobRow): MailedDocument | null {
  const { document_id: id, issuer_id: issuerId, environment, access_key: accessKey } = row;
  if (id === null || issuerId === null || environment === null || accessKey === null) return null;
  return {
    id,
    issuerId,
    environment: environment as Environment,
    accessKey,
    automatic: row.authorization_of !== null,
    requested: row.requested === 1,
  };
}

/** The lane of mails to all accounts: together they take turns with the mails of one account. */
const TO_ALL = 'PRICES';

const KINDS_TO_ALL: ReadonlySet<MailKind> = new Set(['PRICE_CHANGE', 'PRICE_WITHDRAWN']);

function toMailRow(mail: OutboxMail) {
  const { id, kind: subject, tenantId, document, createdAt: now } = mail;
  const lane = KINDS_TO_ALL.has(subject) ? TO_ALL : tenantId;
  return {
    ...toJobRow({ id, kind: 'MAIL', subject, lane, tenantId, now }),
    recipient: mail.recipient,
    language: mail.language,
    data: JSON.stringify(mail.data),
    master_key_id: mail.token?.masterKeyId ?? null,
    wrapped_key: mail.token?.wrappedKey ?? null,
    sealed_token: mail.token?.ciphertext ?? null,
    document_id: document?.id ?? null,
    issuer_id: document?.issuerId ?? null,
    environment: document?.environment ?? null,
    access_key: document?.accessKey ?? null,
    authorization_of: document?.automatic ? document.id : null,
    requested: document?.requested ? 1 : 0,
    reports: '',
  };
}
