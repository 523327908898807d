import { sumTaxed } from '../form-sums.js';
import { readLines } from '../line-body.js';
import { besides } from './invoice.js';
import { ADDITIONAL_INFO, ITEMS, ORIGINAL, party } from './parts.js';

/** @typedef {import('../form-body.js').Draft} Draft */

/** Nota de crédito (04). @type {import('../document-forms.js').DocumentForm} */
export const CREDIT_NOTE = {
  page: 'credit-note',
  title: 'newCreditNote',
  fields: [
    ORIGINAL,
    {
      kind: 'section',
      name: 'reason',
      fields: [{ kind: 'text', name: 'motivo', label: 'motive', max: 300, required: true }],
    },
    party('buyer', 'role.BUYER', { email: 'required' }),
    ITEMS,
    ADDITIONAL_INFO,
  ],
  on: {
    '01': {
      title: 'newCreditNoteOn',
      balance: true,
      lost: (body) => besides(body).flatMap(({ name, amount }) => (amount > 0n ? [name] : [])),
      open: ({ body, number, issueDate }) => ({
        originalDocument: { documentType: '01', number, issueDate },
        buyer: body['buyer'],
        items: body['items'],
        additionalInfo: body['additionalInfo'],
      }),
    },
  },
  formerRates: true,
  initial: { originalDocument: { documentType: '01' } },
  sums: (draft) => sumTaxed(readLines(/** @type {readonly Draft[]} */ (draft['items']))),
};
