import type { Logger } from '../logger.js';
import type { EngineEvents } from './engine-events.js';

/** Who wants to hear what an engine does. A listener that throws is logged, and the others are told all the same. */
export function createSubscribers(logger: Logger) {
  const listeners = new Map<string, Set<(detail: never) => void>>();
  return {
    on<Name extends keyof EngineEvents>(name: Name, listener: (detail: EngineEvents[Name]) => void): () => void {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      set.add(listener);
      return () => set.delete(listener);
    },
    emit<Name extends keyof EngineEvents>(name: Name, detail: EngineEvents[Name]): void {
      for (const listener of listeners.get(name) ?? []) {
        try {
          (listener as (detail: EngineEvents[Name]) => void)(detail);
        } catch (error) {
          logger.error(
            {
              event: name,
              error: error instanceof Error ? error.message : 'unknown',
            },
            'a listener failed',
          );
        }
      }
    },
  };
}
