import type { ServerDatabase, Tables } from '../database/tables.js';

/** A limit: the most uses within a sliding window. */
export interface Limit {
  readonly limit: number;
  readonly windowMs: number;
}

/** The result of a use of a limit. */
export interface LimitVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the next use is allowed; after an allowed use, until the oldest one leaves the window. */
  readonly resetMs: number;
}

/**
 * Counts a use against a limit that all processes on the database share. A rejected use is not counted, so that waiting
 * for the stated time always helps.
 */
export async function countAgainstLimit(
  database: ServerDatabase,
  bucket: string,
  { limit, windowMs }: Limit,
  now: Date,
): Promise<LimitVerdict> {
  return database.transaction(async (tables) => {
    const hits = await lockUses(tables, bucket, windowMs, now);
    const allowed = hits.length < limit;
    const counted = allowed ? [...hits, now.getTime()].toSorted((a, b) => a - b) : hits;
    await storeUses(tables, bucket, windowMs, { counted, now });
    const resetMs = Math.max(0, (blockingUse(counted, limit) ?? now.getTime()) + windowMs - now.getTime());
    return { allowed, limit, remaining: Math.max(0, limit - counted.length), resetMs };
  });
}

/**
 * The use whose end allows the next one. It is not the oldest if there are more uses than the limit, as after a change
 * to a smaller plan.
 */
export function blockingUse(uses: readonly number[], limit: number): number | undefined {
  return uses[Math.max(0, uses.length - limit)];
}

/**
 * Adds uses that were already allowed to those of all processes on the database.
 * @param uses epoch milliseconds.
 * @returns every use within the window, in order.
 */
export function addUses(
  database: ServerDatabase,
  bucket: string,
  { uses, windowMs, now }: { readonly uses: readonly number[]; readonly windowMs: number; readonly now: Date },
): Promise<readonly number[]> {
  return database.transaction(async (tables) => {
    const known = await lockUses(tables, bucket, windowMs, now);
    const counted = [...known, ...uses].toSorted((a, b) => a - b);
    await storeUses(tables, bucket, windowMs, { counted, now });
    return counted;
  });
}

/** Forgets limits without use for a whole window, at most `limit` of them. @returns how many. */
export async function forgetUnusedLimits(
  tables: Tables,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> {
  const at = now.getTime();
  const unused = await tables
    .selectFrom('rate_limits')
    .select('bucket')
    .where('expires_at', '<', at)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  if (unused.length === 0) return 0;
  const buckets = unused.map(({ bucket }) => bucket);
  // Another process may have used one of them since.
  await tables.deleteFrom('rate_limits').where('bucket', 'in', buckets).where('expires_at', '<', at).execute();
  return unused.length;
}

// --- internal ---

/**
 * The uses within the window, locked until the transaction ends. Some may be ahead of `now`: a request that waited here
 * for the lock read its time before, and clocks of machines differ. A use a whole window ahead comes from a clock that
 * was since corrected.
 */
async function lockUses(tables: Tables, bucket: string, windowMs: number, now: Date): Promise<readonly number[]> {
  const at = now.getTime();
  const row = await tables
    .insertInto('rate_limits')
    .values({ bucket, uses: 1, hits: '[]', expires_at: at + windowMs })
    // The update takes the row's lock, so that concurrent uses run one after the other.
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet((set) => ({ uses: set('rate_limits.uses', '+', 1) })),
    )
    .returning('hits')
    .executeTakeFirstOrThrow();
  const stored: readonly number[] = JSON.parse(row.hits);
  return stored.filter((hit) => Math.abs(hit - at) < windowMs);
}

async function storeUses(
  tables: Tables,
  bucket: string,
  windowMs: number,
  { counted, now }: { readonly counted: readonly number[]; readonly now: Date },
): Promise<void> {
  await tables
    .updateTable('rate_limits')
    .set({ hits: JSON.stringify(counted), expires_at: now.getTime() + windowMs })
    .where('bucket', '=', bucket)
    .execute();
}
