import { mailAddresses, type Scope, type StoredDocument } from 'sri-core';
import type { TenantContext } from '../accounts/index.js';
import {
  insertMail,
  listUnsentMails,
  type MailedDocument,
  type OutboxWorkerDeps,
  recordOnDocument,
  requeueMail,
  sendMailNow,
} from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import { queueAuthorizationMail } from './queue-authorization-mail.js';

/** The result of a mail retry. */
export interface MailRetry {
  /** The outbox row; absent when nothing was queued. */
  readonly messageId?: string;
  /** Resolves to whether the mail was sent. The attempt continues even if its caller stops waiting. */
  readonly attempt?: () => Promise<boolean>;
}

/** Options of a repeat. */
export interface MailRetryOptions {
  /** Sends a copy to this address instead of the buyer. */
  readonly email: string | null;
  /** Also repeats a mail that was sent. */
  readonly force: boolean;
}

/** Checks that the mail of a document may be sent. @throws Refusal BAD_REQUEST before its authorization. */
export function requireMailable(document: StoredDocument): void {
  if (document.status === 'AUTHORIZED' || document.status === 'VOIDED') return;
  throw new Refusal('BAD_REQUEST', { reason: 'DOCUMENT_NOT_AUTHORIZED' });
}

/**
 * Makes a document's mail due now and returns its attempt. Empty when the mail was sent before, or the counterparty has
 * no address.
 */
export async function retryMail(
  parts: OutboxWorkerDeps,
  context: TenantContext,
  document: StoredDocument,
  { email, force }: MailRetryOptions,
): Promise<MailRetry> {
  const addresses = mailAddresses(document);
  const isCopy = email !== null && email.toLowerCase() !== addresses[0]?.toLowerCase();
  if (!isCopy && !force && WENT_OUT.has(document.mail.status)) return {};
  if (!isCopy && addresses.length === 0) return {};
  const messageId = isCopy ? await queueCopy(parts, context, document, email) : await requeue(parts, context, document);
  // Another worker is sending it now.
  if (messageId === null) return { attempt: async () => false };
  return { messageId, attempt: async () => (await sendMailNow(parts, messageId)) === true };
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
  const attempts: (() => Promise<boolean>)[] = [];
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
    if (sent) progress.succeeded += 1;
    else progress.failed += 1;
  }
}

// --- internal ---

const BULK_LIMIT = 100;
const WENT_OUT: ReadonlySet<string> = new Set(['SENT', 'DELIVERED', 'COMPLAINED']);

/** @returns the mail's id; null when a worker holds it. */
async function requeue(
  parts: OutboxWorkerDeps,
  { tenant }: TenantContext,
  document: StoredDocument,
): Promise<string | null> {
  const now = parts.clock.now();
  let messageId: string | null = null;
  const mark = async (tables: Tables) => {
    // Documents authorized before the outbox existed have no mail yet.
    await queueAuthorizationMail(tables, document, { id: parts.newId(now), now });
    messageId = await requeueMail(tables, document.id, { now, language: tenant.language });
    return messageId !== null;
  };
  await recordOnDocument(
    parts,
    toMailed(document, true),
    { mail: ({ mail }) => (mail.sentAt === null ? { status: 'PENDING', sentAt: null, error: null } : null) },
    mark,
  );
  return messageId;
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
