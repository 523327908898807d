import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { translate } from 'sri-core';
import {
  CommandFailure,
  type CommandOptions,
  fillText,
  flagOption,
  listenHere,
  readInputFile,
  readWhole,
  textOption,
  toLines,
  toTable,
  toText,
  UsageError,
} from 'sri-core/cli';
import type { Client, WebhookEndpoint } from 'sri-core/client';
import { verifyWebhook } from 'sri-core/webhooks';
import { CONNECTION_OPTIONS, readConnection } from './client/connection.js';
import { withServer } from './client/with-server.js';
import { defineServerCommand } from './frame/command.js';
import { requireId, requireText } from './frame/read-options.js';

const LISTEN_OPTIONS = {
  ...CONNECTION_OPTIONS,
  port: textOption('n', {
    es: 'Puerto de esta máquina; si no, uno libre',
    en: 'Port of this machine; default a free one',
  }),
  event: {
    type: 'string',
    multiple: true,
    value: 'type',
    description: { es: 'Solo esos tipos; puede repetirse', en: 'Those types only; may be repeated' },
  },
} as const satisfies CommandOptions;

const VERIFY_OPTIONS = {
  headers: textOption('file', {
    es: 'Las cabeceras recibidas, «Nombre: valor» en cada línea',
    en: 'The headers received, «Name: value» on each line',
  }),
  'ignore-age': flagOption({
    es: 'Aunque sea de hace más de cinco minutos',
    en: 'Even if it is older than five minutes',
  }),
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
      const port = readWhole('--port', call.options.port ?? '0', 0, 65_535);
      const stop = call.terminal.stopSignal();
      // A delivery may arrive before the answer that holds its secret.
      const registered = Promise.withResolvers<string>();
      const show = (line: Readonly<Record<string, unknown>>) =>
        call.terminal.write(call.json ? `${JSON.stringify(line)}\n` : `${toLines(line, call.language)}\n\n`);
      const receiver = createServer(async (request, response) => {
        if (request.method === 'GET') {
          response.writeHead(200, { 'x-listening': LISTEN_PATH }).end();
          return;
        }
        try {
          const rawBody = await buffer(request);
          const secret = await registered.promise;
          const { event, deliveryId, timestamp, data } = verifyWebhook({ rawBody, headers: request.headers, secret });
          show({ event, deliveryId, at: new Date(timestamp * 1000).toISOString(), data });
          response.writeHead(204).end();
        } catch (error) {
          show({ refused: error instanceof Error ? error.message : 'unknown' });
          response.writeHead(400).end();
        }
      });
      const url = `http://127.0.0.1:${await listenHere(receiver, port)}${LISTEN_PATH}`;
      try {
        await withServer(connection, async (api) => {
          // The server validates the event types.
          const eventTypes = call.options.event as WebhookEndpoint['eventTypes'];
          const left = await removeLeftEndpoints(api);
          if (left > 0) call.terminal.complain(`${translate(fillText(LEFT, { left }), call.language)}\n`);
          const { endpoint, secret } = await api.webhooks.create({
            url,
            ...(eventTypes.length > 0 ? { eventTypes } : {}),
          });
          registered.resolve(secret);
          try {
            call.terminal.complain(`${translate(fillText(LISTENING, { url }), call.language)}\n`);
            if (!stop.aborted) await once(stop, 'abort');
          } finally {
            await api.webhooks.remove(endpoint.id);
          }
        });
      } catch (error) {
        throw explainLimit(error);
      } finally {
        receiver.close();
        receiver.closeAllConnections();
      }
      return { json: null, text: '' };
    },
  }),
  verify: defineServerCommand({
    about: {
      es: 'El cuerpo exactamente como llegó, sin volver a escribir el JSON. El secreto (whsec_…) va en SRI_WEBHOOK_SECRET.',
      en: 'The body exactly as received, without rewriting the JSON. The secret (whsec_…) goes in SRI_WEBHOOK_SECRET.',
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
      const secret = readSecret(call.env);
      const path = requireText('--headers', call.options.headers);
      const headers = readHeaders(toText(await readInputFile(path, { maxBytes: 64 * 1024 }), path));
      const rawBody = await readInputFile(call.args[0] ?? '', { maxBytes: 4 * 1024 * 1024, terminal: call.terminal });
      const toleranceMs = call.options['ignore-age'] ? Number.MAX_SAFE_INTEGER : undefined;
      const present = SCHEMES.filter(({ header }) => headers[header] !== undefined);
      if (present.length === 0) throw notVerified('headers', '');
      // A receiver checks either signature, so both have to be right.
      const events = present.map(({ header, pattern }) => {
        const own = Object.entries(headers).filter(([name]) => pattern.test(name));
        try {
          return verifyWebhook({
            rawBody,
            headers: Object.fromEntries(own),
            secret,
            ...(toleranceMs ? { toleranceMs } : {}),
          });
        } catch (error) {
          throw notVerified(error instanceof Error && 'fault' in error ? String(error.fault) : 'signature', header);
        }
      });
      const { event = null, deliveryId = null } = events[0] ?? {};
      const signatures = present.map(({ header }) => header);
      return {
        json: { ok: true, event, deliveryId, signatures },
        text: toLines({ event, deliveryId, signatures: signatures.join(', ') }, call.language),
      };
    },
  }),
  list: defineServerCommand({
    options: CONNECTION_OPTIONS,
    async run(call) {
      const endpoints = await withServer(readConnection(call), (api) => api.webhooks.list());
      const rows = endpoints.map(({ id, url, eventTypes, active, createdAt }) => [
        id,
        url,
        eventTypes.join(', ') || '*',
        active,
        createdAt,
      ]);
      const text = toTable(['id', 'url', 'events', 'active', 'since'], rows, call.language);
      return { json: { ok: true, endpoints }, text };
    },
  }),
  remove: defineServerCommand({
    args: [{ name: 'id', description: { es: 'Como lo muestra webhooks list', en: 'As webhooks list shows it' } }],
    options: CONNECTION_OPTIONS,
    async run(call) {
      const connection = readConnection(call);
      const id = requireId({ es: 'Un webhook', en: 'A webhook' }, call.args[0] ?? '');
      await withServer(connection, (api) => api.webhooks.remove(id));
      return { json: { ok: true, removed: id }, text: toLines({ removed: id }, call.language) };
    },
  }),
} as const;

// --- internal ---

/** A secret exactly as the server shows it. With another character, only one of the two signatures would match. */
const SECRET = /^whsec_[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** @throws UsageError without a secret; CommandFailure WEBHOOK_SECRET_INVALID, which does not print it. */
function readSecret(env: Readonly<Record<string, string | undefined>>): string {
  const secret = env['SRI_WEBHOOK_SECRET'] ?? '';
  if (SECRET.test(secret)) return secret;
  if (secret.trim() === '')
    throw new UsageError({ es: 'Falta SRI_WEBHOOK_SECRET.', en: 'SRI_WEBHOOK_SECRET is missing.' });
  throw new CommandFailure('WEBHOOK_SECRET_INVALID', {
    es: 'SRI_WEBHOOK_SECRET no es un secreto entero: whsec_ y 44 signos, el último un =, sin espacios ni saltos de línea (tampoco donde lo lee su receptor). Cópielo de nuevo, o cámbielo con POST /v1/webhooks/:id/rotate-secret.',
    en: 'SRI_WEBHOOK_SECRET is no whole secret: whsec_ and 44 signs, the last one a =, without spaces and line breaks (where your receiver reads it, too). Copy it again, or change it with POST /v1/webhooks/:id/rotate-secret.',
  });
}

/** The two signatures of deliveries, each identified by its header. */
const SCHEMES = [
  { header: 'webhook-signature', pattern: /^webhook-/ },
  { header: 'x-service-signature', pattern: /^x-service-/ },
] as const;

/** The path of `webhooks listen` on this machine, which distinguishes its endpoints from other programs. */
const LISTEN_PATH = '/sri-server-webhooks-listen';

const LISTENING = { es: 'Escuchando en {url}. Ctrl-C termina.', en: 'Listening at {url}. Ctrl-C ends it.' };
const LEFT = {
  es: 'Se borró lo que dejó un «webhooks listen» que no terminó: {left}.',
  en: 'What a «webhooks listen» that did not end had left was removed: {left}.',
};

function notVerified(reason: string, header: string): CommandFailure {
  const { es, en } = REASONS[reason] ?? { es: reason, en: reason };
  const place = header === '' ? '' : `${header}: `;
  return new CommandFailure('WEBHOOK_VERIFICATION_FAILED', { es: `${place}${es}`, en: `${place}${en}` }, { reason });
}

/** The plan's limit, with a remedy; any other failure unchanged. */
function explainLimit(error: unknown): unknown {
  if (!(error instanceof CommandFailure) || error.code !== 'WEBHOOK_ENDPOINT_LIMIT_REACHED') return error;
  return new CommandFailure(
    error.code,
    {
      es: `${translate(error.words, 'es')} sri-server webhooks list muestra los que hay; sri-server webhooks remove <id> borra uno.`,
      en: `${translate(error.words, 'en')} sri-server webhooks list shows those there are; sri-server webhooks remove <id> removes one.`,
    },
    error.members,
  );
}

const REASONS: Readonly<Record<string, { readonly es: string; readonly en: string }>> = {
  headers: {
    es: 'Faltan las cabeceras de la firma, o alguna está incompleta: webhook-id, webhook-timestamp y webhook-signature, o X-Service-Timestamp y X-Service-Signature.',
    en: 'The headers of the signature are missing, or one is incomplete: webhook-id, webhook-timestamp and webhook-signature, or X-Service-Timestamp and X-Service-Signature.',
  },
  signature: {
    es: 'La firma no corresponde: o el secreto es otro (también el de antes de cambiarlo), o el cuerpo no son los bytes que llegaron (un marco que lee y vuelve a escribir el JSON los cambia).',
    en: 'The signature does not match: the secret is another one (also that of before a change), or the body is not the received bytes (a framework that parses and rewrites JSON changes them).',
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

/**
 * Removes the endpoints of a killed `webhooks listen`: endpoints on this machine without a listener.
 * @returns the number of removed endpoints.
 */
async function removeLeftEndpoints({ webhooks }: Client): Promise<number> {
  const own = (await webhooks.list()).filter(({ url }) => isOfListen(url));
  const answering = await Promise.all(own.map(({ url }) => isAnswered(url)));
  const left = own.filter((_, index) => !answering[index]);
  for (const { id } of left) await webhooks.remove(id);
  return left.length;
}

function isOfListen(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return hostname === '127.0.0.1' && pathname === LISTEN_PATH;
}

/** Whether another `webhooks listen` still runs; another program on its port answers something else. */
async function isAnswered(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2_000) });
    return response.headers.get('x-listening') === LISTEN_PATH;
  } catch {
    return false;
  }
}
