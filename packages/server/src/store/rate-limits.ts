import type { ServerDatabase, Tables } from './schema.js';

/** A limit: at most so many within a window that slides. */
export interface Limit {
  readonly limit: number;
  readonly windowMs: number;
}

/** What a use of a limit came to. */
export interface LimitVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the oldest use leaves the window. */
  readonly resetMs: number;
}

/**
 * Counts a use against a limit that all processes on the database share. A use that is refused is not counted, so that
 * waiting as long as was said always helps.
 */
export async function countAgainstLimit(
  database: ServerDatabase,
  bucket: string,
  { limit, windowMs }: Limit,
  now: Date,
): Promise<LimitVerdict> {
  return database.transaction(async (tables) => {
    const at = now.getTime();
    const row = await tables
      .insertInto('rate_limits')
      .values({ bucket, uses: 1, hits: '[]', expires_at: at + windowMs })
      // The update takes the row's lock, so that concurrent uses come one after the other.
      .onConflict((conflict) =>
        conflict.column('bucket').doUpdateSet((set) => ({ uses: set('rate_limits.uses', '+', 1) })),
      )
      .returning('hits')
      .executeTakeFirstOrThrow();
    const stored: readonly number[] = JSON.parse(row.hits);
    const hits = stored.filter((hit) => hit > at - windowMs && hit <= at);
    const allowed = hits.length < limit;
    const counted = allowed ? [...hits, at] : hits;
    const oldest = counted[0] ?? at;
    await tables
      .updateTable('rate_limits')
      .set({ hits: JSON.stringify(counted), expires_at: at + windowMs })
      .where('bucket', '=', bucket)
      .execute();
    return { allowed, limit, remaining: limit - counted.length, resetMs: Math.max(0, oldest + windowMs - at) };
  });
}

/** Forgets limits that nobody has used for a whole window. */
export async function forgetUnusedLimits(tables: Tables, now: Date): Promise<void> {
  await tables.deleteFrom('rate_limits').where('expires_at', '<', now.getTime()).execute();
}
