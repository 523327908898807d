import type { Scope, StoredDocument } from 'sri-core';
import type { TenantContext } from '../accounts/index.js';
import {
  insertMail,
  listUnsentMails,
  type MailedDocument,
  type OutboxWorkerParts,
  recordOnDocument,
  requeueMail,
  sendMailNow,
} from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import { queueAuthorizationMail } from './queue-authorization-mail.js';

/** What a document's mail came to on request. */
export interface MailRetry {
  /** The outbox row; absent when nothing was put there. */
  readonly messageId?: string;
  /** Resolves with whether the mail is out. The attempt goes on whoever waits for it. */
  readonly attempt?: () => Promise<boolean>;
}

/** What may be asked of a repeat. */
export interface MailRetryOptions {
  /** Sends a copy there instead of to the buyer. */
  readonly email: string | null;
  /** Also repeats what was sent before. */
  readonly force: boolean;
}

/** A document whose mail may go out. @throws Refusal BAD_REQUEST before its authorization. */
export function requireMailable(document: StoredDocument): void {
  if (document.status === 'AUTHORIZED' || document.status === 'VOIDED') return;
  throw new Refusal('BAD_REQUEST', { reason: 'DOCUMENT_NOT_AUTHORIZED' });
}

/**
 * Makes a document's mail due now and gives its attempt. Nothing is in it when the mail was sent
 * before, or when the counterparty has no address.
 */
export async function retryMail(
  parts: OutboxWorkerParts,
  context: TenantContext,
  document: StoredDocument,
  { email, force }: MailRetryOptions,
): Promise<MailRetry> {
  const isCopy = email !== null && email.toLowerCase() !== document.counterparty.email?.toLowerCase();
  if (!isCopy && !force && WENT_OUT.has(document.mail.status)) return {};
  if (!isCopy && document.counterparty.email === null) return {};
  const messageId = isCopy ? await queueCopy(parts, context, document, email) : await requeue(parts, context, document);
  // Another worker is sending it at this moment.
  if (messageId === null) return { attempt: async () => false };
  return { messageId, attempt: async () => (await sendMailNow(parts, messageId)) === true };
}

/** What a repeat of many mails has come to so far. */
export interface BulkRetry {
  attempted: number;
  succeeded: number;
  failed: number;
  /** Due now, for the worker. */
  queued: number;
}

/**
 * Makes an issuer's mails that wait or were given up due now, oldest first, at most 100, and tries them one after the
 * other. `progress` is kept up to date, so that whoever stops waiting knows how far it came.
 */
export async function retryUnsentMails(
  parts: OutboxWorkerParts,
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
  parts: OutboxWorkerParts,
  { tenant }: TenantContext,
  document: StoredDocument,
): Promise<string | null> {
  const now = parts.clock.now();
  let messageId: string | null = null;
  const mark = async (tables: Tables) => {
    // Documents that were authorized before there was an outbox have no mail yet.
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
  parts: OutboxWorkerParts,
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
