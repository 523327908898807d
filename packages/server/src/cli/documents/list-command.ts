import { DOCUMENT_STATUSES, type DocumentType, documentTypeOf, toIssueDate } from 'sri-core';
import {
  type CommandOptions,
  type CommandResult,
  flagOption,
  readWhole,
  textOption,
  toTable,
  UsageError,
} from 'sri-core/cli';
import type { DocumentFilter, ListedDocument } from 'sri-core/client';
import { CONNECTION_OPTIONS, readConnection, readIssuerConnection } from '../client/connection.js';
import { readDocumentType } from '../client/typed-body.js';
import { withServer } from '../client/with-server.js';
import { defineServerCommand, type ServerCall } from '../frame/command.js';
import { chooseFrom } from '../frame/read-options.js';
import { numberOf } from './document-words.js';

/** The options that select documents. */
export const FILTER_OPTIONS = {
  q: textOption('text', {
    es: 'Parte del nombre, comienzo de la identificación, número o clave de acceso',
    en: 'Part of the name, beginning of the identification, number or access key',
  }),
  status: textOption('status', DOCUMENT_STATUSES.join(', ')),
  type: textOption('code', { es: 'El tipo, como 07', en: 'The type, such as 07' }),
  from: textOption('day', {
    es: 'Desde ese día: 2026-11-01 o 01/11/2026',
    en: 'From that day: 2026-11-01 or 01/11/2026',
  }),
  to: textOption('day', { es: 'Hasta ese día', en: 'Up to that day' }),
  buyer: textOption('id', {
    es: 'De esa identificación, completa; si no es un número, cuyo nombre la contiene',
    en: 'Of that identification, whole; if it is no number, of a name that contains it',
  }),
  'total-from': textOption('usd', { es: 'De ese total o más', en: 'Of that total or more' }),
  'total-to': textOption('usd', { es: 'De ese total o menos', en: 'Of that total or less' }),
  'all-issuers': flagOption({ es: 'De todos los emisores de la cuenta', en: 'Of every issuer of the account' }),
} as const satisfies CommandOptions;

const LIST_OPTIONS = {
  ...CONNECTION_OPTIONS,
  ...FILTER_OPTIONS,
  limit: textOption('n', { es: 'Cuántos a lo sumo; si no, 50', en: 'How many at most; default 50' }),
  all: flagOption({ es: 'Todos, página tras página', en: 'All of them, page after page' }),
} as const satisfies CommandOptions;

/** `documents list` */
export const listCommand = defineServerCommand({
  about: {
    es: 'Los más recientes primero. Con --json escribe un comprobante en cada línea (JSONL), a medida que llegan.',
    en: 'Newest first. With --json writes a document on each line (JSONL), as they arrive.',
  },
  options: LIST_OPTIONS,
  run: (call) => {
    const { language, terminal, json } = call;
    const most = readLimit(call.options);
    const filter = readFilter(call.options);
    return withServer(readListConnection(call), async (api): Promise<CommandResult> => {
      const shown: ListedDocument[] = [];
      let count = 0;
      let hasMore = false;
      for await (const document of api.documents.list({ ...filter, limit: Math.min(100, most + 1) })) {
        if (count === most) {
          hasMore = true;
          break;
        }
        count += 1;
        if (json) terminal.write(`${JSON.stringify(document)}\n`);
        else shown.push(document);
      }
      return {
        json: null,
        text: toTable(
          HEADINGS,
          shown.map((document) => toRow(document, language)),
          language,
        ),
        notices: hasMore ? [MORE] : [],
      };
    });
  },
});

/** The connection of a command that may be about every issuer. @throws UsageError */
export function readListConnection(call: ServerCall<typeof CONNECTION_OPTIONS & typeof FILTER_OPTIONS>) {
  return call.options['all-issuers'] ? readConnection(call) : readIssuerConnection(call);
}

/** The filter of the command line. @throws UsageError */
export function readFilter(options: ServerCall<typeof FILTER_OPTIONS>['options']): DocumentFilter {
  const { q, status, type, from, to, buyer } = options;
  const given = {
    issuerId: options['all-issuers'] ? ('all' as const) : null,
    q,
    status: status && chooseFrom('--status', status, DOCUMENT_STATUSES),
    documentType: type && readDocumentType(type),
    from: from && readDay('--from', from),
    to: to && readDay('--to', to),
    ...(buyer !== null && /^\S*\d\S*$/.test(buyer) ? { buyerId: buyer } : { buyerName: buyer }),
    totalFrom: options['total-from'],
    totalTo: options['total-to'],
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''));
}

// --- internal ---

const HEADINGS = ['number', 'type', 'date', 'status', 'total', 'counterparty', 'accessKey'];
const MORE = {
  es: 'Hay más: --limit 500 muestra más, --all todos.',
  en: 'There are more: --limit 500 shows more, --all every one.',
};

function toRow(document: ListedDocument, language: 'es' | 'en'): readonly unknown[] {
  const { documentType, issueDate, status, total, counterparty, accessKey } = document;
  const name = documentTypeOf(documentType as DocumentType).texts.name[language];
  return [numberOf(document), name, issueDate, status, total, counterparty.name, accessKey];
}

function readLimit({ limit, all }: ServerCall<typeof LIST_OPTIONS>['options']): number {
  return all ? Number.POSITIVE_INFINITY : readWhole('--limit', limit ?? '50', 1, 1_000_000);
}

/** A day as the server takes it, DD/MM/YYYY. */
function readDay(name: string, text: string): string {
  const iso = /^\d{4}-\d\d-\d\d$/.test(text) ? toIssueDate(text) : text;
  if (/^\d\d\/\d\d\/\d{4}$/.test(iso)) return iso;
  throw new UsageError({
    es: `${name} es un día como 2026-11-01 o 01/11/2026.`,
    en: `${name} is a day such as 2026-11-01 or 01/11/2026.`,
  });
}
