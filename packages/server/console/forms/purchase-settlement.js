import { paying, sumTaxed } from '../form-sums.js';
import { readLines } from '../line-body.js';
import { ADDITIONAL_INFO, ITEMS, NAMED, PAYMENTS, party, REIMBURSEMENTS } from './parts.js';

/** @typedef {import('../form-body.js').Draft} Draft */

/** Liquidación de compra (03). @type {import('../document-forms.js').DocumentForm} */
export const PURCHASE_SETTLEMENT = {
  page: 'purchase-settlement',
  title: 'newPurchaseSettlement',
  fields: [
    party('supplier', 'role.SUPPLIER', { codes: NAMED, email: 'optional' }),
    ITEMS,
    PAYMENTS,
    REIMBURSEMENTS,
    ADDITIONAL_INFO,
  ],
  on: {},
  sums: (draft) => sumTaxed(readLines(/** @type {readonly Draft[]} */ (draft['items']))),
  finish: (body, total) => ({ ...body, payments: paying(body['payments'], total) }),
};
