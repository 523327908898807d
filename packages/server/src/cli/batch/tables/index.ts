import { DOCUMENT_TYPES, type DocumentType, isDocumentType } from 'sri-core';
import { CommandFailure } from 'sri-core/cli';
import type { CsvTable } from '../csv/csv-table.js';
import { CREDIT_NOTE_TABLE } from './credit-note.js';
import { DEBIT_NOTE_TABLE } from './debit-note.js';
import { DELIVERY_GUIDE_TABLE } from './delivery-guide.js';
import { INVOICE_TABLE } from './invoice.js';
import { PURCHASE_SETTLEMENT_TABLE } from './purchase-settlement.js';
import { WITHHOLDING_TABLE } from './withholding.js';

/** The columns of every type, by its code. */
export const CSV_TABLES: Readonly<Record<DocumentType, CsvTable>> = {
  '01': INVOICE_TABLE,
  '03': PURCHASE_SETTLEMENT_TABLE,
  '04': CREDIT_NOTE_TABLE,
  '05': DEBIT_NOTE_TABLE,
  '06': DELIVERY_GUIDE_TABLE,
  '07': WITHHOLDING_TABLE,
};

/** The columns of a type. @throws CommandFailure DOCUMENT_TYPE_INVALID */
export function findTable(code: string): CsvTable {
  if (isDocumentType(code)) return CSV_TABLES[code];
  const list = DOCUMENT_TYPES.join(', ');
  throw new CommandFailure('DOCUMENT_TYPE_INVALID', {
    es: `No hay un tipo de comprobante «${code.slice(0, 20)}»: ${list}.`,
    en: `There is no document type «${code.slice(0, 20)}»: ${list}.`,
  });
}
