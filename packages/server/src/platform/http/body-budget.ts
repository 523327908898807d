import type { Occupancy } from 'sri-core';

/** The memory for the bodies of one request. */
export interface BodyShare {
  /** Reserves memory for received bytes; false without memory. */
  take(bytes: number): boolean;
  /** Frees the reserved memory of the share. */
  release(): void;
}

/** The limits on bytes of bodies in memory. */
export interface BodyBudgetLimits {
  readonly overall: number;
  /** Per address, and per account. */
  readonly perCaller: number;
}

/** Of the whole server. */
export const BODY_LIMITS: BodyBudgetLimits = { overall: 64 * 1024 * 1024, perCaller: 16 * 1024 * 1024 };

/** Memory for bodies until their requests are answered. */
export interface BodyBudget {
  /** @param callers to charge: an address, and an account once it is known. */
  open(callers: readonly string[]): BodyShare;
  /** The bytes of all bodies. */
  occupancy(): Occupancy;
}

/** Creates the budget for bodies. Bytes count as they arrive, so a declared length reserves nothing. */
export function createBodyBudget({ overall, perCaller }: BodyBudgetLimits): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;

  return {
    occupancy: () => ({ used: total, limit: overall }),
    open(callers) {
      const names = [...new Set(callers)];
      let taken = 0;
      return {
        take(bytes) {
          if (total + bytes > overall) return false;
          if (names.some((name) => (held.get(name) ?? 0) + bytes > perCaller)) return false;
          for (const name of names) held.set(name, (held.get(name) ?? 0) + bytes);
          total += bytes;
          taken += bytes;
          return true;
        },
        release() {
          for (const name of names) {
            const left = (held.get(name) ?? 0) - taken;
            if (left > 0) held.set(name, left);
            else held.delete(name);
          }
          total -= taken;
          taken = 0;
        },
      };
    },
  };
}
