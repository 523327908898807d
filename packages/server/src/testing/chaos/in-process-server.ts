import { mkdir } from 'node:fs/promises';
import { type Logger, silentLogger, systemRandom, type Transport } from 'sri-core';
import { createTestClock, type TestClock } from 'sri-core/testing';
import { createApp } from '../../app.js';
import { composeServer } from '../../compose.js';
import { readConfig } from '../../config/config.js';
import type { MailTransport } from '../../mail/mail-transport.js';
import { openDatabase } from '../../open-database.js';
import type { Services } from '../../platform/http/services.js';
import { readMasterKeyFile } from '../../platform/secrets/master-key-file.js';
import type { WebhookSender } from '../../webhooks/webhook-sender.js';
import { databaseSettings } from '../database-settings.js';
import type { FaultPlace } from './fault.js';

/** A complete server in this process, with a movable clock and replaced external systems. */
export interface InProcessServer {
  readonly services: Services;
  readonly clock: TestClock;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Runs all due work once, moving the clock as far as needed. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

/** The replaced external systems. */
export interface InProcessParts {
  readonly clock?: TestClock;
  readonly transport: Transport;
  readonly mail?: MailTransport;
  readonly webhookSender?: WebhookSender;
  readonly logger?: Logger;
  /** Settings by their names. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The start of the server's clock: a Saturday morning in Ecuador. */
export const CHAOS_NOW = '2026-11-21T15:00:00.000Z';

/** Opens a server on a fault's database. */
export async function openInProcessServer(
  { databaseUrl, dataDirectory, database }: Pick<FaultPlace, 'databaseUrl' | 'dataDirectory' | 'database'>,
  parts: InProcessParts,
): Promise<InProcessServer> {
  const clock = parts.clock ?? createTestClock(CHAOS_NOW);
  const isFilePath = database === 'sqlite' && !databaseUrl.startsWith('file:');
  const config = readConfig({
    DATA_DIR: dataDirectory,
    ...databaseSettings(isFilePath ? `file:${databaseUrl}` : databaseUrl),
    ONBOARDING_RATE: '1000/1h',
    ...parts.settings,
  });
  await mkdir(dataDirectory, { recursive: true });
  const opened = await openDatabase(config, clock);
  const { masterKeys } = await readMasterKeyFile(dataDirectory);
  const url = 'http://localhost';
  const server = composeServer({
    config,
    urls: { baseUrl: url, appUrl: url, docsUrl: `${url}/docs` },
    opened,
    masterKeys,
    clock,
    random: systemRandom,
    logger: parts.logger ?? silentLogger,
    transport: { sandbox: parts.transport, production: parts.transport },
    ...(parts.mail ? { mail: parts.mail } : {}),
    ...(parts.webhookSender ? { webhookSender: parts.webhookSender } : {}),
  });
  await server.prepare();
  const app = createApp(server.services);
  return {
    services: server.services,
    clock,
    request: async (path, init) => app.request(path, init, { clientAddress: '190.1.2.3' }),
    async tick() {
      await whileTimeMoves(clock, server.tick());
    },
    async close() {
      await server.stop();
      await opened.close();
    },
  };
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
