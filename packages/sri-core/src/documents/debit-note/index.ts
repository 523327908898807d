import type { DocumentType } from '../document-type.js';
import { checkNote } from '../parts/modified-document.js';
import { summaryFor } from '../parts/party.js';
import { partyIdOf } from '../parts/reading.js';
import { taxFigures } from '../parts/tax-figures.js';
import { type DebitNoteBody, debitNoteSchema } from './body.js';
import { DEBIT_NOTE_EXAMPLES } from './examples.js';
import { inspectDebitNote, type PreparedDebitNote, prepareDebitNote } from './prepare.js';
import { debitNoteRide } from './ride.js';
import { DEBIT_NOTE_SRI_CHECKS } from './sri-checks.js';
import { DEBIT_NOTE_STRUCTURES } from './structure.js';
import { DEBIT_NOTE_TEXTS } from './texts.js';
import { type DebitNoteComprobante, readNotaDebito, writeNotaDebito } from './xml.js';

/** `05`: debit note (nota de débito). */
export const debitNote: DocumentType<'05', DebitNoteBody, PreparedDebitNote, DebitNoteComprobante> = {
  code: '05',
  root: 'notaDebito',
  info: 'infoNotaDebito',
  texts: DEBIT_NOTE_TEXTS,
  effect: 'charge',
  counterpartyRole: 'BUYER',
  body: { name: 'DebitNoteInput', withSums: debitNoteSchema, optionalSums: debitNoteSchema },
  examples: DEBIT_NOTE_EXAMPLES,
  checkFirst: checkNote,
  inspect: inspectDebitNote,
  prepare: prepareDebitNote,
  summary: ({ buyer, total, originalDocument: { documentType, number } }) =>
    summaryFor(buyer, total, { documentType, number }),
  schema: () => 'NotaDebito_V1.0.0.xsd',
  write: writeNotaDebito,
  read: readNotaDebito,
  counterpartyId: partyIdOf('infoNotaDebito', 'Comprador'),
  structures: DEBIT_NOTE_STRUCTURES,
  sriChecks: DEBIT_NOTE_SRI_CHECKS,
  ride: debitNoteRide,
  figures: taxFigures,
};
