import { paying, sumTaxed } from '../form-sums.js';
import { readReasons } from '../reason-body.js';
import { ADDITIONAL_INFO, NAMED, ORIGINAL, PAYMENTS, party, REASONS } from './parts.js';

/** @typedef {import('../form-body.js').Draft} Draft */

/** Nota de débito (05). @type {import('../document-forms.js').DocumentForm} */
export const DEBIT_NOTE = {
  page: 'debit-note',
  title: 'newDebitNote',
  fields: [
    ORIGINAL,
    party('buyer', 'role.BUYER', { codes: NAMED, email: 'required' }),
    REASONS,
    PAYMENTS,
    ADDITIONAL_INFO,
  ],
  on: {
    '01': {
      title: 'newDebitNoteOn',
      open: ({ body, number, issueDate }) => ({
        originalDocument: { documentType: '01', number, issueDate },
        buyer: body['buyer'],
      }),
    },
  },
  formerRates: true,
  initial: { originalDocument: { documentType: '01' } },
  sums: (draft) => sumTaxed(readReasons(/** @type {readonly Draft[]} */ (draft['reasons']))),
  finish: (body, total) => ({ ...body, payments: paying(body['payments'], total) }),
};
