/** How many attempts may run at once. */
export interface PlaceLimits {
  /** Of those that have just begun. */
  readonly concurrency: number;
  /** Of all. */
  readonly concurrencyWithSlow: number;
  readonly concurrencyPerEndpoint: number;
}

/** The places of attempts that run at once. */
export interface Places {
  /** Takes one, whether or not one is free. @returns what gives it back. */
  take(endpointId: string): () => void;
  /** How many are free. */
  free(): number;
  /** How many are free for one endpoint, if any is free at all. */
  freeAt(endpointId: string): number;
}

/** How long an attempt occupies one of the places that all share. A receiver that takes longer has places of its own. */
export const SLOW_AFTER_MS = 1_000;

/**
 * Makes the places. An attempt that waits costs next to nothing, and many receivers may hang at once; so those that have
 * been waiting for a while count only toward a much higher limit.
 *
 * @param nowMs a clock that never goes back. Milliseconds.
 */
export function createPlaces(limits: PlaceLimits, nowMs = () => performance.now()): Places {
  /** Since when each is taken, oldest first. */
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
