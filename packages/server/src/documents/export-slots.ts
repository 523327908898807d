import type { Occupancy } from 'sri-core';
import { Refusal } from '../platform/errors/refusal.js';

/** The limits of exports. */
export interface ExportLimits {
  /** Exports of one caller at once. */
  readonly perCaller: number;
  /** Exports of all callers at once. Each holds up to 16 documents in memory. */
  readonly slots: number;
  /** If no slot is free, an export whose reader took nothing for this long loses its slot. Milliseconds. */
  readonly slowMs: number;
}

/** Places for exports, each from its first piece to its last. */
export interface ExportSlots {
  /**
   * Passes on the pieces of an export that has a slot. The slot is freed after the last piece, after an error, or
   * when the reader disconnects, even before its first read.
   * @throws Refusal TOO_MANY_REQUESTS if the caller has too many exports; SERVICE_UNAVAILABLE if all callers have.
   */
  hold<Piece>(caller: string, pieces: AsyncGenerator<Piece>): AsyncIterableIterator<Piece>;
  /** The exports of all callers. */
  occupancy(): Occupancy;
}

/** Creates the slots. @param nowMs a monotonic clock. */
export function createExportSlots(limits: ExportLimits = LIMITS, nowMs = () => performance.now()): ExportSlots {
  const held = new Set<Held>();

  function makeRoom(): void {
    if (held.size < limits.slots) return;
    const [slowest] = [...held].toSorted((a, b) => a.readerSince - b.readerSince);
    if (!slowest || nowMs() - slowest.readerSince < limits.slowMs) {
      throw new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS });
    }
    slowest.end();
  }

  return {
    occupancy: () => ({ used: held.size, limit: limits.slots }),
    hold<Piece>(caller: string, pieces: AsyncGenerator<Piece>) {
      const own = [...held].filter((each) => each.caller === caller);
      if (own.length >= limits.perCaller) {
        throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS });
      }
      makeRoom();
      const slot: Held = {
        caller,
        readerSince: nowMs(),
        end() {
          held.delete(slot);
          // The generator waits for its reader, so it ends at once.
          pieces.return(undefined).catch(() => {});
        },
      };
      held.add(slot);
      const iterator: AsyncIterableIterator<Piece> = {
        async next() {
          // The file is incomplete, so the connection must break.
          if (!held.has(slot)) throw new Refusal('SERVICE_UNAVAILABLE');
          slot.readerSince = Number.POSITIVE_INFINITY;
          try {
            const step = await pieces.next();
            if (step.done) held.delete(slot);
            return step;
          } catch (error) {
            held.delete(slot);
            throw error;
          } finally {
            slot.readerSince = nowMs();
          }
        },
        // The generator's own clean-up does not run if it was never started.
        async return() {
          held.delete(slot);
          return pieces.return(undefined);
        },
        [Symbol.asyncIterator]: () => iterator,
      };
      return iterator;
    },
  };
}

// --- internal ---

interface Held {
  readonly caller: string;
  /** When its reader's last read was answered; infinity while a piece is being made. */
  readerSince: number;
  /** Ends the export and frees its slot. */
  end(): void;
}

const LIMITS: ExportLimits = { perCaller: 2, slots: 8, slowMs: 10_000 };
const RETRY_SECONDS = 10;
