import { type Clock, ecuadorDate } from 'sri-core';
import { forgetEndedSessions } from './gate/session-rows.js';
import type { StoredIssuers } from './issuers/issuer-source.js';
import { forgetMailDays } from './mail/held-mail-rows.js';
import { dropInParts } from './platform/database/drop-in-parts.js';
import type { ServerDatabase } from './platform/database/tables.js';
import { ATTEMPTED_KINDS, type AttemptedKind, endStrayTimes, type LongestTimes } from './platform/jobs/job-rows.js';
import type { Task } from './platform/jobs/loop.js';
import type { Limits } from './platform/limits/limits.js';
import { forgetUnusedLimits } from './platform/limits/rows.js';

/** Drops expired keys and limits from the memory of this process. */
export function cleaningTask(issuers: StoredIssuers, limits: Limits): Task {
  return {
    name: 'cleaning',
    intervalMs: 15_000,
    run: async () => {
      issuers.sweep();
      limits.sweep();
    },
  };
}

/** Drops expired limits and sessions from the database. */
export function storedLimitsTask(database: ServerDatabase, clock: Clock): Task {
  return {
    name: 'stored limits',
    intervalMs: 30_000,
    async run(signal) {
      const now = clock.now();
      await dropInParts(database, signal, (tables, limit) => forgetUnusedLimits(tables, { now, limit }));
      await database.transaction(async (tables) => {
        await forgetEndedSessions(tables, now);
        await forgetMailDays(tables, ecuadorDate(now));
      });
    },
  };
}

/**
 * Resets times written by a clock that was ahead. It runs at the start, after the clock has gone back, and every hour
 * for times from other processes.
 */
export function strayTimesTask(
  database: ServerDatabase,
  clock: Clock,
  longest: Readonly<Record<AttemptedKind, LongestTimes>>,
): Task {
  let last = Number.POSITIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'stray times',
    intervalMs: 10_000,
    async run() {
      const now = clock.now();
      const wentBack = now.getTime() < last;
      last = now.getTime();
      if (!wentBack && last - lookedAt < STRAYS_EVERY_MS) return;
      lookedAt = last;
      await database.transaction(async (tables) => {
        for (const kind of ATTEMPTED_KINDS) await endStrayTimes(tables, kind, longest[kind], { now });
      });
    },
  };
}

// --- internal ---

const STRAYS_EVERY_MS = 3_600_000;
