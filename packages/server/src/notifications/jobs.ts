import type { Clock } from 'sri-core';
import { dropInParts } from '../platform/database/drop-in-parts.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import type { Task } from '../platform/jobs/loop.js';
import { dropExpiredNotifications } from './rows.js';

/** Deletes expired notifications. */
export function notificationsTask(database: ServerDatabase, clock: Clock): Task {
  return {
    name: 'notifications',
    intervalMs: 600_000,
    run: (signal) =>
      dropInParts(database, signal, (tables, limit) => dropExpiredNotifications(tables, { now: clock.now(), limit })),
  };
}
