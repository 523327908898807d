import { type Clock, systemClock } from 'sri-core';

/** A clock that continues from a given moment. Waiting for a due time takes no real time. */
export interface FillClock extends Clock {
  set(moment: Date): void;
}

/** Creates such a clock. Deadlines, which can be cancelled, keep their real length. */
export function createFillClock(): FillClock {
  let offsetMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + offsetMs),
    async sleep(ms, signal) {
      if (signal) await systemClock.sleep(ms, signal);
      else offsetMs += ms;
    },
    set(moment) {
      offsetMs = moment.getTime() - systemClock.now().getTime();
    },
  };
}
