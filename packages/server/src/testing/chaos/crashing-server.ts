import { mkdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from 'h3';
import { silentLogger, systemRandom } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createApp } from '../../app.js';
import { composeServer } from '../../compose.js';
import { readConfig } from '../../config/config.js';
import { openSriTransport } from '../../config/sri-transport.js';
import { composeMail } from '../../mail/compose-mail.js';
import { openDatabase } from '../../open-database.js';
import { createServerClock } from '../../platform/clock.js';
import { readMasterKeyFile } from '../../platform/secrets/master-key-file.js';
import { createWebhookSender } from '../../webhooks/webhook-sender.js';
import { CRASH_HEADER } from './crash-step.js';
import { arm, reach } from './reach.js';
import { watchPostgres, watchSqlite } from './watched-drivers.js';
import { watchedIssuer, watchedMail, watchedSri, watchedWebhooks, watchSockets } from './watched-ports.js';

/**
 * A server, started as by `startChildServer`, that dies at the step named in a request header: it kills itself with
 * SIGKILL. The server's code is unchanged; its ports are watched. With `BACKGROUND=on` it also runs its background loops;
 * without, it sends only the statements of its requests.
 */
watchSqlite(reach);
watchPostgres(reach);
watchSockets();
const config = readConfig(process.env);
const clock = createServerClock(config.clockOffsetMs);
await mkdir(config.dataDir, { recursive: true });
const { masterKeys } = await readMasterKeyFile(config.dataDir);
const sri = config.sriMode === 'live' ? openSriTransport(config) : createSimulator({ clock }).handle;
const url = 'http://localhost';
const server = composeServer({
  config,
  urls: { baseUrl: url, appUrl: url, docsUrl: `${url}/docs` },
  opened: await openDatabase(config, clock),
  masterKeys,
  clock,
  random: systemRandom,
  logger: silentLogger,
  transport: { sandbox: watchedSri(sri), production: watchedSri(sri) },
  mail: watchedMail(composeMail(config, url)),
  webhookSender: watchedWebhooks(
    createWebhookSender({ timeoutMs: config.webhookTimeoutMs, allowInsecure: config.webhookAllowInsecure }),
  ),
});
await server.prepare();
const { services } = server;
const openIssuer = async (...of: Parameters<typeof services.openIssuer>) =>
  watchedIssuer(await services.openIssuer(...of));
const handle = toNodeHandler(createApp({ ...services, openIssuer })) as RequestListener;

const listener = createServer((request, response) => {
  arm(request.headers[CRASH_HEADER]);
  const writeHead = response.writeHead;
  response.writeHead = (...head: unknown[]) => {
    reach({ moment: 'port', port: 'an answer is about to begin' });
    return Reflect.apply(writeHead, response, head);
  };
  handle(request, response);
});
if (process.env['BACKGROUND'] === 'on') server.start();
listener.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${(listener.address() as AddressInfo).port}\n`);
});
