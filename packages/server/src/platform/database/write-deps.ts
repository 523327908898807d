import type { Clock } from 'sri-core';
import type { ServerDatabase } from './tables.js';

/** The dependencies of every change: where it is stored, when it happens, and the ids of new rows. */
export interface WriteDeps {
  readonly database: ServerDatabase;
  readonly clock: Clock;
  readonly newId: (now: Date) => string;
}
