import { addUp, amountOf, paying, sumTaxed } from '../form-sums.js';
import { readLines } from '../line-body.js';
import { ADDITIONAL_INFO, ITEMS, NUMBER, PAYMENTS, party, REIMBURSEMENTS } from './parts.js';

/** @typedef {import('../form-body.js').Draft} Draft */

const EXPORT_COSTS = ['freight', 'insurance', 'customs', 'otherTransport'];

/** What the total of an invoice has besides lines and taxes. @param {Draft} body @returns {readonly import('../form-sums.js').SumRow[]} */
export function besides(body) {
  const costs = /** @type {Draft | null | undefined} */ (body['export']) ?? {};
  return [
    { name: 'tip', amount: amountOf(body['tip']) },
    { name: 'thirdPartyCharges', amount: addUp(body['thirdPartyCharges'], 'amount') },
    { name: 'exportCosts', amount: EXPORT_COSTS.reduce((all, name) => all + amountOf(costs[name]), 0n) },
    { name: 'collectedWithholdings', amount: addUp(body['withholdings'], 'amount') },
  ];
}

/** Factura (01). @type {import('../document-forms.js').DocumentForm} */
export const INVOICE = {
  page: 'invoice',
  title: 'newInvoice',
  fields: [
    party('buyer', 'role.BUYER', { email: 'required' }),
    ITEMS,
    PAYMENTS,
    {
      kind: 'section',
      name: 'more',
      folded: true,
      fields: [
        { kind: 'amount', name: 'tip' },
        { ...NUMBER, name: 'guiaRemision' },
        { kind: 'text', name: 'licensePlate', max: 20 },
      ],
    },
    {
      kind: 'list',
      name: 'thirdPartyCharges',
      look: 'line few',
      folded: true,
      add: 'addCharge',
      fields: [
        { kind: 'text', name: 'concept', max: 300 },
        { kind: 'amount', name: 'amount' },
      ],
    },
    REIMBURSEMENTS,
    ADDITIONAL_INFO,
  ],
  on: {},
  sums: (draft) => sumTaxed(readLines(/** @type {readonly Draft[]} */ (draft['items'])), besides(draft)),
  finish: (body, total) => ({ ...body, payments: paying(body['payments'], total) }),
};
