import type { Clock } from 'sri-core';
import type { ServerDatabase } from '../platform/database/tables.js';
import type { Task } from '../platform/jobs/loop.js';
import { dropExpiredNotifications } from './rows.js';

/** Deletes expired notifications in batches, so that other writes can proceed. */
export function notificationsTask(database: ServerDatabase, clock: Clock): Task {
  return {
    name: 'notifications',
    intervalMs: 600_000,
    async run(signal) {
      let dropped = DROPPED_AT_ONCE;
      while (dropped === DROPPED_AT_ONCE && !signal.aborted) {
        dropped = await database.transaction((tables) =>
          dropExpiredNotifications(tables, { now: clock.now(), limit: DROPPED_AT_ONCE }),
        );
      }
    },
  };
}

// --- internal ---

const DROPPED_AT_ONCE = 100;
