import { type Draft, partOf, rowsOf } from './form.js';
import type { DocumentForm } from './forms.js';
import { ADDITIONAL_INFO, IVA_REFUND, items, NAMED, NOTE, ORIGINAL, party, rare } from './parts.js';

/** Nota de crédito (04). */
export const CREDIT_NOTE: DocumentForm = {
  ...NOTE,
  fields: [
    ORIGINAL,
    { kind: 'section', name: 'reason', fields: [{ kind: 'text', name: 'motivo', label: 'motive', required: true }] },
    party('buyer', 'role.BUYER', { codes: NAMED, email: 'required' }),
    items(),
    ADDITIONAL_INFO,
    rare([IVA_REFUND]),
  ],
  on: {
    '01': {
      title: 'on.04',
      isNamed: true,
      hasBalance: true,
      lost,
      open: ({ body, number, issueDate }) => ({
        originalDocument: { documentType: '01', number, issueDate },
        buyer: body['buyer'],
        // A credit note has no unit of measure and no price without subsidy.
        items: rowsOf(body, 'items').map(({ unitOfMeasure: _unit, unsubsidizedPrice: _price, ...item }) => item),
        ivaRefund: body['ivaRefund'],
        additionalInfo: body['additionalInfo'],
      }),
    },
  },
};

// --- internal ---

/** Parts of an invoice, other than its lines, that no credit note can have. */
function lost(body: Draft) {
  const costs = partOf(body, 'export');
  const hasCosts = ['freight', 'insurance', 'customs', 'otherTransport'].some((name) => Number(costs[name] ?? 0) > 0);
  return [
    ...(Number(body['tip'] ?? 0) > 0 ? (['tip'] as const) : []),
    ...(rowsOf(body, 'thirdPartyCharges').length > 0 ? (['thirdPartyCharges'] as const) : []),
    ...(hasCosts ? (['exportCosts'] as const) : []),
    ...(rowsOf(body, 'withholdings').length > 0 ? (['advanceWithholdings'] as const) : []),
  ];
}
