import { mailAddresses, type Scope, type StoredDocument } from 'sri-core';
import type { TenantContext } from '../accounts/index.js';
import {
  areMailsSent,
  insertMail,
  listUnsentMails,
  type MailedDocument,
  type MailOutcome,
  type OutboxWorkerDeps,
  recordOnDocument,
  requeueMails,
  sendMailNow,
  WENT_OUT,
} from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import { queueAuthorizationMail } from './queue-authorization-mail.js';

/** The result of a mail retry. */
export interface MailRetry {
  /** The outbox row, the counterparty's of several; absent when nothing was queued. */
  readonly messageId?: string;
  /** Resolves to whether every mail was sent. The attempt continues even if its caller stops waiting. */
  readonly attempt?: () => Promise<MailOutcome>;
}

/** Options of a repeat. */
export interface MailRetryOptions {
  /** Sends a copy to this address alone. */
  readonly email: string | null;
  /** Also repeats mails that were sent. */
  readonly force: boolean;
}

/** Checks that the mail of a document may be sent. @throws Refusal BAD_REQUEST before its authorization. */
export function requireMailable(document: StoredDocument): void {
  if (document.status === 'AUTHORIZED' || document.status === 'VOIDED') return;
  throw new Refusal('BAD_REQUEST', { reason: 'DOCUMENT_NOT_AUTHORIZED' });
}

/**
 * Makes a document's mails due now and returns their attempt. Empty when they were sent before, or the document names no
 * address.
 */
export async function retryMail(
  parts: OutboxWorkerDeps,
  context: TenantContext,
  document: StoredDocument,
  { email, force }: MailRetryOptions,
): Promise<MailRetry> {
  const addresses = mailAddresses(document);
  const isCopy = email !== null && email.toLowerCase() !== addresses[0]?.toLowerCase();
  if (!isCopy && (addresses.length === 0 || (!force && (await wentOut(parts, document))))) return {};
  const mails = isCopy
    ? [await queueCopy(parts, context, document, email)]
    : await requeue(parts, context, document, force);
  const [messageId] = mails;
  // Another worker is sending them now.
  if (messageId === undefined) return { attempt: async () => false };
  return { messageId, attempt: () => sendAll(parts, mails) };
}

/** The progress of a bulk repeat. */
export interface BulkRetry {
  attempted: number;
  succeeded: number;
  failed: number;
  /** Due now, for the worker. */
  queued: number;
}

/**
 * Makes an issuer's pending and failed mails due now, oldest first, at most 100, and attempts them in order. `progress`
 * is updated on the way, so that a caller that stops waiting has its current state.
 */
export async function retryUnsentMails(
  parts: OutboxWorkerDeps,
  context: TenantContext,
  scope: Scope,
  { progress, signal }: { readonly progress: BulkRetry; readonly signal: AbortSignal },
): Promise<void> {
  const { database, clock, engine } = parts;
  const keys = await database.read((tables) => listUnsentMails(tables, scope, { now: clock.now(), limit: BULK_LIMIT }));
  const attempts: (() => Promise<MailOutcome>)[] = [];
  for (const accessKey of keys) {
    const document = await engine.get(scope, accessKey);
    const { attempt } = await retryMail(parts, context, document, { email: null, force: false });
    if (attempt) attempts.push(attempt);
    progress.queued = attempts.length;
  }
  for (const attempt of attempts) {
    if (signal.aborted) return;
    const sent = await attempt();
    if (signal.aborted) return;
    progress.queued -= 1;
    progress.attempted += 1;
    if (sent === true) progress.succeeded += 1;
    else progress.failed += 1;
  }
}

// --- internal ---

const BULK_LIMIT = 100;

async function wentOut({ database }: OutboxWorkerDeps, document: StoredDocument): Promise<boolean> {
  if (!WENT_OUT.some((status) => status === document.mail.status)) return false;
  return document.copies.length === 0 || database.read((tables) => areMailsSent(tables, document.id));
}

async function sendAll(parts: OutboxWorkerDeps, mails: readonly string[]): Promise<MailOutcome> {
  const outcomes = new Set<MailOutcome>();
  for (const id of mails) outcomes.add((await sendMailNow(parts, id)) ?? false);
  return !outcomes.has(false) && (outcomes.has('skipped') ? 'skipped' : true);
}

/** @returns the ids of the mails, without those that a worker holds. */
async function requeue(
  parts: OutboxWorkerDeps,
  { tenant }: TenantContext,
  document: StoredDocument,
  sentToo: boolean,
): Promise<readonly string[]> {
  const now = parts.clock.now();
  let mails: readonly string[] = [];
  const mark = async (tables: Tables) => {
    // A document that the library authorized without this server has no mail yet.
    await queueAuthorizationMail(tables, document, { newId: parts.newId, now });
    mails = await requeueMails(tables, document.id, { now, language: tenant.language, sentToo });
    return mails.length > 0;
  };
  await recordOnDocument(
    parts,
    toMailed(document, true),
    { mail: ({ mail }) => (mail.sentAt === null ? { status: 'PENDING', sentAt: null, error: null } : null) },
    mark,
  );
  return mails;
}

async function queueCopy(
  parts: OutboxWorkerDeps,
  { tenant }: TenantContext,
  document: StoredDocument,
  email: string,
): Promise<string> {
  const now = parts.clock.now();
  const id = parts.newId(now);
  await parts.database.transaction((tables) =>
    insertMail(tables, {
      id,
      tenantId: tenant.id,
      kind: 'AUTHORIZED',
      recipient: email,
      language: tenant.language,
      data: {},
      token: null,
      document: toMailed(document, false),
      createdAt: now,
    }),
  );
  return id;
}

function toMailed({ id, issuerId, environment, accessKey }: StoredDocument, automatic: boolean): MailedDocument {
  return { id, issuerId, environment, accessKey, automatic, requested: true };
}
