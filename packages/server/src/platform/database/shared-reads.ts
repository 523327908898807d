import { setImmediate as turn } from 'node:timers/promises';

/**
 * Simultaneous calls share one read: a read answers all calls made before it starts, and none made later. So no caller
 * gets older data than its own read would have returned.
 */
export interface SharedReads<Value> {
  /** @param name of the read, with everything that decides the answer. @throws what `read` throws. */
  ask(name: string, read: () => Promise<Value>): Promise<Value>;
}

/**
 * Creates a place for shared reads. A read starts once this turn of the event loop, and the read before it, have ended.
 */
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
