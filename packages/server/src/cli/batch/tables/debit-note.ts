import { decimal, text } from '../cells/cell-readers.js';
import { type CsvTable, requiredColumn } from '../cells/csv-table.js';
import { BUYER, dayCell, ISSUE_DATE, ORIGINAL, PAYMENT, vatColumn } from './parts.js';

/** `05`: each row is a reason with its amount. */
export const DEBIT_NOTE_TABLE: CsvTable = {
  documentType: '05',
  columns: {
    issueDate: ISSUE_DATE,
    ...BUYER,
    ...ORIGINAL,
    reason: requiredColumn('reasons[].reason', 'motivo razon reason', text, {
      es: 'qué se cobra',
      en: 'what is charged',
    }),
    amount: requiredColumn('reasons[].amount', 'valor amount', decimal, { es: 'sin impuestos', en: 'before taxes' }),
    vat: vatColumn('reasons[].taxes[0]', 'originalDate'),
    ...PAYMENT,
  },
  lists: { 'reasons[]': 'rows' },
  withoutColumn: { es: 'varias formas de pago, ICE e IRBPNR', en: 'several payments, ICE and IRBPNR' },
  examples: (today) => [
    { ...NOTE, originalDate: dayCell(today), reason: 'Interés por mora', amount: '12,50', vat: '0' },
    { ...NOTE, originalDate: dayCell(today), reason: 'Transporte no facturado', amount: '15,00', vat: '15' },
  ],
};

// --- internal ---

const NOTE = {
  reference: 'DEB-1',
  partyId: '1710034065',
  partyName: 'María José Ñacata',
  email: 'maria@example.com',
  originalNumber: '001-001-000000001',
  paymentMethod: '20',
};
