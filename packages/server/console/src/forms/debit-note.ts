import type { DocumentForm } from './forms.js';
import { ADDITIONAL_INFO, IVA_REFUND, NAMED, NOTE, ORIGINAL, PAYMENTS, party, REASONS, rare } from './parts.js';

/** Nota de débito (05). */
export const DEBIT_NOTE: DocumentForm = {
  ...NOTE,
  fields: [
    ORIGINAL,
    party('buyer', 'role.BUYER', { codes: NAMED, email: 'required' }),
    REASONS,
    PAYMENTS,
    ADDITIONAL_INFO,
    rare([IVA_REFUND]),
  ],
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
