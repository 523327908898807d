import { type Clock, systemClock } from 'sri-core';

/** The machine's clock, moved by an offset: to rehearse renewals, expiries and retries. */
export function createServerClock(offsetMs: number): Clock {
  if (offsetMs === 0) return systemClock;
  return {
    now: () => new Date(systemClock.now().getTime() + offsetMs),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
  };
}
