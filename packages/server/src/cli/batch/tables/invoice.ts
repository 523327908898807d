import type { CsvTable } from '../cells/csv-table.js';
import { BUYER, ISSUE_DATE, itemColumns, PAYMENT } from './parts.js';

/** `01`: each row is a line of the invoice. */
export const INVOICE_TABLE: CsvTable = {
  documentType: '01',
  columns: { issueDate: ISSUE_DATE, ...BUYER, ...itemColumns('issueDate'), ...PAYMENT },
  lists: { 'items[]': 'rows' },
  withoutColumn: {
    es: 'varias formas de pago, ICE, IRBPNR, propina, exportación, reembolsos, subsidio, rubros de terceros, guía de remisión y retenciones',
    en: 'several payments, ICE, IRBPNR, a tip, an export, reimbursements, a subsidy, charges of third parties, a delivery guide and withholdings',
  },
  // An ordinary invoice, one of two lines, and one to an unnamed consumer.
  examples: () => [
    {
      reference: 'PED-1001',
      partyId: '1710034065',
      partyName: 'María José Ñacata',
      email: 'maria@example.com',
      code: 'CAF-01',
      description: 'Café de Loja, 400 g',
      quantity: '2',
      unitPrice: '7,25',
      vat: '15',
      paymentMethod: '01',
    },
    { ...PED_1002, code: 'LIB-07', description: 'Libro', quantity: '3', unitPrice: '8,46', vat: '0' },
    {
      ...PED_1002,
      code: 'SRV-02',
      description: 'Instalación',
      quantity: '1',
      unitPrice: '30,00',
      discount: '2,50',
      vat: '15',
    },
    {
      reference: 'PED-1003',
      partyId: '9999999999999',
      partyName: 'CONSUMIDOR FINAL',
      email: 'consumidor@example.com',
      code: 'AGU-01',
      description: 'Agua sin gas',
      quantity: '4',
      unitPrice: '0,60',
      vat: '15',
      paymentMethod: '01',
    },
  ],
};

// --- internal ---

const PED_1002 = {
  reference: 'PED-1002',
  partyId: '1760013210001',
  partyName: 'Servicio de Rentas Internas',
  email: 'compras@example.com',
  paymentMethod: '20',
};
