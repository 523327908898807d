import type { Tables } from '../platform/database/tables.js';
import { insertNotification, lockNotifications, type StoredNotification, updateNotification } from './rows.js';

/** A notification at that moment. */
export interface PublishedNotification {
  readonly notification: StoredNotification;
  readonly now: Date;
}

/** Dependencies of publishing, next to the transaction. */
export interface PublishingDeps {
  readonly newId: (now: Date) => string;
  /** The lifetime of a notification; null for ever. In the sandbox it is `SANDBOX_TTL_MS` at most. */
  readonly notificationTtlMs: number | null;
  /** Adds the deliveries to an account's webhooks, in the same transaction and order. */
  readonly announce: (tables: Tables, published: readonly PublishedNotification[]) => Promise<void>;
}

/** A new notification. */
export type Draft = Omit<StoredNotification, 'id' | 'readAt' | 'expiresAt' | 'createdAt'>;

/**
 * The decision of a publication: the draft of a new notification, a stored one with new content, or null for nothing.
 */
export type PublicationDecision = Draft | StoredNotification | null;

/**
 * Adds or updates a notification in the transaction of its cause. Publications of one account are serialized, so that a
 * client that asks from an id on misses none.
 *
 * @param decide called under the lock.
 */
export function publish(
  tables: Tables,
  { tenantId, now }: { readonly tenantId: string; readonly now: Date },
  parts: PublishingDeps,
  decide: () => Promise<PublicationDecision>,
): Promise<void> {
  return publishInTurn(tables, { tenantId, causes: [{ now }] }, parts, decide);
}

/**
 * Like `publish`, for several causes in order. Webhooks get each state, but only the last state is stored, once. A
 * notification may grow with every document of a commit, and is larger than any of them.
 *
 * @param decide gets the previous result, which the database does not have yet; null before the first.
 */
export async function publishInTurn<Cause extends { readonly now: Date }>(
  tables: Tables,
  { tenantId, causes }: { readonly tenantId: string; readonly causes: readonly Cause[] },
  parts: PublishingDeps,
  decide: (cause: Cause, before: StoredNotification | null) => Promise<PublicationDecision>,
): Promise<void> {
  let lastId = await lockNotifications(tables, tenantId);
  const published: PublishedNotification[] = [];
  const made = new Set<string>();
  for (const cause of causes) {
    const { now } = cause;
    const decided = await decide(cause, published.at(-1)?.notification ?? null);
    if (!decided) continue;
    if ('id' in decided) {
      published.push({ notification: decided, now });
      continue;
    }
    lastId = idAfter(lastId, now, parts.newId);
    made.add(lastId);
    const ttlMs = ttlOf(decided, parts);
    const expiresAt = ttlMs === null ? null : new Date(now.getTime() + ttlMs);
    published.push({ notification: { ...decided, id: lastId, readAt: null, expiresAt, createdAt: now }, now });
  }
  const final = new Map(published.map(({ notification }) => [notification.id, notification]));
  for (const [id, notification] of final) {
    if (made.has(id)) await insertNotification(tables, notification);
    else await updateNotification(tables, notification);
  }
  if (published.length > 0) await parts.announce(tables, published);
}

// --- internal ---

/** The lifetime of notifications of sandbox documents, which any account can create by the thousand. */
const SANDBOX_TTL_MS = 7 * 24 * 3_600_000;

function ttlOf({ environment }: Draft, { notificationTtlMs }: PublishingDeps): number | null {
  if (environment !== 'sandbox') return notificationTtlMs;
  return Math.min(SANDBOX_TTL_MS, notificationTtlMs ?? SANDBOX_TTL_MS);
}

/** An id above the last one, even where the clock of another process is ahead. */
function idAfter(last: string, now: Date, newId: (now: Date) => string): string {
  const id = newId(now);
  if (id > last) return id;
  const lastTime = Number.parseInt(last.replaceAll('-', '').slice(0, 12), 16);
  return newId(new Date(lastTime + 1));
}
