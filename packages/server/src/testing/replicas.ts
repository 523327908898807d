import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { masterKeySettings } from './master-keys.js';
import type { DatabaseKind } from './test-databases.js';
import { openTestServer, type TestServer, type TestServerOptions } from './test-server.js';

/**
 * Opens a server on the shared database of a suite, with the same master key but its own memory and clock. The suite
 * may close it earlier.
 */
export type OpenReplica = (options?: TestServerOptions) => Promise<TestServer>;

/** Describes several servers on one database, on every kind of database. */
export function describeReplicas(
  title: string,
  kinds: readonly DatabaseKind[],
  suite: (openReplica: OpenReplica) => void,
): void {
  for (const kind of kinds) {
    describe.skipIf(kind.missing !== null)(`${title} on ${kind.name}`, () => {
      const closing: (() => Promise<void>)[] = [];
      let url: Promise<string> | null = null;
      afterAll(async () => {
        for (const close of closing.reverse()) await close();
      });
      suite(async (options) => {
        url ??= createShared(kind, closing);
        const settings = { ...masterKeySettings('shared'), ...options?.settings };
        const server = await openTestServer(await url, { ...options, settings });
        let closed: Promise<void> | null = null;
        const close = () => {
          closed ??= server.close();
          return closed;
        };
        closing.push(close);
        return { ...server, close };
      });
    });
  }
}

// --- internal ---

async function createShared(kind: DatabaseKind, closing: (() => Promise<void>)[]): Promise<string> {
  const database = await kind.create();
  closing.push(database.remove);
  if (database.url !== null) return database.url;
  const folder = await mkdtemp(join(tmpdir(), 'sri-shared-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  return `file:${join(folder, 'shared.db')}`;
}
