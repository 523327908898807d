import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from './server.js';
import { databaseSettings } from './testing/database-settings.js';
import { masterKeySettings } from './testing/master-keys.js';
import { everyDatabaseKind } from './testing/test-databases.js';
import { openTestServer } from './testing/test-server.js';

const SHARED = ['agreements', 'billing', 'certificates', 'notifications', 'prices', 'stored limits'];

for (const kind of await everyDatabaseKind()) {
  describe.skipIf(kind.missing !== null)(`three servers that start together on ${kind.name}`, () => {
    it('three servers share each task, and run it once', async () => {
      const database = await kind.create();
      const folder = await mkdtemp(join(tmpdir(), 'sri-shared-tasks-'));
      const DATABASE_URL = database.url ?? `file:${join(folder, 'shared.db')}`;
      const settings = { ...masterKeySettings('k'), ...databaseSettings(DATABASE_URL), DATA_DIR: folder, PORT: '0' };
      const watching = await openTestServer(DATABASE_URL, { settings });
      const rounds = () =>
        watching.services.database.read((tables) =>
          tables
            .selectFrom('jobs')
            .select(['subject', 'lease_token', 'lease_until'])
            .where('kind', '=', 'TIMER')
            .orderBy('subject')
            .execute(),
        );
      const servers: RunningServer[] = [];
      try {
        servers.push(...(await Promise.all([1, 2, 3].map(() => startServer(settings, { logger: silentLogger })))));
        await expect
          .poll(
            async () =>
              (await rounds()).filter(({ lease_until }) => lease_until === null).map(({ subject }) => subject),
            {
              timeout: 10_000,
            },
          )
          .toEqual(SHARED);
        // Each lease raises the token; the other shared tasks run again within this test.
        const hourly = (await rounds()).filter(({ subject }) => subject === 'billing' || subject === 'certificates');
        expect(hourly.map(({ lease_token }) => lease_token)).toEqual([1, 1]);
      } finally {
        await Promise.all(servers.map((server) => server.close()));
        await watching.close();
        await database.remove();
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}
