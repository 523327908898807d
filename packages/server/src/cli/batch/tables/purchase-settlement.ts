import type { CsvTable } from '../cells/csv-table.js';
import { ISSUE_DATE, itemColumns, NAMED_ID, PAYMENT, partyColumns } from './parts.js';

/** `03`: each row is a line of the purchase. */
export const PURCHASE_SETTLEMENT_TABLE: CsvTable = {
  documentType: '03',
  columns: {
    issueDate: ISSUE_DATE,
    ...partyColumns(
      'supplier',
      { es: 'el proveedor, que no emite factura', en: 'the supplier, who issues no invoice' },
      { id: NAMED_ID, mustHaveEmail: false },
    ),
    ...itemColumns('issueDate'),
    ...PAYMENT,
  },
  lists: { 'items[]': 'rows' },
  withoutColumn: {
    es: 'varias formas de pago, reembolsos y detalles adicionales',
    en: 'several payments, reimbursements and additional details',
  },
  examples: () => [
    {
      ...SETTLEMENT,
      code: 'ART-01',
      description: 'Sombreros de paja toquilla',
      quantity: '10',
      unitPrice: '12,50',
      discount: '5,00',
      vat: '15',
    },
    { ...SETTLEMENT, code: 'ART-02', description: 'Paja en atados', quantity: '4', unitPrice: '3,00', vat: '0' },
  ],
};

// --- internal ---

const SETTLEMENT = {
  reference: 'COMPRA-1',
  partyId: '1710034065',
  partyName: 'Rosa Chimbo',
  address: 'Comunidad San Pablo, Otavalo',
  paymentMethod: '20',
};
