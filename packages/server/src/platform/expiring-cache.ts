import type { Occupancy } from 'sri-core';

/** Keeps values in memory for a limited time. Beyond the limit, the most recent values stay. */
export class ExpiringCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  readonly #ttlMs: number;
  readonly #maxEntries: number;

  constructor(options: { readonly ttlMs: number; readonly maxEntries: number }) {
    this.#ttlMs = options.ttlMs;
    this.#maxEntries = options.maxEntries;
  }

  /** The value, unless it has expired. Time is the process's own, not the rehearsal clock's. */
  get(key: string): T | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    if (entry.until > performance.now()) return entry.value;
    this.#entries.delete(key);
    return null;
  }

  /** Keeps a value from now on. */
  set(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: performance.now() + this.#ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) break;
      this.#entries.delete(oldest);
    }
  }

  /** Drops expired values, so that a secret without further use does not stay. */
  sweep(): void {
    const now = performance.now();
    for (const [key, entry] of this.#entries) if (entry.until <= now) this.#entries.delete(key);
  }

  /** Drops the values whose keys have that prefix. */
  drop(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  occupancy(): Occupancy {
    return { used: this.#entries.size, limit: this.#maxEntries };
  }

  /** Drops everything. */
  clear(): void {
    this.#entries.clear();
  }
}
