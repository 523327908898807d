import { text } from '../cells/cell-readers.js';
import { type CsvTable, requiredColumn } from '../cells/csv-table.js';
import { BUYER, dayCell, ISSUE_DATE, itemColumns, ORIGINAL } from './parts.js';

/** `04`: each row is a credited line. */
export const CREDIT_NOTE_TABLE: CsvTable = {
  documentType: '04',
  columns: {
    issueDate: ISSUE_DATE,
    ...BUYER,
    ...ORIGINAL,
    reason: requiredColumn('motivo', 'motivo reason', text, { es: 'por qué se acredita', en: 'why it is credited' }),
    ...itemColumns('originalDate'),
  },
  lists: { 'items[]': 'rows' },
  withoutColumn: { es: 'ICE e IRBPNR', en: 'ICE and IRBPNR' },
  examples: (today) => [
    {
      ...FIRST,
      originalDate: dayCell(today),
      code: 'CAF-01',
      description: 'Café de Loja, 400 g',
      quantity: '1',
      unitPrice: '7,25',
      vat: '15',
    },
    {
      ...FIRST,
      originalDate: dayCell(today),
      code: 'LIB-07',
      description: 'Libro',
      quantity: '1',
      unitPrice: '8,46',
      vat: '0',
    },
  ],
};

// --- internal ---

const FIRST = {
  reference: 'DEV-1',
  partyId: '1710034065',
  partyName: 'María José Ñacata',
  email: 'maria@example.com',
  originalNumber: '001-001-000000001',
  reason: 'Devolución',
};
