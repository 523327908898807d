/** What the bodies of one request hold. */
export interface BodyShare {
  /** Takes room for bytes that have arrived; false without room. */
  take(bytes: number): boolean;
  /** Gives back what it has taken. */
  release(): void;
}

/** How many bytes of bodies are kept at one time. */
export interface BodyBudgetLimits {
  readonly overall: number;
  /** Of one address, and of one account. */
  readonly perCaller: number;
}

/** What a server keeps. */
export const BODY_LIMITS: BodyBudgetLimits = { overall: 64 * 1024 * 1024, perCaller: 16 * 1024 * 1024 };

/** Room for bodies until their requests are answered. */
export interface BodyBudget {
  /** @param callers who the bytes count for: an address, and an account once that is known. */
  open(callers: readonly string[]): BodyShare;
}

/** Makes room for bodies. Bytes count as they come, so that what is only announced takes no room. */
export function createBodyBudget({ overall, perCaller }: BodyBudgetLimits): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;

  return {
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
