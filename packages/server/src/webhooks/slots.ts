/** The limits of concurrent attempts. */
export interface PlaceLimits {
  /** Of recent attempts. */
  readonly concurrency: number;
  /** Of all attempts. */
  readonly concurrencyWithSlow: number;
  readonly concurrencyPerEndpoint: number;
}

/** The places of concurrent attempts. */
export interface Places {
  /** Takes a place, even if none is free. @returns the function that gives it back. */
  take(endpointId: string): () => void;
  /** The number of free places. */
  free(): number;
  /** The number of free places for one endpoint, if any place is free at all. */
  freeAt(endpointId: string): number;
}

/** How long an attempt occupies a shared place. A slower attempt counts against the higher limit only. */
export const SLOW_AFTER_MS = 1_000;

/**
 * Creates the places. A waiting attempt costs little, and many receivers may hang at once. So attempts that have waited
 * for a while only count toward a much higher limit.
 *
 * @param nowMs a monotonic clock. Milliseconds.
 */
export function createPlaces(limits: PlaceLimits, nowMs = () => performance.now()): Places {
  /** The start of each attempt, oldest first. */
  const taken = new Map<symbol, number>();
  const byEndpoint = new Map<string, number>();
  return {
    take(endpointId) {
      const place = Symbol(endpointId);
      taken.set(place, nowMs());
      byEndpoint.set(endpointId, (byEndpoint.get(endpointId) ?? 0) + 1);
      return () => {
        if (!taken.delete(place)) return;
        const left = (byEndpoint.get(endpointId) ?? 1) - 1;
        if (left > 0) byEndpoint.set(endpointId, left);
        else byEndpoint.delete(endpointId);
      };
    },
    free() {
      const slowSince = nowMs() - SLOW_AFTER_MS;
      let swift = 0;
      for (const since of taken.values()) if (since > slowSince) swift += 1;
      return Math.min(limits.concurrency - swift, limits.concurrencyWithSlow - taken.size);
    },
    freeAt: (endpointId) => limits.concurrencyPerEndpoint - (byEndpoint.get(endpointId) ?? 0),
  };
}
