import type { Tables } from '../platform/database/tables.js';

/**
 * Ends a session for every copy of its cookie. @param expiresAt when it would have ended by itself, in milliseconds
 * @returns false when another request ended it first.
 */
export async function endSession(tables: Tables, id: string, expiresAt: number): Promise<boolean> {
  const ended = tables.insertInto('ended_sessions').values({ id, expires_at: expiresAt });
  const once = ended.onConflict((conflict) => conflict.doNothing()).returning('id');
  return (await once.executeTakeFirst()) !== undefined;
}

/** Whether a session was signed out. */
export async function isSessionEnded(tables: Tables, id: string): Promise<boolean> {
  const ended = tables.selectFrom('ended_sessions').select('id').where('id', '=', id);
  return (await ended.executeTakeFirst()) !== undefined;
}

/** Forgets sessions whose time is over. */
export async function forgetEndedSessions(tables: Tables, now: Date): Promise<void> {
  await tables.deleteFrom('ended_sessions').where('expires_at', '<', now.getTime()).execute();
}
