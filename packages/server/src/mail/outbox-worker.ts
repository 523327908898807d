import type { Clock, Logger } from 'sri-core';
import { claimMail, markMailFailed, markMailSent } from '../store/mail-outbox.js';
import type { ServerDatabase } from '../store/schema.js';
import { insertTenantEvent } from '../store/tenant-events.js';
import type { Vault } from '../tenancy/vault.js';
import type { MailTransport } from './mail-transport.js';
import { type ClaimedMail, MAIL_RETRY_DELAYS_MS, mailTokenLabel } from './outbox-mail.js';
import { type MailText, verificationLink, writeVerificationMail } from './verification-mail.js';

/** What sending mails needs. */
export interface OutboxWorkerParts {
  readonly database: ServerDatabase;
  readonly vault: Vault;
  readonly transport: MailTransport;
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

// --- internal ---

async function attempt(parts: OutboxWorkerParts, claimed: ClaimedMail): Promise<void> {
  const { mail } = claimed;
  try {
    const text = write(parts, claimed);
    await parts.transport.send({ ...text, id: mail.id, to: mail.recipient, date: parts.clock.now() });
  } catch (error) {
    await recordFailure(parts, claimed, error instanceof Error ? error.message : 'unknown error');
    return;
  }
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
  parts.logger.info({ mailId: mail.id, tenantId: mail.tenantId, kind: mail.kind }, 'mail sent');
}

/** A failed attempt is told in the account's history at once; `willRetry` says whether another one follows. */
async function recordFailure(parts: OutboxWorkerParts, claimed: ClaimedMail, error: string): Promise<void> {
  const { mail, attemptCount } = claimed;
  const now = parts.clock.now();
  const delay = MAIL_RETRY_DELAYS_MS[attemptCount];
  const dueAt = delay === undefined ? null : new Date(now.getTime() + delay);
  await parts.database.transaction(async (tables) => {
    if (!(await markMailFailed(tables, claimed, { error: error.slice(0, MAX_ERROR), dueAt }))) return;
    await insertTenantEvent(tables, mail.tenantId, {
      id: parts.newId(now),
      eventType: 'VERIFICATION_EMAIL_FAILED',
      detail: { messageId: mail.id, attempt: attemptCount + 1, willRetry: dueAt !== null },
      createdAt: now,
    });
  });
  parts.logger.warn({ mailId: mail.id, tenantId: mail.tenantId, attempt: attemptCount + 1, error }, 'mail not sent');
}

function write(parts: OutboxWorkerParts, { mail }: ClaimedMail): MailText {
  if (!mail.token) throw new Error('The mail has no token any more.');
  const token = parts.vault.open(mail.token, mailTokenLabel(mail)).toString('utf8');
  const link = verificationLink(token, mail.data['redirectUrl'] ?? null, parts.baseUrl);
  return writeVerificationMail(
    { businessName: mail.data['businessName'] ?? '', link, token, hours: Number(mail.data['hours'] ?? '24') },
    mail.language,
  );
}

const MAX_ERROR = 300;
