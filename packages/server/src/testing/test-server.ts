import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, type Storage, silentLogger, systemRandom, type Transport } from 'sri-core';
import { createSimulator, type Simulator } from 'sri-core/simulator';
import { createTestClock, createTestP12, type TestClock } from 'sri-core/testing';
import { afterAll, describe } from 'vitest';
import { createApp } from '../app.js';
import { composeServer } from '../compose.js';
import { type Config, readConfig } from '../config/config.js';
import type { MailTransport } from '../mail/mail-transport.js';
import { openDatabase } from '../open-database.js';
import type { Services } from '../platform/http/services.js';
import { readMasterKeyFile } from '../platform/secrets/master-key-file.js';
import { createThreads, type Threads } from '../platform/threads/threads.js';
import type { WebhookSender } from '../webhooks/webhook-sender.js';
import { checkAnswer } from './answer-check.js';
import { databaseSettings } from './database-settings.js';
import type { DatabaseKind } from './test-databases.js';

/** A server without a socket: real database and engine, the simulated SRI, mails in files, and a movable clock. */
export interface TestServer {
  readonly services: Services;
  /** Core's part of its database. */
  readonly storage: Storage;
  readonly clock: TestClock;
  readonly simulator: Simulator;
  readonly dataDir: string;
  /** Null for a SQLite file in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Sends a request from that address. */
  request(path: string, init?: RequestInit, address?: string): Promise<Response>;
  /** Runs all due work once. */
  tick(): Promise<number>;
  /** Moves the clock, and runs all work that is due then. */
  tickAfter(ms: number): Promise<number>;
  /** The written mails, oldest first, without soft line breaks. */
  mails(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The differences from a default test server. */
export interface TestServerOptions {
  /** Settings by their names. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
  /** The sender of webhooks. Default: over the network, as configured. */
  readonly webhookSender?: WebhookSender;
  /** The sender of mails. Default: SMTP where it is configured, else files. */
  readonly mail?: MailTransport;
  /** The transport to the SRI. Default: the simulator. */
  readonly transport?: Transport;
  /** Threads for RIDEs and logos, which end with the server. Default: those that the servers of the test process share. */
  readonly threads?: Threads;
  /** The start of the clock. */
  readonly now?: string;
  /** A clock of the caller, in place of one that starts at `now`. */
  readonly clock?: TestClock;
  /** A data directory that stays after the close. Default: a fresh one. */
  readonly dataDir?: string;
  /** A server whose database, keys, clock and SRI this one shares. Close that server last. */
  readonly beside?: TestServer;
}

/**
 * Describes a server on every kind of database. `open` gives a fresh server, which is closed after the last test.
 */
export function describeOnDatabases(
  title: string,
  kinds: readonly DatabaseKind[],
  suite: (open: (options?: TestServerOptions) => Promise<TestServer>, databaseName: string) => void,
): void {
  for (const kind of kinds) {
    describe.skipIf(kind.missing !== null)(`${title} on ${kind.name}`, () => {
      const closing: (() => Promise<void>)[] = [];
      afterAll(async () => {
        for (const close of closing.reverse()) await close();
      });
      suite(async (options = {}) => {
        if (options.beside) {
          const server = await openTestServer(options.beside.databaseUrl, options);
          closing.push(server.close);
          return server;
        }
        const database = await kind.create();
        closing.push(database.remove);
        const server = await openTestServer(database.url, options);
        closing.push(server.close);
        return server;
      }, kind.name);
    });
  }
}

/** A Saturday morning in Ecuador. */
export const TEST_NOW = '2026-11-21T15:00:00.000Z';

/** Opens a test server. @param databaseUrl null for a SQLite file of its own. */
export async function openTestServer(
  databaseUrl: string | null = null,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const { settings = {}, logger = silentLogger, now = TEST_NOW, webhookSender, mail, transport, beside } = options;
  const kept = options.dataDir ?? beside?.dataDir;
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'sri-server-')));
  const config: Config = readConfig({
    DATA_DIR: dataDir,
    ...databaseSettings(databaseUrl),
    // The clock stands still, and most tests send from one address.
    PUBLIC_RATE: '100000/1m',
    ...settings,
  });
  const clock = options.clock ?? beside?.clock ?? createTestClock(now);
  const simulator = beside?.simulator ?? createSimulator({ clock });
  const opened = await openDatabase(config, clock);
  const masterKeys = config.masterKeys ?? (await readMasterKeyFile(dataDir)).masterKeys;
  const baseUrl = config.baseUrl ?? 'http://localhost:3000';
  const server = composeServer({
    config,
    urls: { baseUrl, appUrl: baseUrl, docsUrl: config.docsUrl ?? `${baseUrl}/docs` },
    opened,
    masterKeys,
    clock,
    random: systemRandom,
    logger,
    transport: { sandbox: transport ?? simulator.handle, production: transport ?? simulator.handle },
    threads: options.threads ?? SHARED_THREADS,
    ...(webhookSender ? { webhookSender } : {}),
    ...(mail ? { mail } : {}),
  });
  await server.prepare();
  const app = createApp(server.services);
  return {
    services: server.services,
    storage: opened.storage,
    clock,
    simulator,
    dataDir,
    databaseUrl,
    async request(path, init, address = '190.1.2.3') {
      const response = await app.request(path, init, { clientAddress: address });
      // The description includes the operator's routes, which do not exist without a token.
      const isThere = server.services.config.adminTokens.length > 0 || !path.startsWith('/v1/admin');
      if (isThere) await checkAnswer(init?.method ?? 'GET', path, response);
      return response;
    },
    tick: () => server.tick(),
    async tickAfter(ms) {
      await clock.advance(ms);
      return server.tick();
    },
    mails: () => readMails(join(dataDir, 'mail')),
    async close() {
      await server.stop();
      await opened.close();
      if (kept === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The certificate of most registrations in tests; made once. */
export function testP12(): Promise<Uint8Array> {
  madeP12 ??= createTestP12({ ruc: TEST_RUC, password: TEST_PASSWORD, ...TEST_VALIDITY });
  return madeP12;
}

/** When certificates of tests are in force: on the fixed days of tests, and today. */
export const TEST_VALIDITY = { validFrom: new Date('2026-01-01T00:00:00Z'), validTo: new Date('2046-01-01T00:00:00Z') };

/** The RUC in the test certificate. */
export const TEST_RUC = '1790012345001';
/** The password of the test certificate. */
export const TEST_PASSWORD = 'clavé de prueba';

// --- internal ---

let madeP12: Promise<Uint8Array> | null = null;

/** Starting a thread takes a second of processor time: the servers of a test process share theirs. */
const SHARED_THREADS: Threads = {
  ...createThreads((error) => {
    throw error;
  }),
  close: async () => {},
};

async function readMails(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder).catch(() => []);
  const mails = files.toSorted().map((file) => readFile(join(folder, file), 'utf8'));
  return (await Promise.all(mails)).map((mail) => mail.replace(/=\n/g, '').replace(/=3D/g, '='));
}
