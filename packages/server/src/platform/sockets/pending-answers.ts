import type { Occupancy } from 'sri-core';

/** A connection that can be cut off. */
export interface Destroyable {
  destroy(): unknown;
}

/** The unread bytes of answers, over all connections. */
export interface PendingAnswers {
  add(connection: Destroyable, bytes: number): void;
  remove(connection: Destroyable, bytes: number): void;
  forget(connection: Destroyable): void;
  /** The unread bytes of all connections. */
  occupancy(): Occupancy;
}

/**
 * Limits the bytes pending for clients that do not read. Above `limit` bytes it cuts off the connection that has not
 * read for longest, and then the next.
 */
export function createPendingAnswers(limit: number): PendingAnswers {
  /** Unread bytes; the connection with the latest read comes last. */
  const all = new Map<Destroyable, number>();
  let total = 0;

  function forget(connection: Destroyable): void {
    total -= all.get(connection) ?? 0;
    all.delete(connection);
  }

  return {
    forget,
    occupancy: () => ({ used: total, limit }),
    add(connection, bytes) {
      total += bytes;
      all.set(connection, (all.get(connection) ?? 0) + bytes);
      for (const [longest] of all) {
        if (total <= limit || all.size === 1) return;
        forget(longest);
        longest.destroy();
      }
    },
    remove(connection, bytes) {
      const left = (all.get(connection) ?? 0) - bytes;
      forget(connection);
      if (left <= 0) return;
      total += left;
      all.set(connection, left);
    },
  };
}
