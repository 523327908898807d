import { mkdir } from 'node:fs/promises';
import type { TestClock } from 'sri-core/testing';
import { openTestServer, type TestServer, type TestServerOptions } from '../test-server.js';
import type { DataLocation } from './chaos-tenant.js';

/** Opens a server of this process on a fault's database. Its `tick` moves the clock as far as the work needs. */
export async function openInProcessServer(
  { databaseUrl, dataDirectory }: DataLocation,
  { settings, ...parts }: TestServerOptions,
): Promise<TestServer> {
  await mkdir(dataDirectory, { recursive: true });
  const server = await openTestServer(databaseUrl, {
    ...parts,
    dataDir: dataDirectory,
    settings: { ONBOARDING_RATE: '1000/1h', ...settings },
  });
  return { ...server, tick: () => whileTimeMoves(server.clock, server.tick()) };
}

/** Advances the clock until work that waits for it is done. */
export async function whileTimeMoves<T>(clock: TestClock, work: Promise<T>): Promise<T> {
  let done = false;
  const watched = work.finally(() => {
    done = true;
  });
  watched.catch(() => {});
  // Signing, commits and reads take real time: a clock that runs ahead of them would time calls out.
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (!done) await clock.advance(STEP_MS);
  }
  return watched;
}

// --- internal ---

const STEP_MS = 250;
