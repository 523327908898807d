import { sql } from 'kysely';
import { type Clock, type Logger, systemClock } from 'sri-core';
import type { ServerDatabase } from './tables.js';

/**
 * The machine's clock, corrected by the database's clock, which all its servers share: leases and due times follow it.
 */
export interface DatabaseClock extends Clock {
  /** Measures once, and then every half minute until the signal is aborted. */
  follow(database: Pick<ServerDatabase, 'read'>, until: AbortSignal): Promise<void>;
}

/** Creates a clock that follows the machine's until it gets another one to follow. */
export function createDatabaseClock(base: Clock, logger: Logger): DatabaseClock {
  let offsetMs = 0;

  async function measure(database: Pick<ServerDatabase, 'read'>): Promise<void> {
    const asked = performance.now();
    const { rows } = await database.read((tables) =>
      sql<{ now: number | string }>`select floor(extract(epoch from clock_timestamp()) * 1000) as now`.execute(tables),
    );
    const tookMs = performance.now() - asked;
    const measuredMs = Number(rows[0]?.now) + tookMs / 2 - base.now().getTime();
    // After a slow answer, or a pause of the process, the measurement is off by as much.
    if (Math.abs(measuredMs - offsetMs) < Math.max(NEGLIGIBLE_MS, tookMs)) return;
    offsetMs = Math.abs(measuredMs) < NEGLIGIBLE_MS ? 0 : Math.round(measuredMs);
    logger.warn({ offsetMs }, 'the server follows the clock of the database');
  }

  async function goOn(database: Pick<ServerDatabase, 'read'>, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await systemClock.sleep(EVERY_MS, until).catch(() => {});
      // While the database does not answer, the last measurement holds.
      if (!until.aborted) await measure(database).catch(() => {});
    }
  }

  return {
    now: () => new Date(base.now().getTime() + offsetMs),
    sleep: (ms, signal) => base.sleep(ms, signal),
    async follow(database, until) {
      await measure(database);
      void goOn(database, until);
    },
  };
}

// --- internal ---

const EVERY_MS = 30_000;
/** Synchronized clocks differ by less. */
const NEGLIGIBLE_MS = 1_000;
