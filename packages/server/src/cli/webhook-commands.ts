import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { CommandFailure, type CommandOptions, readInputFile, toLines, toText, UsageError } from 'sri-core/cli';
import { verifyWebhook } from 'sri-core/webhooks';
import { createApiClient } from './client/api-client.js';
import { CONNECTION_OPTIONS, readConnection } from './client/connection.js';
import { defineServerCommand } from './command.js';

const LISTEN_OPTIONS = {
  ...CONNECTION_OPTIONS,
  port: {
    type: 'string',
    value: 'n',
    description: { es: 'Puerto de esta máquina; si no, uno libre', en: 'Port of this machine; default a free one' },
  },
  event: {
    type: 'string',
    multiple: true,
    value: 'type',
    description: { es: 'Solo esos tipos; puede repetirse', en: 'Those types only; may be repeated' },
  },
} as const satisfies CommandOptions;

const VERIFY_OPTIONS = {
  headers: {
    type: 'string',
    value: 'file',
    description: {
      es: 'Las cabeceras recibidas, «Nombre: valor» en cada línea',
      en: 'The headers received, «Name: value» on each line',
    },
  },
  'ignore-age': {
    type: 'boolean',
    description: { es: 'Aunque sea de hace más de cinco minutos', en: 'Even if it is older than five minutes' },
  },
} as const satisfies CommandOptions;

/** Commands about webhooks. */
export const WEBHOOK_COMMANDS = {
  listen: defineServerCommand({
    about: {
      es: 'Registra un webhook a esta máquina, muestra cada entrega después de comprobar su firma, y lo borra al terminar\n(Ctrl-C). El servidor debe poder llegar aquí: en esta máquina, con serve --dev.',
      en: 'Registers a webhook to this machine, shows each delivery once its signature is checked, and removes it at the end\n(Ctrl-C). The server must reach this machine: on this machine, with serve --dev.',
    },
    options: LISTEN_OPTIONS,
    async run(call) {
      const connection = readConnection(call);
      const api = createApiClient(connection);
      const port = Number(call.options.port ?? 0);
      if (!Number.isInteger(port) || port < 0 || port > 65_535)
        throw new UsageError({ es: '--port es un puerto.', en: '--port is a port.' });
      const stop = call.terminal.stopSignal();
      let secret = '';
      const show = (line: Readonly<Record<string, unknown>>) =>
        call.terminal.write(call.json ? `${JSON.stringify(line)}\n` : `${toLines(line)}\n\n`);
      const receiver = createServer(async (request, response) => {
        const rawBody = await buffer(request);
        try {
          const { event, deliveryId, timestamp, data } = verifyWebhook({ rawBody, headers: request.headers, secret });
          show({ event, deliveryId, at: new Date(timestamp).toISOString(), data });
          response.writeHead(204).end();
        } catch (error) {
          show({ refused: error instanceof Error ? error.message : 'unknown' });
          response.writeHead(400).end();
        }
      });
      receiver.listen(port, '127.0.0.1');
      await once(receiver, 'listening').catch((error: NodeJS.ErrnoException) => {
        throw new CommandFailure('PORT_NOT_USABLE', {
          es: `El puerto ${port} no se puede usar (${error.code}).`,
          en: `Port ${port} cannot be used (${error.code}).`,
        });
      });
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      let endpointId: string | null = null;
      try {
        const eventTypes = call.options.event;
        const answer = await api('/v1/webhooks', {
          method: 'POST',
          body: { url, ...(eventTypes.length > 0 ? { eventTypes } : {}) },
        });
        const registered = answer.json<{ endpoint: { id: string }; secret: string }>();
        endpointId = registered.endpoint.id;
        secret = registered.secret;
        call.terminal.complain(
          call.language === 'es' ? `Escuchando en ${url}. Ctrl-C termina.\n` : `Listening at ${url}. Ctrl-C ends it.\n`,
        );
        if (!stop.aborted) await once(stop, 'abort');
      } finally {
        if (endpointId !== null) await api(`/v1/webhooks/${endpointId}`, { method: 'DELETE' });
        receiver.close();
        receiver.closeAllConnections();
      }
      return { json: null, text: '' };
    },
  }),
  verify: defineServerCommand({
    about: {
      es: 'El cuerpo exactamente como llegó, sin volver a escribir el JSON. El secreto (whsec_…) va en SRI_WEBHOOK_SECRET.',
      en: 'The body exactly as it came, without writing the JSON anew. The secret (whsec_…) goes in SRI_WEBHOOK_SECRET.',
    },
    args: [
      {
        name: 'file',
        description: {
          es: 'El cuerpo recibido; - es la entrada estándar',
          en: 'The body received; - is the standard input',
        },
      },
    ],
    options: VERIFY_OPTIONS,
    async run(call) {
      const secret = call.env['SRI_WEBHOOK_SECRET']?.trim();
      if (!secret) throw new UsageError({ es: 'Falta SRI_WEBHOOK_SECRET.', en: 'SRI_WEBHOOK_SECRET is missing.' });
      const path = call.options.headers;
      if (path === null) throw new UsageError({ es: 'Falta --headers.', en: '--headers is missing.' });
      const headers = readHeaders(toText(await readInputFile(path, { maxBytes: 64 * 1024 }), path));
      const rawBody = await readInputFile(call.args[0] ?? '', { maxBytes: 4 * 1024 * 1024, terminal: call.terminal });
      const toleranceMs = call.options['ignore-age'] ? Number.MAX_SAFE_INTEGER : undefined;
      try {
        const { event, deliveryId } = verifyWebhook({
          rawBody,
          headers,
          secret,
          ...(toleranceMs ? { toleranceMs } : {}),
        });
        return { json: { ok: true, event, deliveryId }, text: toLines({ event, deliveryId }) };
      } catch (error) {
        const reason = error instanceof Error && 'fault' in error ? String(error.fault) : 'signature';
        throw new CommandFailure('WEBHOOK_SIGNATURE_INVALID', REASONS[reason] ?? String(error), { reason });
      }
    },
  }),
} as const;

// --- internal ---

const REASONS: Readonly<Record<string, { readonly es: string; readonly en: string }>> = {
  headers: {
    es: 'Faltan las cabeceras de la firma: webhook-id, webhook-timestamp y webhook-signature, o X-Service-Timestamp y X-Service-Signature.',
    en: 'The headers of the signature are missing: webhook-id, webhook-timestamp and webhook-signature, or X-Service-Timestamp and X-Service-Signature.',
  },
  signature: {
    es: 'La firma no corresponde: o el secreto es otro, o el cuerpo no son los bytes que llegaron (un marco que lee y vuelve a escribir el JSON los cambia).',
    en: 'The signature does not match: the secret is another one, or the body is not the bytes that came (a framework that parses and writes JSON anew changes them).',
  },
  age: {
    es: 'La firma es buena, pero de hace más de cinco minutos (--ignore-age lo pasa por alto). Revise el reloj.',
    en: 'The signature is good, but older than five minutes (--ignore-age passes over it). Check the clock.',
  },
  body: {
    es: 'La firma es buena, pero el cuerpo no es un evento.',
    en: 'The signature is good, but the body is no event.',
  },
};

function readHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    return name && value !== undefined ? [[name.toLowerCase(), value.trim()]] : [];
  });
  return Object.fromEntries(pairs);
}
