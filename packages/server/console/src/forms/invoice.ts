import type { Field } from './form.js';
import type { DocumentForm } from './forms.js';
import {
  ADDITIONAL_INFO,
  IVA_REFUND,
  items,
  MEASURES,
  NAMED,
  NUMBER,
  PAYMENTS,
  party,
  REIMBURSED,
  REIMBURSEMENTS,
  rare,
} from './parts.js';

/** Factura (01). */
export const INVOICE: DocumentForm = {
  on: {},
  // The delivery guide, the days of the transport and the refund belong to one sale.
  renewed: ['guiaRemision', 'ivaRefund', 'deliveryGuide.startDate', 'deliveryGuide.endDate'],
  once: ['deliveryGuide.destinations.customsDocument', ...REIMBURSED],
  fields: [
    party('buyer', 'role.BUYER', { email: 'required' }),
    items(MEASURES),
    PAYMENTS,
    ADDITIONAL_INFO,
    rare([
      { kind: 'amount', name: 'tip' },
      { ...NUMBER, name: 'guiaRemision' },
      { kind: 'text', name: 'licensePlate' },
      IVA_REFUND,
      { kind: 'group', name: 'negotiable', fields: [{ kind: 'email', name: 'email' }] },
    ]),
    {
      kind: 'list',
      name: 'thirdPartyCharges',
      look: 'few',
      folded: true,
      add: 'addCharge',
      fields: [
        { kind: 'text', name: 'concept' },
        { kind: 'amount', name: 'amount' },
      ],
    },
    exportPart(),
    REIMBURSEMENTS,
    transportPart(),
    {
      kind: 'list',
      name: 'withholdings',
      label: 'advanceWithholdings',
      look: 'few',
      folded: true,
      add: 'addWithholding',
      open: (entry) => entry ?? { code: '4' },
      fields: [
        {
          kind: 'choice',
          name: 'rateCode',
          label: 'withholdingCode',
          codes: ['3', '4', '5', '6', '327', '328'],
          texts: 'advance',
        },
        { kind: 'amount', name: 'rate', label: 'percentage' },
        { kind: 'amount', name: 'amount' },
      ],
    },
  ],
};

// --- internal ---

/** A code in capital letters, also when it is typed in small ones. */
function capitals(name: string): Field {
  return { kind: 'text', name, fill: (row) => ({ [name]: String(row[name]).toUpperCase() }) };
}

/** The terms and costs of an export. */
function exportPart(): Field {
  return {
    kind: 'group',
    name: 'export',
    label: 'exportPart',
    folded: true,
    fields: [
      capitals('incoterm'),
      { kind: 'text', name: 'incotermPlace' },
      capitals('subtotalIncoterm'),
      { kind: 'choice', name: 'originCountry', catalog: 'countries' },
      { kind: 'text', name: 'shippingPort' },
      { kind: 'text', name: 'destinationPort' },
      { kind: 'choice', name: 'destinationCountry', catalog: 'countries' },
      { kind: 'choice', name: 'purchaseCountry', catalog: 'countries' },
      { kind: 'amount', name: 'freight' },
      { kind: 'amount', name: 'insurance' },
      { kind: 'amount', name: 'customs' },
      { kind: 'amount', name: 'otherTransport' },
    ],
  };
}

/** The transport of the goods, where the invoice takes the place of a delivery guide. */
function transportPart(): Field {
  return {
    kind: 'group',
    name: 'deliveryGuide',
    folded: true,
    fields: [
      { kind: 'text', name: 'departureAddress' },
      { kind: 'text', name: 'arrivalAddress' },
      { kind: 'date', name: 'startDate' },
      { kind: 'date', name: 'endDate' },
      { kind: 'text', name: 'licensePlate', hint: 'licensePlateHint' },
      {
        kind: 'group',
        name: 'carrier',
        fields: [
          { kind: 'choice', name: 'idType', catalog: 'id-types', codes: NAMED },
          { kind: 'text', name: 'id' },
          { kind: 'text', name: 'name' },
        ],
      },
      {
        kind: 'list',
        name: 'destinations',
        look: 'few',
        add: 'addDestination',
        fields: [
          { kind: 'text', name: 'reason', label: 'transferReason', catalog: 'transfer-reasons' },
          { kind: 'text', name: 'route' },
          { kind: 'text', name: 'branchCode', label: 'arrivalBranch' },
          { kind: 'text', name: 'customsDocument' },
        ],
      },
    ],
  };
}
