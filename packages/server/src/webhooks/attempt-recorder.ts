import { setImmediate as afterThisTurn } from 'node:timers/promises';
import type { Clock } from 'sri-core';
import type { ServerDatabase } from '../platform/database/tables.js';
import { settleJobs } from '../platform/jobs/job-rows.js';
import type { ClaimedDelivery } from './delivery.js';
import { type AttemptOutcome, recordAttempts } from './delivery-rows.js';

/**
 * Stores the result of an attempt. Without a result the delivery is due at once, and the attempt does not count.
 *
 * @returns false when another worker has taken the delivery since.
 */
export type AttemptRecorder = (claimed: ClaimedDelivery, outcome: AttemptOutcome | null) => Promise<boolean>;

/**
 * Creates the recorder. Results that arrive during a write are written together afterwards: a commit costs more than a
 * row.
 */
export function createAttemptRecorder(database: ServerDatabase, clock: Clock): AttemptRecorder {
  let waiting: Entry[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // Handles the responses already received first, since a commit on SQLite blocks them.
      await afterThisTurn();
      const batch = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      try {
        const ours = await store(batch);
        for (const { claimed, resolve } of batch) resolve(ours.has(claimed.id));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWriting = false;
  }

  function store(batch: readonly Entry[]): Promise<ReadonlySet<string>> {
    const alike = Map.groupBy(batch, ({ outcome }) => JSON.stringify(outcome));
    return database.transaction(async (tables) => {
      const ours = new Set<string>();
      for (const entries of alike.values()) {
        const [{ outcome }] = entries as [Entry];
        const deliveries = entries.map(({ claimed }) => claimed);
        const now = clock.now();
        const settled = outcome
          ? recordAttempts(tables, deliveries, outcome, now)
          : settleJobs(
              tables,
              deliveries.map(({ lease }) => lease),
              { due_at: now.getTime() },
            );
        for (const id of await settled) ours.add(id);
      }
      return ours;
    });
  }

  return (claimed, outcome) =>
    new Promise((resolve, reject) => {
      waiting.push({ claimed, outcome, resolve, reject });
      if (!isWriting) void write();
    });
}

// --- internal ---

/** Few enough for one statement. */
const MOST_AT_ONCE = 100;

interface Entry {
  readonly claimed: ClaimedDelivery;
  readonly outcome: AttemptOutcome | null;
  readonly resolve: (isOurs: boolean) => void;
  readonly reject: (error: unknown) => void;
}
