import { setImmediate as turn } from 'node:timers/promises';

/**
 * Reads that several ask for at the same time are made once: a read answers all who asked before it began, and nobody
 * who asked later. So nobody is told anything older than a read of their own would have told.
 */
export interface SharedReads<Value> {
  /** @param name what is read, with everything that decides the answer. @throws what `read` throws. */
  ask(name: string, read: () => Promise<Value>): Promise<Value>;
}

/** Makes a place where reads meet. A read begins once this turn of the event loop, and the one before it, has ended. */
export function createSharedReads<Value>(): SharedReads<Value> {
  const waiting = new Map<string, Promise<Value>>();
  const running = new Map<string, Promise<unknown>>();

  async function begin(name: string, read: () => Promise<Value>): Promise<Value> {
    await (running.get(name) ?? turn());
    waiting.delete(name);
    const reading = read();
    const ended = reading.then(nothing, nothing);
    running.set(name, ended);
    void ended.then(() => running.get(name) === ended && running.delete(name));
    return reading;
  }

  return {
    ask(name, read) {
      const shared = waiting.get(name) ?? begin(name, read);
      waiting.set(name, shared);
      return shared;
    },
  };
}

// --- internal ---

function nothing(): void {}
