import type { Clock, Engine, Logger } from 'sri-core';
import { claimMail, claimMailById, markMailFailed, markMailSent, markMailSkipped } from '../store/mail-outbox.js';
import type { ServerDatabase } from '../store/schema.js';
import { insertTenantEvent } from '../store/tenant-events.js';
import type { Vault } from '../tenancy/vault.js';
import { writeDocumentMail } from './document-mail.js';
import { recordOnDocument } from './document-outcome.js';
import { tellMailError } from './mail-error.js';
import type { MailTemplates } from './mail-templates.js';
import type { MailTransport, WrittenMail } from './mail-transport.js';
import { type ClaimedMail, MAIL_RETRY_DELAYS_MS, type MailedDocument, mailTokenLabel } from './outbox-mail.js';
import { verificationLink, writeVerificationMail } from './verification-mail.js';

/** What sending mails needs. */
export interface OutboxWorkerParts {
  readonly database: ServerDatabase;
  readonly vault: Vault;
  /** Draws the documents that go along. */
  readonly engine: Engine;
  readonly transport: MailTransport;
  readonly templates: MailTemplates;
  /** False where buyers get no mail that nobody asked for. */
  readonly mailToBuyers: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: (now: Date) => string;
  readonly leaseMs: number;
  /** The server's own address, for links. */
  readonly baseUrl: string;
}

/**
 * Sends every mail that is due, one after the other, until none is left or `signal` stops it between two mails.
 *
 * @returns how many attempts were made.
 */
export async function sendDueMails(parts: OutboxWorkerParts, signal?: AbortSignal): Promise<number> {
  let attempts = 0;
  while (!signal?.aborted) {
    const claimed = await parts.database.transaction((tables) => claimMail(tables, parts.clock.now(), parts.leaseMs));
    if (!claimed) break;
    attempts += 1;
    await attempt(parts, claimed);
  }
  return attempts;
}

/** Tries one mail now, whether or not it is due. @returns whether it is out; null when a worker holds it. */
export async function sendMailNow(parts: OutboxWorkerParts, mailId: string): Promise<boolean | null> {
  const { database, clock, leaseMs } = parts;
  const claimed = await database.transaction((tables) => claimMailById(tables, mailId, clock.now(), leaseMs));
  return claimed && attempt(parts, claimed);
}

// --- internal ---

/** One attempt, with what came of it. @returns whether the mail is out. */
async function attempt(parts: OutboxWorkerParts, claimed: ClaimedMail): Promise<boolean> {
  const { mail } = claimed;
  const { document } = mail;
  if (document?.automatic && !document.requested && !parts.mailToBuyers) {
    await recordSkipped(parts, claimed, document);
    return false;
  }
  try {
    const written = document ? await writeDocumentMail(parts, mail, document) : writeVerification(parts, claimed);
    await parts.transport.send({ ...written, id: mail.id, to: mail.recipient, date: parts.clock.now() });
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    if (document) await recordDocumentFailure(parts, claimed, document, tellMailError(error));
    else await recordFailure(parts, claimed, reason);
    const { id: mailId, tenantId } = mail;
    parts.logger.warn({ mailId, tenantId, attempt: claimed.attemptCount + 1, error: reason }, 'mail not sent');
    return false;
  }
  if (document) await recordDocumentSent(parts, claimed, document);
  else await recordSent(parts, claimed);
  parts.logger.info({ mailId: mail.id, tenantId: mail.tenantId, kind: mail.kind }, 'mail sent');
  return true;
}

async function recordSent(parts: OutboxWorkerParts, claimed: ClaimedMail): Promise<void> {
  const { mail } = claimed;
  const now = parts.clock.now();
  await parts.database.transaction(async (tables) => {
    if (!(await markMailSent(tables, claimed, now))) return;
    await insertTenantEvent(tables, mail.tenantId, {
      id: parts.newId(now),
      eventType: 'VERIFICATION_EMAIL_SENT',
      detail: { messageId: mail.id },
      createdAt: now,
    });
  });
}

/** A failed attempt is told in the account's history at once; `willRetry` says whether another one follows. */
async function recordFailure(parts: OutboxWorkerParts, claimed: ClaimedMail, error: string): Promise<void> {
  const { mail, attemptCount } = claimed;
  const now = parts.clock.now();
  const dueAt = nextAttempt(claimed, now);
  await parts.database.transaction(async (tables) => {
    if (!(await markMailFailed(tables, claimed, { error: error.slice(0, MAX_ERROR), dueAt }))) return;
    await insertTenantEvent(tables, mail.tenantId, {
      id: parts.newId(now),
      eventType: 'VERIFICATION_EMAIL_FAILED',
      detail: { messageId: mail.id, attempt: attemptCount + 1, willRetry: dueAt !== null },
      createdAt: now,
    });
  });
}

async function recordDocumentSent(
  parts: OutboxWorkerParts,
  claimed: ClaimedMail,
  document: MailedDocument,
): Promise<void> {
  const { id, recipient } = claimed.mail;
  const event = { type: 'EMAIL_SENT', detail: { messageId: id, recipient, attempt: claimed.attemptCount + 1 } };
  await recordOnDocument(
    parts,
    document,
    {
      event,
      mail: ({ mail }, now) =>
        // A copy says nothing of the buyer's mail, unless that had come to nothing.
        document.automatic || GIVEN_UP.has(mail.status) ? { status: 'SENT', sentAt: now, error: null } : null,
    },
    (tables) => markMailSent(tables, claimed, parts.clock.now()),
  );
}

/** The document learns of a failure as such once no attempt follows; until then its history does. */
async function recordDocumentFailure(
  parts: OutboxWorkerParts,
  claimed: ClaimedMail,
  document: MailedDocument,
  error: string,
): Promise<void> {
  const { id, recipient } = claimed.mail;
  const dueAt = nextAttempt(claimed, parts.clock.now());
  const willRetry = dueAt !== null;
  const detail = { messageId: id, recipient, attempt: claimed.attemptCount + 1, willRetry, message: error };
  await recordOnDocument(
    parts,
    document,
    {
      event: { type: willRetry ? 'EMAIL_TEMP_FAILED' : 'EMAIL_FAILED', detail },
      mail: ({ mail }) =>
        // What the buyer got before stays true when a repeat of it fails.
        !willRetry && document.automatic && mail.sentAt === null ? { status: 'FAILED', sentAt: null, error } : null,
    },
    (tables) => markMailFailed(tables, claimed, { error, dueAt }),
  );
}

async function recordSkipped(parts: OutboxWorkerParts, claimed: ClaimedMail, document: MailedDocument): Promise<void> {
  await recordOnDocument(
    parts,
    document,
    {
      event: { type: 'EMAIL_SKIPPED', detail: { messageId: claimed.mail.id } },
      mail: () => ({ status: 'SKIPPED', sentAt: null, error: null }),
    },
    (tables) => markMailSkipped(tables, claimed),
  );
}

function nextAttempt({ attemptCount }: ClaimedMail, now: Date): Date | null {
  const delay = MAIL_RETRY_DELAYS_MS[attemptCount];
  return delay === undefined ? null : new Date(now.getTime() + delay);
}

function writeVerification(parts: OutboxWorkerParts, { mail }: ClaimedMail): Omit<WrittenMail, 'id' | 'to' | 'date'> {
  if (!mail.token) throw new Error('The mail has no token any more.');
  const token = parts.vault.open(mail.token, mailTokenLabel(mail)).toString('utf8');
  const link = verificationLink(token, mail.data['redirectUrl'] ?? null, parts.baseUrl);
  return writeVerificationMail(
    { businessName: mail.data['businessName'] ?? '', link, token, hours: Number(mail.data['hours'] ?? '24') },
    mail.language,
  );
}

const MAX_ERROR = 300;
const GIVEN_UP: ReadonlySet<string> = new Set(['FAILED', 'SKIPPED']);
