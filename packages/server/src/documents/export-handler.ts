import { Type } from '@sinclair/typebox';
import { ecuadorDate } from 'sri-core';
import type { IssuersCall } from '../issuers/index.js';
import { streamedAttachment } from '../platform/http/answer.js';
import { choice } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { type Text, tell } from '../platform/language.js';
import { joined, readRows } from './export-documents.js';
import { DOCUMENT_FILTER, toDocumentFilter } from './list-handlers.js';
import { writeCsv } from './write-csv.js';

const FORMATS = {
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
} as const;

/** `GET /v1/documents/export` */
export const exportDocuments = routeHandler({
  operation: {
    id: 'exportDocuments',
    summary: 'Gives all documents of a filter as one file.',
    answers: {
      200: { about: 'The file.', content: { 'text/csv': Type.String({ contentMediaType: 'text/csv' }) } },
    },
    refuses: ['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE'],
  },
  query: { ...DOCUMENT_FILTER, format: choice(['csv'], 'The kind of file; `csv` unless given.') },
  parse: (_exchange, { query: { format, ...filter } }) => ({
    format: format ?? ('csv' as const),
    filter: toDocumentFilter(filter),
  }),
  answer: async ({ exchange, scope }: IssuersCall, { format, filter }) => {
    const { services, language, caller } = exchange;
    const { type, write } = FORMATS[format];
    const filename = `${tell(NAME, language)}-${ecuadorDate(services.clock.now())}.${format}`;
    const pieces = joined(write(readRows(services, { scope, filter, caller }), language));
    // The head alone costs nothing.
    const sent = exchange.method === 'HEAD' ? pieces : services.exportPlaces.hold(caller, pieces);
    return streamedAttachment(sent, type, filename);
  },
});

// --- internal ---

const NAME: Text = { es: 'documentos', en: 'documents' };
