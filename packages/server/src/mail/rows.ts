import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { Scope } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';
import type { Language } from '../platform/language.js';
import { NO_SECRET, toMailedDocument } from './mail-row.js';
import type { ClaimedMail, MailedDocument, MailKind, OutboxMail } from './outbox-mail.js';
import type { MailOutboxTable } from './tables.js';

/** Queues a mail, in the transaction of its cause. It is due at once. */
export async function insertMail(tables: Tables, mail: OutboxMail): Promise<void> {
  await tables.insertInto('mail_outbox').values(toRow(mail)).execute();
}

/** Queues the mails of authorizations, except those that exist. They are due at once. */
export async function insertMailsOnce(tables: Tables, mails: readonly OutboxMail[]): Promise<void> {
  if (mails.length === 0) return;
  await tables
    .insertInto('mail_outbox')
    .values(mails.map(toRow))
    .onConflict((conflict) => conflict.columns(['authorization_of', 'recipient']).doNothing())
    .execute();
}

/**
 * Claims the mail that has been due longest, for `leaseMs`; null when none is due. Two workers never hold the same
 * mail.
 *
 * @param exceptOf accounts whose mails are skipped.
 */
export async function claimMail(
  tables: Tables,
  now: Date,
  leaseMs: number,
  exceptOf: readonly string[] = [],
): Promise<ClaimedMail | null> {
  const at = now.getTime();
  for (;;) {
    const due = await tables
      .selectFrom('mail_outbox')
      .select('id')
      .where(isWaiting())
      .where('due_at', '<=', at)
      .where('lease_until', '<=', at)
      .$if(exceptOf.length > 0, (query) => query.where('tenant_id', 'not in', exceptOf))
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    if (!due) return null;
    const claimed = await claimMailById(tables, due.id, now, leaseMs);
    // Otherwise another worker was faster: look for the next mail.
    if (claimed) return claimed;
  }
}

/** Claims one mail for `leaseMs`, whether or not it is due; null when it is not waiting or a worker holds it. */
export async function claimMailById(
  tables: Tables,
  id: string,
  now: Date,
  leaseMs: number,
): Promise<ClaimedMail | null> {
  const at = now.getTime();
  const row = await tables
    .updateTable('mail_outbox')
    // Reports of an earlier sending do not apply to this one.
    .set((set) => ({ lease_until: at + leaseMs, lease_token: set('lease_token', '+', 1), reports: '' }))
    .where('id', '=', id)
    .where(isWaiting())
    .where('lease_until', '<=', at)
    .returningAll()
    .executeTakeFirst();
  return row ? toClaimed(row) : null;
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
  const rows = await tables
    .updateTable('mail_outbox')
    .set({
      status: 'PENDING',
      due_at: now.getTime(),
      attempt_count: 0,
      last_error: null,
      requested: 1,
      language,
      // A repeat of a sent mail is counted again.
      counted_on: sql<string | null>`case when status = 'PENDING' or status = 'FAILED' then counted_on end`,
    })
    .where('authorization_of', '=', documentId)
    .where('lease_until', '<=', now.getTime())
    .$if(!sentToo, (query) => query.where('status', '<>', 'SENT'))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id).toSorted();
}

/** Whether every mail of an authorization was sent; true without any. */
export async function areMailsSent(tables: Tables, documentId: string): Promise<boolean> {
  const unsent = await tables
    .selectFrom('mail_outbox')
    .select('id')
    .where('authorization_of', '=', documentId)
    .where('status', '<>', 'SENT')
    .limit(1)
    .executeTakeFirst();
  return unsent === undefined;
}

/** Access keys of the authorizations with pending or failed mails, oldest first, without those that a worker holds. */
export async function listUnsentMails(
  tables: Tables,
  scope: Scope,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom('mail_outbox')
    .select('access_key')
    .where('issuer_id', '=', scope.issuerId)
    .where('environment', '=', scope.environment)
    .where(isUnsent())
    .where('authorization_of', 'is not', null)
    .where('lease_until', '<=', now.getTime())
    .groupBy('access_key')
    .orderBy(({ fn }) => fn.min('created_at'))
    .orderBy('access_key')
    .limit(limit)
    .execute();
  return rows.flatMap((row) => row.access_key ?? []);
}

/** Due mails of authorizations without a request, which no worker holds, longest due first. */
export async function listAutomaticMails(
  tables: Tables,
  now: Date,
  limit: number,
): Promise<readonly { readonly id: string; readonly recipient: string; readonly document: MailedDocument }[]> {
  const rows = await tables
    .selectFrom('mail_outbox')
    .selectAll()
    .where(isWaiting())
    .where('due_at', '<=', now.getTime())
    .where('lease_until', '<=', now.getTime())
    .where('authorization_of', 'is not', null)
    .where('requested', '=', 0)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.flatMap((row) => {
    const document = toMailedDocument(row);
    return document ? [{ id: row.id, recipient: row.recipient, document }] : [];
  });
}

/** Marks a mail without a request as skipped. @returns false when a worker holds it, or a caller has requested it. */
export async function markMailSkippedUnclaimed(tables: Tables, id: string, now: Date): Promise<boolean> {
  const result = await tables
    .updateTable('mail_outbox')
    .set({ status: 'SKIPPED', ...NO_SECRET })
    .where('id', '=', id)
    .where(isWaiting())
    .where('lease_until', '<=', now.getTime())
    .where('requested', '=', 0)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Marks a mail as skipped. @returns false when another worker has taken it since. */
export async function markMailSkipped(tables: Tables, claimed: ClaimedMail): Promise<boolean> {
  const result = await tables
    .updateTable('mail_outbox')
    .set({ status: 'SKIPPED', lease_until: 0, ...NO_SECRET })
    .where('id', '=', claimed.mail.id)
    .where('lease_token', '=', claimed.leaseToken)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Marks a mail as sent and wipes its secret. @returns false when another worker has taken it since. */
export async function markMailSent(tables: Tables, claimed: ClaimedMail, now: Date): Promise<boolean> {
  const result = await tables
    .updateTable('mail_outbox')
    .set({
      status: 'SENT',
      sent_at: now.getTime(),
      attempt_count: claimed.attemptCount + 1,
      last_error: null,
      lease_until: 0,
      ...NO_SECRET,
    })
    .where('id', '=', claimed.mail.id)
    .where('lease_token', '=', claimed.leaseToken)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Records a failed attempt.
 *
 * @param dueAt when to retry; null to give the mail up, which wipes its secret.
 * @returns false when another worker has taken it since.
 */
export async function markMailFailed(
  tables: Tables,
  claimed: ClaimedMail,
  failure: { readonly error: string; readonly dueAt: Date | null },
): Promise<boolean> {
  const result = await tables
    .updateTable('mail_outbox')
    .set({
      attempt_count: claimed.attemptCount + 1,
      last_error: failure.error,
      lease_until: 0,
      ...(failure.dueAt ? { due_at: failure.dueAt.getTime() } : { status: 'FAILED', ...NO_SECRET }),
    })
    .where('id', '=', claimed.mail.id)
    .where('lease_token', '=', claimed.leaseToken)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Releases a mail, due and with no attempt used; unless another worker has taken it since. */
export async function releaseMail(tables: Tables, claimed: ClaimedMail): Promise<void> {
  await tables
    .updateTable('mail_outbox')
    .set({ lease_until: 0 })
    .where('id', '=', claimed.mail.id)
    .where('lease_token', '=', claimed.leaseToken)
    .execute();
}

// --- internal ---

// The exact conditions of the indexes: with parameters, a planner cannot choose a partial index.

function isWaiting() {
  return sql<SqlBool>`status = 'PENDING'`;
}

function isUnsent() {
  return sql<SqlBool>`status in ('PENDING', 'FAILED', 'UNVERIFIED', 'OVER_LIMIT')`;
}

function toRow(mail: OutboxMail): Insertable<MailOutboxTable> {
  const { document } = mail;
  return {
    id: mail.id,
    tenant_id: mail.tenantId,
    kind: mail.kind,
    recipient: mail.recipient,
    language: mail.language,
    data: JSON.stringify(mail.data),
    master_key_id: mail.token?.masterKeyId ?? null,
    wrapped_key: mail.token?.wrappedKey ?? null,
    sealed_token: mail.token?.ciphertext ?? null,
    status: 'PENDING',
    attempt_count: 0,
    due_at: mail.createdAt.getTime(),
    lease_until: 0,
    lease_token: 0,
    last_error: null,
    created_at: mail.createdAt.getTime(),
    sent_at: null,
    document_id: document?.id ?? null,
    issuer_id: document?.issuerId ?? null,
    environment: document?.environment ?? null,
    access_key: document?.accessKey ?? null,
    authorization_of: document?.automatic ? document.id : null,
    requested: document?.requested ? 1 : 0,
    reports: '',
    counted_on: null,
  };
}

function toClaimed(row: Selectable<MailOutboxTable>): ClaimedMail {
  const { master_key_id: masterKeyId, wrapped_key: wrappedKey, sealed_token: ciphertext } = row;
  const document = toMailedDocument(row);
  return {
    mail: {
      id: row.id,
      tenantId: row.tenant_id,
      kind: row.kind as MailKind,
      recipient: row.recipient,
      language: row.language as Language,
      data: JSON.parse(row.data),
      token: masterKeyId && wrappedKey && ciphertext ? { masterKeyId, wrappedKey, ciphertext } : null,
      ...(document ? { document } : {}),
      createdAt: new Date(row.created_at),
    },
    leaseToken: row.lease_token,
    attemptCount: row.attempt_count,
  };
}
