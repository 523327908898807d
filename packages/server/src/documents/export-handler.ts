import { Type } from '@sinclair/typebox';
import { ecuadorDate, type LocalizedText, translate } from 'sri-core';
import type { IssuersCall } from '../issuers/index.js';
import { streamedAttachment } from '../platform/http/answer.js';
import { choice } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { joined, readRows } from './export-documents.js';
import { DOCUMENT_FILTER, toDocumentFilter } from './list-handlers.js';
import { writeCsv } from './write-csv.js';
import { writeXlsx } from './write-xlsx.js';
import { writeZip } from './write-zip.js';

const EXPORT_FORMATS = ['csv', 'xlsx', 'zip'] as const;

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
} as const;

/** `GET /v1/documents/export` */
export const exportDocuments = routeHandler({
  operation: {
    id: 'exportDocuments',
    summary: 'Gives all documents of a filter in one file, by day of issue.',
    description:
      'CSV and XLSX have a row for each document, with its bases by rate; amounts have the sign that they have in the document, and `Signo` says what it does to sales. Heads are in the language of the request. A ZIP has `<accessKey>.xml`, as authorized where it is, and `<accessKey>.pdf`; a file that cannot be made is named in a text at its end. The file is made while it is sent: one that breaks off is not whole.',
    answers: {
      200: {
        about: 'The file.',
        headers: ['Content-Disposition'],
        content: {
          'text/csv': Type.String({ contentMediaType: 'text/csv' }),
          [TYPES.xlsx]: Type.String({ contentMediaType: TYPES.xlsx }),
          [TYPES.zip]: Type.String({ contentMediaType: TYPES.zip }),
        },
      },
    },
    refuses: ['SERVICE_UNAVAILABLE'],
  },
  query: {
    ...DOCUMENT_FILTER,
    format: choice(EXPORT_FORMATS, 'The kind of file; `csv` unless given.'),
    ride: choice(['on', 'off'], 'Whether a ZIP has the RIDE of each document; `on` unless given.'),
  },
  parse: (_exchange, { query: { format, ride, ...filter } }) => ({
    format: format ?? ('csv' as const),
    withRides: ride !== 'off',
    filter: toDocumentFilter(filter),
  }),
  answer: async ({ exchange, scope }: IssuersCall, { format, withRides, filter }) => {
    const { services, language, caller } = exchange;
    const wanted = { scope, filter, caller };
    const file = {
      csv: () => writeCsv(readRows(services, wanted), language),
      xlsx: () => writeXlsx(readRows(services, wanted), language),
      zip: () => writeZip(services, wanted, { withRides, language }),
    }[format]();
    const filename = `${translate(NAME, language)}-${ecuadorDate(services.clock.now())}.${format}`;
    const pieces = joined(file);
    // The head alone costs nothing.
    const sent = exchange.method === 'HEAD' ? pieces : services.exportSlots.hold(caller, pieces);
    return streamedAttachment(sent, TYPES[format], filename);
  },
});

// --- internal ---

const NAME: LocalizedText = { es: 'documentos', en: 'documents' };
