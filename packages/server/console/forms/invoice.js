import { addUp, amountOf, paying, sumTaxed } from '../form-sums.js';
import { readLines } from '../line-body.js';
import { ADDITIONAL_INFO, ITEMS, NAMED, NUMBER, PAYMENTS, party, REIMBURSEMENTS } from './parts.js';

/** @typedef {import('../form-body.js').Draft} Draft */
/** @typedef {import('../form-body.js').Field} Field */

/** The terms and costs of an export. @type {Field} */
const EXPORT = {
  kind: 'group',
  name: 'export',
  folded: true,
  fields: [
    { kind: 'text', name: 'incoterm', max: 10 },
    { kind: 'text', name: 'incotermPlace', max: 300 },
    { kind: 'text', name: 'subtotalIncoterm', max: 10 },
    { kind: 'choice', name: 'originCountry', catalog: 'countries' },
    { kind: 'text', name: 'shippingPort', max: 300 },
    { kind: 'text', name: 'destinationPort', max: 300 },
    { kind: 'choice', name: 'destinationCountry', catalog: 'countries' },
    { kind: 'choice', name: 'purchaseCountry', catalog: 'countries' },
    { kind: 'amount', name: 'freight' },
    { kind: 'amount', name: 'insurance' },
    { kind: 'amount', name: 'customs' },
    { kind: 'amount', name: 'otherTransport' },
  ],
};

/** The transport of the goods, where the invoice replaces the delivery guide. @type {Field} */
const DELIVERY_DATA = {
  kind: 'group',
  name: 'deliveryGuide',
  folded: true,
  fields: [
    { kind: 'text', name: 'departureAddress', max: 300 },
    { kind: 'text', name: 'arrivalAddress', max: 300 },
    { kind: 'date', name: 'startDate' },
    { kind: 'date', name: 'endDate' },
    { kind: 'text', name: 'licensePlate', max: 20, hint: 'licensePlateHint' },
    {
      kind: 'group',
      name: 'carrier',
      fields: [
        { kind: 'choice', name: 'idType', catalog: 'id-types', codes: NAMED },
        { kind: 'text', name: 'id', max: 20 },
        { kind: 'text', name: 'name', max: 300 },
      ],
    },
    {
      kind: 'list',
      name: 'destinations',
      look: 'line few',
      add: 'addDestination',
      fields: [
        { kind: 'text', name: 'reason', label: 'transferReason', max: 300, catalog: 'transfer-reasons' },
        { kind: 'text', name: 'route', max: 300 },
        { kind: 'text', name: 'branchCode', label: 'arrivalBranch', pattern: '\\d{3}' },
        { kind: 'text', name: 'customsDocument', max: 64 },
      ],
    },
  ],
};

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
    EXPORT,
    REIMBURSEMENTS,
    DELIVERY_DATA,
    { kind: 'group', name: 'negotiable', folded: true, fields: [{ kind: 'email', name: 'email' }] },
    ADDITIONAL_INFO,
  ],
  on: {},
  sums: (draft) => sumTaxed(readLines(/** @type {readonly Draft[]} */ (draft['items'])), besides(draft)),
  finish: (body, total) => ({ ...body, payments: paying(body['payments'], total) }),
};
