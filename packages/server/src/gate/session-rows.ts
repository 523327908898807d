import type { Tables } from '../platform/database/tables.js';

/** Ends a session for every copy of its cookie. @param expiresAt when it would have ended by itself, in milliseconds */
export async function endSession(tables: Tables, id: string, expiresAt: number): Promise<void> {
  const ended = tables.insertInto('ended_sessions').values({ id, expires_at: expiresAt });
  await ended.onConflict((conflict) => conflict.doNothing()).execute();
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
