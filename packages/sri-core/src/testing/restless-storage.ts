import type { Storage } from '../storage.js';
import { createMemoryStorage } from './memory-storage.js';

/** A storage whose counters move by ten after every read of their next number, while `isRestless`. */
export function createRestlessStorage(): { readonly storage: Storage; isRestless: boolean } {
  const real = createMemoryStorage();
  const restless = {
    isRestless: true,
    storage: {
      ...real,
      async nextSequential(counter) {
        const next = await real.nextSequential(counter);
        if (restless.isRestless) await real.setNextSequential(counter, next + 10);
        return next;
      },
    } satisfies Storage,
  };
  return restless;
}
