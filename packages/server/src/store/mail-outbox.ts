import type { Language } from '../language.js';
import type { ClaimedMail, MailKind, OutboxMail } from '../mail/outbox-mail.js';
import type { Tables } from './schema.js';

/** Puts a mail into the outbox, in the transaction of what caused it. It is due at once. */
export async function insertMail(tables: Tables, mail: OutboxMail): Promise<void> {
  await tables
    .insertInto('mail_outbox')
    .values({
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
    })
    .execute();
}

/** Takes the mail that has been due longest, for `leaseMs`; null when none is due. Two workers never hold the same. */
export async function claimMail(tables: Tables, now: Date, leaseMs: number): Promise<ClaimedMail | null> {
  const at = now.getTime();
  for (;;) {
    const due = await tables
      .selectFrom('mail_outbox')
      .select('id')
      .where('status', '=', 'PENDING')
      .where('due_at', '<=', at)
      .where('lease_until', '<=', at)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    if (!due) return null;
    const row = await tables
      .updateTable('mail_outbox')
      .set((set) => ({ lease_until: at + leaseMs, lease_token: set('lease_token', '+', 1) }))
      .where('id', '=', due.id)
      .where('status', '=', 'PENDING')
      .where('lease_until', '<=', at)
      .returningAll()
      .executeTakeFirst();
    // Another worker was faster: look for the next one.
    if (!row) continue;
    const { master_key_id: masterKeyId, wrapped_key: wrappedKey, sealed_token: ciphertext } = row;
    return {
      mail: {
        id: row.id,
        tenantId: row.tenant_id,
        kind: row.kind as MailKind,
        recipient: row.recipient,
        language: row.language as Language,
        data: JSON.parse(row.data),
        token: masterKeyId && wrappedKey && ciphertext ? { masterKeyId, wrappedKey, ciphertext } : null,
        createdAt: new Date(row.created_at),
      },
      leaseToken: row.lease_token,
      attemptCount: row.attempt_count,
    };
  }
}

/** Notes that a mail is out and wipes its secret. @returns false when another worker has taken it since. */
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
 * Notes a failed attempt.
 *
 * @param dueAt when to try again; null to give the mail up, which wipes its secret.
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

// --- internal ---

const NO_SECRET = { master_key_id: null, wrapped_key: null, sealed_token: null };
