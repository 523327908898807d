import { mkdir } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { toNodeHandler } from 'h3';
import { type Clock, type Logger, type Random, systemClock, systemRandom, type Transport } from 'sri-core';
import { createApp } from './app.js';
import { composeServer } from './compose.js';
import { type Config, readConfig } from './config/config.js';
import { type Destinations, describeDestinations } from './config/destinations.js';
import { findProductionGaps } from './config/production-gaps.js';
import { openSriTransport } from './config/sri-transport.js';
import { firstLink } from './console/first-link.js';
import { createSimulatedSri } from './documents/simulated-sri.js';
import type { MailTransport } from './mail/mail-transport.js';
import { openDatabase } from './open-database.js';
import { createServerClock } from './platform/clock.js';
import { ConfigError } from './platform/config-values.js';
import { createDatabaseClock } from './platform/database/database-clock.js';
import { isSafeSqlite, SAFE_SQLITE } from './platform/database/sqlite-version.js';
import { addressBucket, isTrustedProxy, toPlainAddress } from './platform/http/client-address.js';
import type { ServerUrls, Services } from './platform/http/services.js';
import { createLogger } from './platform/ops/logging.js';
import type { MasterKeys } from './platform/secrets/master-keys.js';
import { beginFairly } from './platform/sockets/fair-beginnings.js';
import { type OpenSocket, openSocket, refuseUntilReady } from './platform/sockets/listen.js';
import { prepareMasterKeys, readMasterKeys } from './start-keys.js';
import { readExtraCertificates } from './webhooks/extra-certificates.js';
import { createWebhookSender } from './webhooks/webhook-sender.js';

/** Replaceable ports of a server; each has a real default. */
export interface ServerPorts {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** The connection of sandbox documents to the SRI. Default: by `sriMode`. */
  readonly sandboxTransport?: Transport;
  readonly mail?: MailTransport;
}

/** A running server. */
export interface RunningServer {
  /** Its address, without a trailing slash. */
  readonly url: string;
  readonly destinations: Destinations;
  readonly logger: Logger;
  /** The link that opens the console of a server without accounts; null on any other. */
  readonly firstLink: string | null;
  /**
   * Stops: no new connection and no new job, running requests and jobs end, everything is stored. Work that takes
   * longer than `shutdownGraceMs` is cut off; jobs that were cut off resume after their lease.
   */
  close(): Promise<void>;
}

/** The configuration by its names, as in `process.env`; absent names have their defaults. */
export type ServerSettings = Readonly<Record<string, string | undefined>>;

/**
 * Starts a server in this process.
 * @throws ConfigError; Error if the database or the port cannot be used. Then nothing is left open.
 */
export function startServer(settings: ServerSettings = {}, ports: ServerPorts = {}): Promise<RunningServer> {
  return openServer(settings, ports, openSocket);
}

/** A server with its request handlers, independent of the socket. */
export interface OpenServer extends RunningServer {
  readonly answerNode: RequestListener;
  readonly answerWeb: (request: Request, from?: { readonly clientAddress?: string }) => Promise<Response>;
  readonly services: Services;
}

/**
 * Starts a server that gets its requests from that socket.
 * @throws ConfigError; Error if the database or the port cannot be used. Then nothing is left open.
 */
export async function openServer(
  settings: ServerSettings,
  ports: ServerPorts,
  open: typeof openSocket,
): Promise<OpenServer> {
  const config = readConfig(settings);
  const ca = await readExtraCertificates(config.webhookCaFile);
  const logger = ports.logger ?? createLogger(config);
  for (const gap of findProductionGaps(config)) logger.warn({}, gap);
  const databaseClock = createDatabaseClock(createServerClock(config.clockOffsetMs), logger);
  const clock = ports.clock ?? databaseClock;
  const random = ports.random ?? systemRandom;
  if (!config.readOnly) await makeDataDir(config.dataDir);
  const opened = await openDatabase(config, clock, { readOnly: config.readOnly, looksThrough: !config.readOnly });
  const { sqliteVersion } = opened;
  const closing = new AbortController();
  if (sqliteVersion !== null && !isSafeSqlite(sqliteVersion)) {
    logger.warn(
      { sqliteVersion, needed: SAFE_SQLITE },
      'this SQLite has known faults: bring better-sqlite3 up to date',
    );
  }
  let urls = serverUrls(config, '');
  let handle = refuseUntilReady(() => urls.docsUrl);
  let masterKeys: MasterKeys;
  let socket: OpenSocket;
  try {
    // A rehearsal of another day has its own clock. Only its own machine uses a SQLite file.
    if (sqliteVersion === null && config.clockOffsetMs === 0)
      await databaseClock.follow(opened.database, closing.signal);
    masterKeys = await readMasterKeys(config, opened.database, logger);
    const { host, port, trustProxy } = config;
    socket = await open((request, response) => handle(request, response), {
      host,
      port,
      docsUrl: () => urls.docsUrl,
      connections: { overall: config.maxConnections, perAddress: config.maxConnectionsPerAddress },
      countedBy: (address) =>
        isTrustedProxy(address, trustProxy) ? null : addressBucket(toPlainAddress(address) ?? ''),
    });
  } catch (error) {
    closing.abort();
    await opened.close();
    throw error;
  }
  const url = `http://${socket.host.includes(':') ? `[${socket.host}]` : socket.host}:${socket.port}`;
  urls = serverUrls(config, url);
  // A call that waits for a connection would use up its own time. Some connections are left for requests of users.
  const live = openSriTransport(config, config.sriConcurrency + CONNECTIONS_FOR_PEOPLE);
  let composed: ReturnType<typeof composeServer> | null = null;
  let first: string | null;
  try {
    const simulated = config.sriMode === 'live' ? live : await createSimulatedSri(opened, clock);
    composed = composeServer({
      config,
      urls,
      opened,
      masterKeys,
      clock,
      random,
      logger,
      // Production documents go only to the SRI, unless nothing at all may leave this machine.
      transport: {
        sandbox: ports.sandboxTransport ?? simulated,
        production: config.sriMode === 'offline' ? simulated : live,
      },
      webhookSender: createWebhookSender({
        timeoutMs: config.webhookTimeoutMs,
        allowInsecure: config.webhookAllowInsecure,
        ca,
      }),
      ...(ports.mail ? { mail: ports.mail } : {}),
    });
    await prepareMasterKeys(composed.services);
    if (!config.readOnly) await composed.prepare();
    first = await firstLink(composed.services, url);
  } catch (error) {
    await Promise.allSettled([socket.close(0), composed?.stop(), live.close()]);
    closing.abort();
    await opened.close();
    throw error;
  }
  const server = composed;
  server.services.metrics.watchLimits(socket.occupancies);
  const app = createApp(server.services);
  const answerNode = toNodeHandler(app) as RequestListener;
  handle = beginFairly(answerNode);
  if (!config.readOnly) server.start();
  const destinations = describeDestinations(config, opened.place);
  logger.info({ url, ...destinations }, 'server started');

  async function stop(): Promise<void> {
    const { shutdownDelayMs, shutdownGraceMs } = config;
    logger.info({ delayMs: shutdownDelayMs, graceMs: shutdownGraceMs }, 'server stopping');
    // The last part of the grace: some to give jobs back and end requests, and the rest for closing.
    const part = Math.min(LAST_PART_MS, Math.floor(shutdownGraceMs / 10));
    const workMs = shutdownGraceMs - 2 * part;
    const delayMs = Math.min(shutdownDelayMs, workMs);
    const patience = AbortSignal.timeout(workMs);
    const socketClosed = systemClock.sleep(delayMs).then(() => socket.close(workMs - delayMs));
    const stopped = Promise.all([socketClosed, server.drain(patience)]).then(() => server.stop());
    try {
      await within(shutdownGraceMs - part, stopped);
    } finally {
      const closed = live.close().finally(() => {
        closing.abort();
        return opened.close();
      });
      await within(part, closed);
    }
    logger.info({}, 'server stopped');
  }
  let stopping: Promise<void> | null = null;

  return {
    url,
    destinations,
    logger,
    firstLink: first,
    answerNode,
    answerWeb: async (request, from) => app.request(request, undefined, { ...from }),
    services: server.services,
    close() {
      stopping ??= stop();
      return stopping;
    },
  };
}

// --- internal ---

/** The most time for each of the last two steps of a stop. */
const LAST_PART_MS = 1_500;

/** Connections to the SRI beyond those of queued work: for requests that wait for an authorization. */
const CONNECTIONS_FOR_PEOPLE = 16;

/** Waits for work, but at most `ms` of the machine's time. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController();
  const late = systemClock.sleep(ms, done.signal).catch(() => {});
  await Promise.race([work, late]);
  done.abort();
}

async function makeDataDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch(({ code }: NodeJS.ErrnoException) => {
    const texts = { es: `la carpeta no se puede crear (${code}).`, en: `the folder cannot be made (${code}).` };
    throw new ConfigError([{ variable: 'DATA_DIR', texts }]);
  });
}

function serverUrls(config: Config, url: string): ServerUrls {
  const baseUrl = config.baseUrl ?? url;
  return { baseUrl, appUrl: config.appUrl ?? baseUrl, docsUrl: config.docsUrl ?? `${baseUrl}/docs` };
}
