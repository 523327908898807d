import { silentLogger, systemClock } from 'sri-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openOperatorAccess } from '../../cli/frame/operator-access.js';
import { readConfig } from '../../config/config.js';
import { type OpenedDatabase, openDatabase } from '../../open-database.js';
import { databaseSettings } from '../../testing/database-settings.js';
import { everyDatabaseKind } from '../../testing/test-databases.js';
import { createServerClock } from '../clock.js';
import { newMasterKey } from '../secrets/master-keys.js';
import { createDatabaseClock } from './database-clock.js';
import type { ServerDatabase } from './tables.js';

const kind = (await everyDatabaseKind()).find(({ serverUrl }) => serverUrl !== null);
const AHEAD_MS = 2_000;

describe.skipIf(!kind || kind.missing !== null)('a machine whose clock is ahead of PostgreSQL', () => {
  let made: Awaited<ReturnType<NonNullable<typeof kind>['create']>> | undefined;
  let opened: OpenedDatabase;
  beforeAll(async () => {
    made = await kind?.create();
    opened = await openDatabase(readConfig(databaseSettings(made?.url ?? '')), systemClock);
  });
  afterAll(async () => {
    await opened?.close();
    await made?.remove();
  });

  it('the server clock keeps the time of the database after a late answer', async () => {
    const clock = createDatabaseClock(createServerClock(AHEAD_MS), silentLogger);
    const aheadMs = () => clock.now().getTime() - Date.now();
    await clock.follow(opened.database, AbortSignal.abort());
    expect(Math.abs(aheadMs())).toBeLessThan(AHEAD_MS / 2);
    const read: ServerDatabase['read'] = async (work) => {
      const found = await opened.database.read(work);
      vi.advanceTimersByTime(1.2 * AHEAD_MS);
      return found;
    };
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      await clock.follow({ read }, AbortSignal.abort());
      expect(Math.abs(aheadMs())).toBeLessThan(AHEAD_MS / 2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a command uses the time of the database', async () => {
    const settings = { ...databaseSettings(made?.url ?? ''), MASTER_KEYS: newMasterKey() };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 });
    try {
      const access = await openOperatorAccess(readConfig(settings));
      const aheadMs = Date.now() - access.services.clock.now().getTime();
      await access.close();
      expect(aheadMs).toBeGreaterThan(4 * 60_000);
    } finally {
      vi.useRealTimers();
    }
  });
});
