import { mkdir } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { toNodeHandler } from 'h3';
import {
  type Clock,
  type Logger,
  type Random,
  systemClock,
  systemRandom,
  type Transport,
  undiciTransport,
} from 'sri-core';
import { createApp } from './app.js';
import { createServerClock } from './clock.js';
import { composeServer } from './compose.js';
import { type Config, readConfig } from './config.js';
import { type OpenSocket, openSocket } from './listen.js';
import { createLogger } from './logging.js';
import type { MailTransport } from './mail/mail-transport.js';
import { describePlaces, type ServerPlaces } from './places.js';
import type { ServerUrls } from './services.js';
import { readMasterKeyFile } from './store/master-key-file.js';
import { openDatabase } from './store/open-database.js';
import { createSimulatedSri } from './store/simulated-sri.js';
import type { MasterKeys } from './tenancy/master-keys.js';
import { readExtraCertificates } from './webhooks/extra-certificates.js';
import { createWebhookSender } from './webhooks/webhook-sender.js';

/** Ports of a server that may be replaced; each has a real default. */
export interface ServerPorts {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** How sandbox documents reach the SRI. Default: as `sriMode` says. */
  readonly sandboxTransport?: Transport;
  readonly mail?: MailTransport;
}

/** A server that takes requests. */
export interface RunningServer {
  /** Where it listens, without a closing slash. */
  readonly url: string;
  readonly places: ServerPlaces;
  /**
   * Stops: no new connection and no new job, running requests and jobs end, everything is stored. Whatever lasts longer
   * than `shutdownGraceMs` is cut off; jobs that were cut off are taken up again after their lease.
   */
  close(): Promise<void>;
}

/**
 * Starts a server in this process.
 *
 * @param settings the configuration by its names, as `process.env` holds it; what is left out has its default.
 * @throws ConfigError; Error when the database or the port cannot be used. Then nothing is left open.
 */
export async function startServer(
  settings: Readonly<Record<string, string | undefined>> = {},
  ports: ServerPorts = {},
): Promise<RunningServer> {
  const config = readConfig(settings);
  const ca = await readExtraCertificates(config.webhookCaFile);
  const logger = ports.logger ?? createLogger(config);
  const clock = ports.clock ?? createServerClock(config.clockOffsetMs);
  const random = ports.random ?? systemRandom;
  await mkdir(config.dataDir, { recursive: true });
  const masterKeys = config.masterKeys ?? (await ownMasterKeys(config, logger));
  const opened = await openDatabase(config, clock);
  // Requests that come before everything is put together are asked to come again.
  let handle: RequestListener = (_request, response) => response.writeHead(503, { 'retry-after': '1' }).end();
  let urls = serverUrls(config, '');
  let socket: OpenSocket;
  try {
    const { host, port } = config;
    const docsUrl = () => urls.docsUrl;
    socket = await openSocket((request, response) => handle(request, response), { host, port, docsUrl });
  } catch (error) {
    await opened.close();
    throw error;
  }
  const url = `http://${socket.host.includes(':') ? `[${socket.host}]` : socket.host}:${socket.port}`;
  urls = serverUrls(config, url);
  const live = undiciTransport({ connectTimeoutMs: config.sriConnectTimeoutMs, timeoutMs: config.sriTimeoutMs });
  const sandbox =
    ports.sandboxTransport ?? (config.sriMode === 'live' ? live : await createSimulatedSri(opened, clock));
  const server = composeServer({
    config,
    urls,
    opened,
    masterKeys,
    clock,
    random,
    logger,
    // Production documents never reach anything but the SRI.
    transport: { sandbox, production: live },
    webhookSender: createWebhookSender({
      timeoutMs: config.webhookTimeoutMs,
      allowInsecure: config.webhookAllowInsecure,
      ca,
    }),
    ...(ports.mail ? { mail: ports.mail } : {}),
  });
  try {
    await server.prepare();
  } catch (error) {
    await Promise.allSettled([socket.close(0), server.stop(), live.close()]);
    await opened.close();
    throw error;
  }
  handle = toNodeHandler(createApp(server.services)) as RequestListener;
  server.start();
  const places = describePlaces(config, opened.place);
  logger.info({ url, ...places }, 'server started');

  async function stop(): Promise<void> {
    const stopped = Promise.all([socket.close(config.shutdownGraceMs), server.drain()]).then(() => server.stop());
    await within(config.shutdownGraceMs, stopped);
    await live.close();
    await opened.close();
    logger.info({}, 'server stopped');
  }
  let stopping: Promise<void> | null = null;

  return {
    url,
    places,
    close() {
      stopping ??= stop();
      return stopping;
    },
  };
}

// --- internal ---

/** Waits for work, but no longer than `ms` of the machine's time. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController();
  const late = systemClock.sleep(ms, done.signal).catch(() => {});
  await Promise.race([work, late]);
  done.abort();
}

async function ownMasterKeys(config: Config, logger: Logger): Promise<MasterKeys> {
  const { masterKeys, path, created } = await readMasterKeyFile(config.dataDir);
  if (created) {
    logger.warn(
      { path },
      'MASTER_KEYS is not set: a master key was made. Keep this file; stored keys are lost without it',
    );
  }
  return masterKeys;
}

function serverUrls(config: Config, url: string): ServerUrls {
  const baseUrl = config.baseUrl ?? url;
  return { baseUrl, appUrl: config.appUrl ?? baseUrl, docsUrl: config.docsUrl ?? `${baseUrl}/docs` };
}
