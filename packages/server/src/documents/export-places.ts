import type { Occupancy } from 'sri-core';
import { Refusal } from '../platform/errors/refusal.js';

/** The limits of exports. */
export interface ExportLimits {
  /** Exports of one caller at once. */
  readonly perCaller: number;
  /** Exports of all callers at once. Each holds up to 16 documents in memory. */
  readonly places: number;
  /** When places are short, an export whose reader has taken nothing for as long loses its own. Milliseconds. */
  readonly slowMs: number;
}

/** Places for exports, each from its first piece to its last. */
export interface ExportPlaces {
  /**
   * Passes on the pieces of an export that has a place. It leaves the place after its last piece, after an error, or once its
   * reader goes away, read or not.
   * @throws Refusal TOO_MANY_REQUESTS if the caller has its exports already, SERVICE_UNAVAILABLE if all callers together have.
   */
  hold<Piece>(caller: string, pieces: AsyncGenerator<Piece>): AsyncIterableIterator<Piece>;
  /** The exports of all callers. */
  occupancy(): Occupancy;
}

/** Creates the places. @param nowMs a monotonic clock. */
export function createExportPlaces(limits: ExportLimits = LIMITS, nowMs = () => performance.now()): ExportPlaces {
  const held = new Set<Held>();

  function makeRoom(): void {
    if (held.size < limits.places) return;
    const [slowest] = [...held].toSorted((a, b) => a.readerSince - b.readerSince);
    if (!slowest || nowMs() - slowest.readerSince < limits.slowMs) {
      throw new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS });
    }
    slowest.end();
  }

  return {
    occupancy: () => ({ used: held.size, limit: limits.places }),
    hold<Piece>(caller: string, pieces: AsyncGenerator<Piece>) {
      const own = [...held].filter((each) => each.caller === caller);
      if (own.length >= limits.perCaller) {
        throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS });
      }
      makeRoom();
      const place: Held = {
        caller,
        readerSince: nowMs(),
        end() {
          held.delete(place);
          // It waits for its reader, so that it ends at once.
          pieces.return(undefined).catch(() => {});
        },
      };
      held.add(place);
      const iterator: AsyncIterableIterator<Piece> = {
        async next() {
          // Its file is not whole: the connection has to break.
          if (!held.has(place)) throw new Refusal('SERVICE_UNAVAILABLE');
          place.readerSince = Number.POSITIVE_INFINITY;
          try {
            const step = await pieces.next();
            if (step.done) held.delete(place);
            return step;
          } catch (error) {
            held.delete(place);
            throw error;
          } finally {
            place.readerSince = nowMs();
          }
        },
        // The generator's own clean-up does not run if it was never started.
        async return() {
          held.delete(place);
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
  /** Since when its reader has not asked for the next piece; never while one is being made. */
  readerSince: number;
  /** Takes the place away. */
  end(): void;
}

const LIMITS: ExportLimits = { perCaller: 2, places: 8, slowMs: 10_000 };
const RETRY_SECONDS = 10;
