import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config/config.js';
import { type OpenedDatabase, openDatabase } from './open-database.js';
import { databaseSettings } from './testing/database-settings.js';
import { everyDatabaseKind } from './testing/test-databases.js';

const kind = (await everyDatabaseKind()).find(({ serverUrl }) => serverUrl !== null);

describe.skipIf(!kind || kind.missing !== null)('a PostgreSQL that stops answering', () => {
  it('the check reports a silent PostgreSQL and its return soon, also after an earlier check', {
    timeout: 20_000,
  }, async () => {
    const database = await kind?.create();
    const way = await openWay(new URL(database?.url ?? ''));
    const opened = await openDatabase(readConfig(databaseSettings(way.url)), systemClock);
    await opened.check();
    way.isSilent = true;
    // No answer arrives, as from a machine without power; the check times out by itself.
    await expect(opened.check()).rejects.toThrow();
    way.isSilent = false;
    // Only one check runs at a time, so no check runs when the pool ends.
    while (!(await answers(opened))) await sleep(50);
    await opened.close();
    way.close();
    await database?.remove();
  });
});

// --- internal ---

const answers = ({ check }: OpenedDatabase) =>
  check().then(
    () => true,
    () => false,
  );

/** Opens a proxy to the database that can stop answering. */
async function openWay(target: URL) {
  const sockets = new Set<Socket>();
  const way = {
    isSilent: false,
    url: '',
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          near.destroy();
          far.destroy();
        });
    }
    near.on('data', (bytes) => way.isSilent || far.write(bytes));
    far.on('data', (bytes) => way.isSilent || near.write(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(target);
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  way.url = url.href;
  return way;
}
