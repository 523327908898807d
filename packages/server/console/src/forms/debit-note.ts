import type { DocumentForm } from './forms.js';
import { ADDITIONAL_INFO, IVA_REFUND, NAMED, ORIGINAL, PAYMENTS, party, REASONS } from './parts.js';

/** Nota de débito (05). */
export const DEBIT_NOTE: DocumentForm = {
  fields: [
    ORIGINAL,
    party('buyer', 'role.BUYER', { codes: NAMED, email: 'required' }),
    REASONS,
    PAYMENTS,
    ADDITIONAL_INFO,
    { kind: 'section', name: 'more', folded: true, fields: [IVA_REFUND] },
  ],
  // The refund is that of one charge.
  renewed: ['ivaRefund'],
  once: ['originalDocument.number', 'originalDocument.issueDate'],
  formerRates: true,
  initial: { originalDocument: { documentType: '01' } },
  on: {
    '01': {
      title: 'on.05',
      isNamed: true,
      open: ({ body, number, issueDate }) => ({
        originalDocument: { documentType: '01', number, issueDate },
        buyer: body['buyer'],
      }),
    },
  },
};
