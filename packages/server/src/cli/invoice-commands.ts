import { randomUUID } from 'node:crypto';
import { type DeliveryGuideBody, ecuadorDate, type InvoiceBody, type IsoDate, toIsoDate, translate } from 'sri-core';
import {
  type CliText,
  type CommandCall,
  CommandFailure,
  type CommandOptions,
  fillText,
  flagOption,
  readWhole,
  requireFileName,
  textOption,
} from 'sri-core/cli';
import type { Client, Document, DocumentInput } from 'sri-core/client';
import { fillSums } from '../documents/fill-sums.js';
import { CONNECTION_OPTIONS, readIssuerConnection } from './client/connection.js';
import {
  askWhy,
  explainRefusal,
  KEY_ARGUMENT,
  outcomeOf,
  requireAccessKey,
  saveFiles,
  sendDocument,
  toFactLines,
} from './client/documents.js';
import { readBodyFile, TYPE_OPTION } from './client/typed-body.js';
import { faultOf, withServer } from './client/with-server.js';
import { defineServerCommand } from './frame/command.js';
import { quoteWord } from './frame/shell-word.js';

const WAIT_OPTIONS = {
  timeout: textOption('seconds', { es: 'Cuánto se espera; si no, 120', en: 'How long to wait; default 120' }),
} as const satisfies CommandOptions;
const FILE_OPTIONS = {
  ride: textOption('file', { es: 'Guarda el RIDE (PDF) allí', en: 'Saves the RIDE (PDF) there' }),
  xml: textOption('file', { es: 'Guarda el XML allí', en: 'Saves the XML there' }),
} as const satisfies CommandOptions;

const CREATE_OPTIONS = {
  ...CONNECTION_OPTIONS,
  type: TYPE_OPTION,
  ...WAIT_OPTIONS,
  ...FILE_OPTIONS,
  'idempotency-key': textOption('text', {
    es: 'Un nombre suyo de este comprobante, como el del pedido: repetir el comando no emite dos',
    en: 'A name of yours for this document, such as the order’s: repeating the command does not issue two',
  }),
  send: flagOption({ es: 'Y lo envía al SRI', en: 'And sends it to the SRI' }),
  wait: flagOption({ es: 'Lo envía y espera la autorización', en: 'Sends it and waits for the authorization' }),
} as const satisfies CommandOptions;

/** Commands about single documents of a server. */
export const INVOICE_COMMANDS = {
  create: defineServerCommand({
    about: {
      es: 'El archivo es el JSON de POST /v1/documents, de cualquier tipo; las sumas que se deducen pueden faltar.',
      en: 'The file is the JSON of POST /v1/documents, of any type; sums that follow may be left out.',
    },
    args: [
      {
        name: 'file',
        description: { es: 'El JSON; - es la entrada estándar', en: 'The JSON; - is the standard input' },
      },
    ],
    options: CREATE_OPTIONS,
    async run(call) {
      const connection = readIssuerConnection(call);
      const waitMs = readWhole('--timeout', call.options.timeout ?? '120', 0, 86_400) * 1000;
      const { type, ride, xml } = call.options;
      for (const path of [ride, xml]) if (path !== null) requireFileName(path);
      const given = await readBodyFile(call.args[0] ?? '', { type, terminal: call.terminal });
      const ownKey = call.options['idempotency-key'];
      const idempotencyKey = ownKey ?? randomUUID();
      // The server validates the body. A repeated one may name the days of its first time, on which it was valid.
      const day = ownKey === null ? undefined : firstDay(given);
      const body = fillSums(given, call.language, day) as DocumentInput;
      let mayExist = false;
      const send = async (request: Request) => {
        try {
          const response = await fetch(request);
          mayExist ||= response.status < 400 || response.status >= 500;
          return response;
        } catch (error) {
          mayExist ||= !NOT_REACHED.has(faultOf(error));
          throw error;
        }
      };
      const issue = async (api: Client) => {
        const created = await api.documents.create(body, { idempotencyKey });
        const { replayed, warnings } = created;
        // A repeated key returns the first answer, and the document may have changed since.
        let document = replayed ? await api.documents.get(created.document.accessKey) : created.document;
        if (call.options.send || call.options.wait) document = await sendDocument(api, document);
        if (call.options.wait) document = await api.documents.wait(document.accessKey, { waitMs });
        const saved = await saveFiles(api, document, call.options);
        const unsent = document.status === 'SIGNED' && !call.options.send && !call.options.wait;
        const notices: CliText[] = [
          ...warnings.map(({ message }) => message),
          ...(replayed ? [EXISTED] : []),
          ...(unsent ? [fillText(NOT_SENT, { call: sendCall(call, document) })] : []),
        ];
        const result = await describeInvoice(api, document, {
          saved,
          mustBeDone: call.options.wait,
          language: call.language,
        });
        return { ...result, json: { ...result.json, earlier: replayed }, notices };
      };
      return withServer(connection, issue, { fetch: send }).catch((error: unknown) => {
        throw error instanceof CommandFailure && mayExist ? withKey(error, idempotencyKey) : error;
      });
    },
  }),
  send: defineServerCommand({
    args: [KEY_ARGUMENT],
    options: CONNECTION_OPTIONS,
    run: (call) =>
      withServer(readIssuerConnection(call), async (api) => {
        const document = await sendDocument(api, await api.documents.get(requireAccessKey(call.args[0])));
        return describeInvoice(api, document, { mustBeDone: false, language: call.language });
      }),
  }),
  status: defineServerCommand({
    about: { es: 'Con lo que dijo el SRI, en palabras claras.', en: 'With what the SRI said, in plain words.' },
    args: [KEY_ARGUMENT],
    options: { ...CONNECTION_OPTIONS, ...FILE_OPTIONS },
    run: (call) =>
      withServer(readIssuerConnection(call), async (api) => {
        const document = await api.documents.get(requireAccessKey(call.args[0]));
        const saved = await saveFiles(api, document, call.options);
        return describeInvoice(api, document, { saved, mustBeDone: false, language: call.language });
      }),
  }),
  wait: defineServerCommand({
    about: {
      es: 'Termina en 0 cuando está autorizado; en 1 cuando fue rechazado o se acabó el tiempo.',
      en: 'Ends with 0 once it is authorized; with 1 when it was refused or the time is over.',
    },
    args: [KEY_ARGUMENT],
    options: { ...CONNECTION_OPTIONS, ...WAIT_OPTIONS, ...FILE_OPTIONS },
    run: (call) =>
      withServer(readIssuerConnection(call), async (api) => {
        const waitMs = readWhole('--timeout', call.options.timeout ?? '120', 0, 86_400) * 1000;
        const document = await api.documents.wait(requireAccessKey(call.args[0]), { waitMs });
        const saved = await saveFiles(api, document, call.options);
        return describeInvoice(api, document, { saved, mustBeDone: true, language: call.language });
      }),
  }),
} as const;

// --- internal ---

/** The day of issue that a body names, or the first day of its transport; today when that is later or absent. */
function firstDay(body: unknown): IsoDate {
  const { issueDate, startDate, deliveryGuide } = (body ?? {}) as Pick<DeliveryGuideBody, 'issueDate' | 'startDate'> &
    Pick<InvoiceBody, 'deliveryGuide'>;
  const today = ecuadorDate(new Date());
  const named = toIsoDate(String(issueDate || startDate || deliveryGuide?.startDate)) ?? today;
  return named < today ? named : today;
}

const EXISTED: CliText = {
  es: 'Ya existía: se creó antes con la misma --idempotency-key, y no se emitió otro.',
  en: 'It existed already: it was created before under the same --idempotency-key, and no other was issued.',
};
const NOT_SENT: CliText = {
  es: 'Está firmado y con su número, y no se envió al SRI. Para enviarlo: {call}',
  en: 'It is signed and has its number, and was not sent to the SRI. To send it: {call}',
};

/** Faults of requests that no server got. */
const NOT_REACHED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** A failure after which the document may exist, with the key that continues with it. */
function withKey(error: CommandFailure, idempotencyKey: string): CommandFailure {
  const { es, en } = fillText(MAY_EXIST, { key: quoteWord(idempotencyKey) });
  const words = { es: `${translate(error.words, 'es')}\n${es}`, en: `${translate(error.words, 'en')}\n${en}` };
  return new CommandFailure(error.code, words, { ...error.members, idempotencyKey });
}

const MAY_EXIST = {
  es: 'El comprobante puede existir ya. Para seguir sin emitir otro, repita el comando con --idempotency-key {key}',
  en: 'The document may exist already. To go on without issuing another, repeat the command with --idempotency-key {key}',
};

/** The command that sends a document to the same server for the same issuer. */
function sendCall({ options }: CommandCall<typeof CREATE_OPTIONS>, { accessKey }: Document): string {
  const named = (['url', 'issuer'] as const).flatMap((name) => {
    const value = options[name];
    return value === null ? [] : [`--${name}`, quoteWord(value)];
  });
  return ['sri-server invoice send', accessKey, ...named].join(' ');
}

async function describeInvoice(
  api: Client,
  document: Document,
  {
    saved = [],
    mustBeDone,
    language,
  }: { readonly saved?: readonly string[]; readonly mustBeDone: boolean; readonly language: 'es' | 'en' },
) {
  const why = await askWhy(api, document);
  const passed = !mustBeDone || outcomeOf(document) === 'authorized';
  const { accessKey, sequential, status, issueDate, total, authorizationDate, dispatch } = document;
  const lastError = dispatch?.lastError;
  const files = saved.join(', ') || null;
  const facts = { accessKey, sequential, status, issueDate, total, authorizationDate, lastError, files };
  return {
    json: {
      ok: passed,
      document,
      ...(why?.answer ? { sri: why.answer } : {}),
      ...(saved.length > 0 ? { files: saved } : {}),
    },
    text: [toFactLines(facts, language), ...(why ? explainRefusal(why) : [])].join('\n'),
    passed,
  };
}
