import { requireChoice } from '../choice.js';
import type { Logger } from '../logger.js';
import { ENGINE_EVENTS, type EngineEvents } from './engine-events.js';

/**
 * The subscribers of an engine. A listener that throws or rejects is logged. It does not affect other listeners, and the
 * engine waits for none.
 */
export function createSubscribers(logger: Logger) {
  const log = (event: string, error: unknown) =>
    logger.error({ event, error: error instanceof Error ? error.message : 'unknown' }, 'a listener failed');
  const listeners = new Map<string, Set<(detail: never) => void>>();
  return {
    on<Name extends keyof EngineEvents>(name: Name, listener: (detail: EngineEvents[Name]) => void): () => void {
      requireChoice(ENGINE_EVENTS, name, 'event');
      if (typeof listener !== 'function') throw new TypeError('A listener has to be a function.');
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      set.add(listener);
      return () => set.delete(listener);
    },
    emit<Name extends keyof EngineEvents>(name: Name, detail: EngineEvents[Name]): void {
      for (const listener of listeners.get(name) ?? []) {
        try {
          // A listener type without a result also admits an async function, so a rejection is caught.
          const given: unknown = (listener as (detail: EngineEvents[Name]) => unknown)(detail);
          if (given instanceof Promise) given.catch((error: unknown) => log(name, error));
        } catch (error) {
          log(name, error);
        }
      }
    },
  };
}
