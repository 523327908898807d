import type { DocumentForm } from './forms.js';
import { ADDITIONAL_INFO, items, MEASURES, NAMED, PAYMENTS, party, REIMBURSED, REIMBURSEMENTS } from './parts.js';

/** Liquidación de compra (03). */
export const PURCHASE_SETTLEMENT: DocumentForm = {
  on: {},
  once: REIMBURSED,
  fields: [
    party('supplier', 'role.SUPPLIER', { codes: NAMED, email: 'optional' }),
    items(MEASURES),
    PAYMENTS,
    ADDITIONAL_INFO,
    REIMBURSEMENTS,
  ],
};
