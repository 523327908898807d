import { setImmediate as turn } from 'node:timers/promises';

/** Reads by keys, those that are asked for at the same time together. */
export interface KeyedReads<Value> {
  /** @returns what the key stands for; null when there is nothing. @throws what the read threw. */
  ask(key: string): Promise<Value | null>;
}

/**
 * Reads that come in the same turn of the event loop are made as one: a worker asks for hundreds of documents at a time,
 * and each answer costs the way to the database and back. A read begins after everybody it answers has asked, so that
 * nobody is told anything older than a read of their own would have told.
 *
 * @param read given each key once.
 */
export function createKeyedReads<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): KeyedReads<Value> {
  let gathering: Batch<Value> | null = null;

  async function begin(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Value>> {
    await turn();
    if (gathering?.keys === keys) gathering = null;
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

/** Enough that more would save little. What they stand for is in memory at the same time. */
const MOST_KEYS = 64;
