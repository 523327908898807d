import { markWaitingMailsSkipped } from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';

/** Stores the digest of a new token and ends every earlier one of the account. Mails that wait with one are not sent. */
export async function replaceVerificationToken(
  tables: Tables,
  token: { readonly hash: string; readonly tenantId: string; readonly createdAt: Date; readonly expiresAt: Date },
): Promise<void> {
  await endVerificationTokens(tables, token.tenantId, token.createdAt);
  await markWaitingMailsSkipped(tables, token.tenantId, ['VERIFICATION']);
  await tables
    .insertInto('verification_tokens')
    .values({
      token_hash: token.hash,
      tenant_id: token.tenantId,
      created_at: token.createdAt.getTime(),
      expires_at: token.expiresAt.getTime(),
      ended_at: null,
    })
    .execute();
}

/** When an account last got a token before that time, or null. */
export async function lastVerificationTokenAt(tables: Tables, tenantId: string, before: Date): Promise<Date | null> {
  const row = await tables
    .selectFrom('verification_tokens')
    .select('created_at')
    .where('tenant_id', '=', tenantId)
    .where('created_at', '<', before.getTime())
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? new Date(row.created_at) : null;
}

/** Ends every open token of an account. */
export async function endVerificationTokens(tables: Tables, tenantId: string, now: Date): Promise<void> {
  await tables
    .updateTable('verification_tokens')
    .set({ ended_at: now.getTime() })
    .where('tenant_id', '=', tenantId)
    .where('ended_at', 'is', null)
    .execute();
}

/** The account of an open, unexpired token, or null. */
export async function findVerifiableTenant(tables: Tables, hash: string, now: Date): Promise<string | null> {
  const row = await tables
    .selectFrom('verification_tokens')
    .select('tenant_id')
    .where('token_hash', '=', hash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now.getTime())
    .executeTakeFirst();
  return row?.tenant_id ?? null;
}

/**
 * Uses up a token. Of two concurrent calls one succeeds.
 *
 * @returns the account, or null when the token is unknown, ended or expired.
 */
export async function consumeVerificationToken(tables: Tables, hash: string, now: Date): Promise<string | null> {
  const row = await tables
    .updateTable('verification_tokens')
    .set({ ended_at: now.getTime() })
    .where('token_hash', '=', hash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now.getTime())
    .returning('tenant_id')
    .executeTakeFirst();
  return row?.tenant_id ?? null;
}
