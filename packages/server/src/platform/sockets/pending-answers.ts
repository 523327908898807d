import type { Occupancy } from 'sri-core';

/** Bytes written to a connection and not yet read by its client. */
interface Pending {
  bytes: number;
}

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
  /** The connection with the latest read comes last. */
  const all = new Map<Destroyable, Pending>();
  let total = 0;

  function change(connection: Destroyable, bytes: number): void {
    const pending = all.get(connection) ?? { bytes: 0 };
    pending.bytes += bytes;
    total += bytes;
    if (pending.bytes > 0) all.set(connection, pending);
    else all.delete(connection);
  }

  function forget(connection: Destroyable): void {
    total -= all.get(connection)?.bytes ?? 0;
    all.delete(connection);
  }

  return {
    forget,
    occupancy: () => ({ used: total, limit }),
    add(connection, bytes) {
      change(connection, bytes);
      for (const [longest] of all) {
        if (total <= limit || all.size === 1) return;
        forget(longest);
        longest.destroy();
      }
    },
    remove(connection, bytes) {
      const pending = all.get(connection);
      if (!pending) return;
      change(connection, -bytes);
      if (all.delete(connection)) all.set(connection, pending);
    },
  };
}
