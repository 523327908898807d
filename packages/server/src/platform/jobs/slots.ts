/** The limits of concurrent attempts. */
export interface SlotLimits {
  /** Of recent attempts. */
  readonly concurrency: number;
  /** Of all attempts. */
  readonly concurrencyWithSlow: number;
  readonly concurrencyPerLane: number;
}

/** The slots of concurrent attempts. */
export interface Slots {
  /** Takes a slot, even if none is free. @returns the function that gives it back. */
  take(lane: string): () => void;
  /** The number of free slots. */
  free(): number;
  /** The number of free slots of one lane, if any slot is free at all. */
  freeIn(lane: string): number;
}

/** How long an attempt occupies a shared slot. A slower attempt counts against the higher limit only. */
export const SLOW_AFTER_MS = 1_000;

/**
 * Creates the slots. A waiting attempt costs little, and many receivers may hang at once. So attempts that have waited
 * for a while only count toward a much higher limit.
 *
 * @param nowMs a monotonic clock. Milliseconds.
 */
export function createSlots(limits: SlotLimits, nowMs = () => performance.now()): Slots {
  /** The start of each attempt, oldest first. */
  const taken = new Map<symbol, number>();
  const byLane = new Map<string, number>();
  return {
    take(lane) {
      const slot = Symbol(lane);
      taken.set(slot, nowMs());
      byLane.set(lane, (byLane.get(lane) ?? 0) + 1);
      return () => {
        if (!taken.delete(slot)) return;
        const left = (byLane.get(lane) ?? 1) - 1;
        if (left > 0) byLane.set(lane, left);
        else byLane.delete(lane);
      };
    },
    free() {
      const slowSince = nowMs() - SLOW_AFTER_MS;
      let swift = 0;
      for (const since of taken.values()) if (since > slowSince) swift += 1;
      return Math.min(limits.concurrency - swift, limits.concurrencyWithSlow - taken.size);
    },
    freeIn: (lane) => limits.concurrencyPerLane - (byLane.get(lane) ?? 0),
  };
}
