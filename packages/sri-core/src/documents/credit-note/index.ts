import type { DocumentType } from '../document-type.js';
import { checkNote } from '../parts/modified-document.js';
import { summaryFor } from '../parts/party.js';
import { partyIdOf } from '../parts/reading.js';
import { taxFigures } from '../parts/tax-figures.js';
import { type CreditNoteBody, creditNoteSchema, creditNoteWithSumsSchema } from './body.js';
import { CREDIT_NOTE_EXAMPLES } from './examples.js';
import { inspectCreditNote, type PreparedCreditNote, prepareCreditNote } from './prepare.js';
import { creditNoteRide } from './ride.js';
import { CREDIT_NOTE_SRI_CHECKS } from './sri-checks.js';
import { CREDIT_NOTE_STRUCTURES } from './structure.js';
import { CREDIT_NOTE_TEXTS } from './texts.js';
import { type CreditNoteComprobante, readNotaCredito, writeNotaCredito } from './xml.js';

/** `04`: credit note (nota de crédito). */
export const creditNote: DocumentType<'04', CreditNoteBody, PreparedCreditNote, CreditNoteComprobante> = {
  code: '04',
  root: 'notaCredito',
  info: 'infoNotaCredito',
  texts: CREDIT_NOTE_TEXTS,
  effect: 'credit',
  counterpartyRole: 'BUYER',
  body: { name: 'CreditNoteInput', withSums: creditNoteWithSumsSchema, optionalSums: creditNoteSchema },
  examples: CREDIT_NOTE_EXAMPLES,
  checkFirst: checkNote,
  inspect: inspectCreditNote,
  prepare: prepareCreditNote,
  summary: ({ buyer, total, originalDocument: { documentType, number } }) =>
    summaryFor(buyer, total, { documentType, number }),
  schema: () => 'NotaCredito_V1.1.0.xsd',
  write: writeNotaCredito,
  read: readNotaCredito,
  counterpartyId: partyIdOf('infoNotaCredito', 'Comprador'),
  structures: CREDIT_NOTE_STRUCTURES,
  sriChecks: CREDIT_NOTE_SRI_CHECKS,
  ride: creditNoteRide,
  figures: taxFigures,
};
