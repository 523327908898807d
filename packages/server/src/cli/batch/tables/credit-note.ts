import { code, date, documentNumber, text } from '../csv/cell-readers.js';
import type { Column, CsvTable } from '../csv/csv-table.js';
import { BUYER, ISSUE_DATE, itemColumns } from './parts.js';

/** The columns of the document that a note modifies. */
export const ORIGINAL = {
  originalType: {
    names: ['tipo_documento_modificado', 'original_type'],
    field: 'originalDocument.documentType',
    read: (cell, cells) => code(2)(cell || INVOICE, cells),
    note: {
      es: 'el tipo del documento que se modifica; si falta, 01',
      en: 'type of the modified document; 01 where left out',
    },
  },
  originalNumber: {
    names: ['documento_modificado', 'factura', 'original_number'],
    field: 'originalDocument.number',
    required: true,
    read: documentNumber,
    note: { es: 'su número, 001-001-000000123', en: 'its number, 001-001-000000123' },
  },
  originalDate: {
    names: ['fecha_documento_modificado', 'fecha_factura', 'original_date'],
    field: 'originalDocument.issueDate',
    required: true,
    read: date,
    note: {
      es: 'el día en que se emitió; sus tarifas de IVA son las que valen',
      en: 'the day of its issue; its rates of IVA hold',
    },
  },
} as const satisfies Readonly<Record<string, Column>>;

/** `04`: each row is a credited line. */
export const CREDIT_NOTE_TABLE: CsvTable = {
  documentType: '04',
  columns: {
    issueDate: ISSUE_DATE,
    ...BUYER,
    ...ORIGINAL,
    reason: {
      names: ['motivo', 'reason'],
      field: 'motivo',
      required: true,
      read: text,
      note: { es: 'por qué se acredita', en: 'why it is credited' },
    },
    ...itemColumns('originalDate'),
  },
  lists: { 'items[]': 'rows' },
  withoutColumn: { es: 'ICE e IRBPNR', en: 'ICE and IRBPNR' },
  examples: (today) => [
    {
      ...FIRST,
      originalDate: today.split('-').toReversed().join('/'),
      code: 'CAF-01',
      description: 'Café de Loja, 400 g',
      quantity: '1',
      unitPrice: '7,25',
      vat: '15',
    },
    {
      ...FIRST,
      originalDate: today.split('-').toReversed().join('/'),
      code: 'LIB-07',
      description: 'Libro',
      quantity: '1',
      unitPrice: '8,46',
      vat: '0',
    },
  ],
};

// --- internal ---

const INVOICE = '01';

const FIRST = {
  reference: 'DEV-1',
  buyerId: '1710034065',
  buyerName: 'María José Ñacata',
  email: 'maria@example.com',
  originalNumber: '001-001-000000001',
  reason: 'Devolución',
};
