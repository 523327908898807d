import { DOCUMENT_TYPES } from 'sri-core';
import { CommandFailure } from 'sri-core/cli';
import type { CsvTable } from '../csv/csv-table.js';
import { CREDIT_NOTE_TABLE } from './credit-note.js';
import { DEBIT_NOTE_TABLE } from './debit-note.js';
import { DELIVERY_GUIDE_TABLE } from './delivery-guide.js';
import { INVOICE_TABLE } from './invoice.js';

/** The columns of every type, by its code. */
export const CSV_TABLES: Readonly<Record<string, CsvTable>> = {
  '01': INVOICE_TABLE,
  '04': CREDIT_NOTE_TABLE,
  '05': DEBIT_NOTE_TABLE,
  '06': DELIVERY_GUIDE_TABLE,
};

/** The columns of a type. @throws CommandFailure DOCUMENT_TYPE_INVALID */
export function findTable(code: string): CsvTable {
  const table = Object.hasOwn(CSV_TABLES, code) ? CSV_TABLES[code] : undefined;
  if (table) return table;
  const list = DOCUMENT_TYPES.join(', ');
  throw new CommandFailure('DOCUMENT_TYPE_INVALID', {
    es: `No hay un tipo de comprobante «${code.slice(0, 20)}»: ${list}.`,
    en: `There is no document type «${code.slice(0, 20)}»: ${list}.`,
  });
}
