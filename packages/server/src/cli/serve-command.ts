import { once } from 'node:events';
import { CommandFailure, type CommandOptions, UsageError } from 'sri-core/cli';
import { ConfigError } from '../config-values.js';
import { watchProcessFaults } from '../ops/process-faults.js';
import { startServer } from '../server.js';
import { defineServerCommand } from './command.js';

const SERVE_OPTIONS = {
  dev: {
    type: 'boolean',
    description: {
      es: 'Para probar: un SRI simulado, correos a archivos, webhooks a esta máquina; ninguna variable hace falta',
      en: 'To try things: a simulated SRI, mails to files, webhooks to this machine; no variable is needed',
    },
  },
  port: { type: 'string', value: 'n', description: { es: 'En lugar de PORT', en: 'Instead of PORT' } },
} as const satisfies CommandOptions;

/** `serve` */
export const serveCommand = defineServerCommand({
  about: {
    es: 'Hasta SIGTERM o SIGINT: terminan antes los pedidos y trabajos en marcha; una segunda señal lo corta.\ndocs/es/configuration.md lista las variables; doctor dice cuáles faltan.',
    en: 'Until SIGTERM or SIGINT: running requests and jobs end first; a second signal ends it at once.\ndocs/en/configuration.md lists the variables; doctor tells which are missing.',
  },
  options: SERVE_OPTIONS,
  async run(call) {
    const { env, terminal, language } = call;
    const say = (line: string) => terminal.write(`${line}\n`);
    if (call.options.dev && env['NODE_ENV'] === 'production') {
      throw new UsageError({
        es: '--dev no va con NODE_ENV=production.',
        en: '--dev does not go with NODE_ENV=production.',
      });
    }
    const port = call.options.port === null ? {} : { PORT: call.options.port };
    const settings = { ...env, ...(call.options.dev ? DEV_SETTINGS : {}), ...port };
    const server = await startServer(settings).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      const aboutPort = /\bport\b/i.test(message);
      throw new CommandFailure('NOT_STARTED', {
        es: `No se inició: ${message}${aboutPort ? ' Otro puerto: --port <n>.' : ''}`,
        en: `Not started: ${message}${aboutPort ? ' Another port: --port <n>.' : ''}`,
      });
    });
    const { places } = server;
    if (call.json) say(JSON.stringify({ ok: true, url: server.url, ...places }));
    else {
      // The first line is read by programs that start a server and wait for it.
      say(`Listening on ${server.url}`);
      say(
        `Sandbox documents go to ${places.sandboxDocuments}; production documents go to ${places.productionDocuments}`,
      );
      say(`Mail goes to ${places.mail}`);
      say(`Data is in ${places.data}`);
    }
    watchProcessFaults({ process, logger: server.logger, stop: () => server.close() });
    const stop = terminal.stopSignal();
    if (!stop.aborted) await once(stop, 'abort');
    terminal.complain(
      language === 'es' ? 'Terminando; otra vez para cortar.\n' : 'Stopping; once more to stop at once.\n',
    );
    await server.close();
    return { json: null, text: '' };
  },
});

// --- internal ---

/** What `--dev` sets, whatever the environment says. */
const DEV_SETTINGS = {
  SRI_MODE: 'simulator',
  SRI_AUTH_FIRST_DELAY: '300ms',
  SMTP_URL: '',
  WEBHOOK_ALLOW_INSECURE: 'true',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'text',
} as const;
