import { once } from 'node:events';
import type { Language } from 'sri-core';
import { CommandFailure, type CommandOptions, flagOption, readWhole, textOption, UsageError } from 'sri-core/cli';
import { readConfig } from '../config/config.js';
import { type Destinations, describeDestinations } from '../config/destinations.js';
import { sqlitePathOf } from '../open-database.js';
import { ConfigError } from '../platform/config-values.js';
import { sentenceOf } from '../platform/language.js';
import { watchProcessFaults } from '../platform/ops/process-faults.js';
import { PortUnavailableError } from '../platform/sockets/listen.js';
import { type ServerSettings, startServer } from '../server.js';
import { defineServerCommand } from './frame/command.js';
import { MOST_WORKERS, serveWithWorkers, workerPart } from './serve-workers.js';

const SERVE_OPTIONS = {
  dev: flagOption({
    es: 'Para probar: un SRI simulado, correos a archivos, webhooks a esta máquina; ninguna variable hace falta',
    en: 'To try things: a simulated SRI, mails to files, webhooks to this machine; no variable is needed',
  }),
  'read-only': flagOption({
    es: 'Para mirar: nada se guarda, envía ni migra, y la clave maestra puede faltar; READ_ONLY',
    en: 'To look: nothing is stored, sent or migrated, and the master key may be missing; READ_ONLY',
  }),
  port: textOption('n', { es: 'En lugar de PORT', en: 'Instead of PORT' }),
  workers: textOption('n', {
    es: `Con PostgreSQL: procesos que comparten el puerto, de 1 a ${MOST_WORKERS}; el que muere se vuelve a iniciar`,
    en: `With PostgreSQL: processes that share the port, from 1 to ${MOST_WORKERS}; a dead one is started again`,
  }),
} as const satisfies CommandOptions;

/** `serve` */
export const serveCommand = defineServerCommand({
  about: {
    es: 'Hasta SIGTERM o SIGINT: terminan antes las solicitudes y trabajos en curso; una segunda señal lo corta.\ndocs/es/configuration.md lista las variables; doctor dice cuáles faltan.',
    en: 'Until SIGTERM or SIGINT: running requests and jobs end first; a second signal ends it at once.\ndocs/en/configuration.md lists the variables; doctor tells which are missing.',
  },
  options: SERVE_OPTIONS,
  async run(call) {
    const { env, terminal, language } = call;
    const print = (line: string) => terminal.write(`${line}\n`);
    if (call.options.dev && env['NODE_ENV'] === 'production') {
      throw new UsageError({
        es: '--dev no va con NODE_ENV=production.',
        en: '--dev does not go with NODE_ENV=production.',
      });
    }
    const port = call.options.port === null ? {} : { PORT: call.options.port };
    // Lines for programs do not help a user who started the server by hand.
    const forEyes = terminal.isOutputWatched && !env['LOG_FORMAT'] ? { LOG_FORMAT: 'text' } : {};
    const settings: Readonly<Record<string, string | undefined>> = {
      ...env,
      ...forEyes,
      ...(call.options.dev ? DEV_SETTINGS : {}),
      ...(call.options['read-only'] ? { READ_ONLY: 'true' } : {}),
      ...port,
    };
    const worker = workerPart();
    if (call.options.workers !== null && worker === null) {
      const count = readWorkers(call.options.workers, settings);
      await serveWithWorkers(count, { terminal, language, report: (lines) => lines.forEach(print) });
      return { json: null, text: '' };
    }
    const server = await startServer(settings).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      throw notStarted(error);
    });
    const { destinations } = server;
    const lines = call.json
      ? [JSON.stringify({ ok: true, url: server.url, ...destinations })]
      : // Programs that start a server wait for the first line: it is the same in every language.
        [
          `Listening on ${server.url}`,
          ...destinationLines(describeDestinations(readConfig(settings), destinations.data, language), language),
        ];
    // The link opens only the process that made it.
    if (server.firstLink && !call.json && worker === null)
      lines.push(language === 'es' ? `Empiece aquí: ${server.firstLink}` : `Begin here: ${server.firstLink}`);
    watchProcessFaults({ process, logger: server.logger, stop: () => server.close() });
    const signal = terminal.stopSignal();
    const stop = worker === null ? signal : AbortSignal.any([signal, worker.stop]);
    if (worker === null) for (const line of lines) print(line);
    else worker.reportReady(lines);
    if (!stop.aborted) await once(stop, 'abort');
    if (worker === null)
      terminal.complain(
        language === 'es' ? 'Terminando; otra vez para cortar.\n' : 'Stopping; once more to stop at once.\n',
      );
    await server.close();
    return { json: null, text: '' };
  },
});

// --- internal ---

/** @throws UsageError; ConfigError */
function readWorkers(text: string, settings: ServerSettings): number {
  const count = readWhole('--workers', text, 1, MOST_WORKERS);
  if (sqlitePathOf(readConfig(settings)) !== null) {
    throw new UsageError({
      es: '--workers necesita PostgreSQL en DATABASE_URL: un archivo SQLite tiene un solo escritor, y más procesos no crean más.',
      en: '--workers needs a PostgreSQL in DATABASE_URL: a SQLite file has one writer, and more processes create no more.',
    });
  }
  return count;
}

/** Why the server did not start; if the port is the cause, how to choose another. */
function notStarted(error: unknown): CommandFailure {
  if (!(error instanceof PortUnavailableError)) {
    const sentence = (language: Language) => sentenceOf(error, language).trim().replace(/\.?$/, '.');
    return new CommandFailure('NOT_STARTED', {
      es: `No se inició: ${sentence('es')}`,
      en: `Not started: ${sentence('en')}`,
    });
  }
  const { port } = error;
  return new CommandFailure('NOT_STARTED', {
    es: `No se inició: el puerto ${port} no se puede usar; quizá ya lo usa otro programa. Otro puerto: PORT en .env, --port <n>, o npm start -- --port <n>.`,
    en: `Not started: port ${port} cannot be used; perhaps another program uses it. Another port: PORT in .env, --port <n>, or npm start -- --port <n>.`,
  });
}

function destinationLines({ sandboxDocuments, productionDocuments, mail, data }: Destinations, language: Language) {
  return language === 'es'
    ? [
        `Comprobantes de prueba: ${sandboxDocuments}; de producción: ${productionDocuments}`,
        `Correos: ${mail}`,
        `Datos: ${data}`,
      ]
    : [
        `Sandbox documents go to ${sandboxDocuments}; production documents go to ${productionDocuments}`,
        `Mail goes to ${mail}`,
        `Data is in ${data}`,
      ];
}

/** What `--dev` sets, over the environment. */
const DEV_SETTINGS = {
  SRI_MODE: 'offline',
  // A developer mistypes a password more often than a stranger may.
  ONBOARDING_RATE: '1000/1h',
  SRI_AUTH_FIRST_DELAY: '300ms',
  SMTP_URL: '',
  WEBHOOK_ALLOW_INSECURE: 'true',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'text',
} as const;
