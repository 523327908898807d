import { setImmediate as turn } from 'node:timers/promises';

/** Reads by key that combine simultaneous calls. */
export interface KeyedReads<Value> {
  /** @returns the value of the key; null without one. @throws the error of the read. */
  ask(key: string): Promise<Value | null>;
}

/**
 * Combines the reads of one turn of the event loop into one query. A worker reads hundreds of documents at a time, and each
 * query costs a round trip. The query starts after all of its callers, so that no caller gets an older value than its own
 * query would return.
 *
 * @param read receives each key once.
 */
export function createKeyedReads<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): KeyedReads<Value> {
  let gathering: Batch<Value> | null = null;

  async function begin(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Value>> {
    await turn();
    gathering = null;
    return read([...keys]);
  }

  function batch(): Batch<Value> {
    const keys = new Set<string>();
    return { keys, values: begin(keys) };
  }

  return {
    async ask(key) {
      if (!gathering || gathering.keys.size >= MOST_KEYS) gathering = batch();
      gathering.keys.add(key);
      return (await gathering.values).get(key) ?? null;
    },
  };
}

// --- internal ---

interface Batch<Value> {
  readonly keys: Set<string>;
  readonly values: Promise<ReadonlyMap<string, Value>>;
}

/** The most keys of a query. More would save little, and all values are in memory together. */
const MOST_KEYS = 64;
