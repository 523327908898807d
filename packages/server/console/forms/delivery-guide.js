import { ADDITIONAL_INFO, NAMED, NUMBER, party } from './parts.js';

/** @typedef {import('../form-body.js').Draft} Draft */

/** Guía de remisión (06). @type {import('../document-forms.js').DocumentForm} */
export const DELIVERY_GUIDE = {
  page: 'delivery-guide',
  title: 'newDeliveryGuide',
  fields: [
    party('carrier', 'carrier', { codes: NAMED, email: 'optional' }),
    {
      kind: 'section',
      name: 'transport',
      fields: [
        { kind: 'text', name: 'licensePlate', max: 20, required: true, hint: 'licensePlateHint' },
        { kind: 'text', name: 'departureAddress', max: 300, required: true },
        { kind: 'date', name: 'startDate', required: true },
        { kind: 'date', name: 'endDate', required: true },
      ],
    },
    {
      kind: 'list',
      name: 'recipients',
      required: true,
      add: 'addRecipient',
      remove: 'removeRecipient',
      fields: [
        { kind: 'text', name: 'id', max: 20, required: true },
        { kind: 'text', name: 'name', max: 300, required: true },
        { kind: 'text', name: 'address', label: 'arrivalAddress', max: 300, required: true },
        {
          kind: 'text',
          name: 'reason',
          label: 'transferReason',
          max: 300,
          required: true,
          catalog: 'transfer-reasons',
        },
        { kind: 'email', name: 'email', hint: 'emailOptionalHint' },
        {
          kind: 'list',
          name: 'items',
          label: 'goods',
          look: 'line few',
          required: true,
          add: 'addGoods',
          fields: [
            { kind: 'amount', name: 'quantity', required: true, initial: '1' },
            { kind: 'text', name: 'description', max: 300, required: true },
            { kind: 'text', name: 'mainCode', max: 25 },
            { kind: 'text', name: 'auxiliaryCode', max: 25 },
          ],
        },
        {
          kind: 'group',
          name: 'supportingDocument',
          folded: true,
          fields: [
            { kind: 'choice', name: 'documentType', label: 'type', catalog: 'document-types' },
            { ...NUMBER, name: 'number', label: 'documentNumber' },
            { kind: 'text', name: 'authorizationNumber', pattern: '\\d{10,49}' },
            { kind: 'date', name: 'issueDate', label: 'issuedOn' },
          ],
        },
        {
          kind: 'section',
          name: 'more',
          folded: true,
          fields: [
            { kind: 'text', name: 'route', max: 300 },
            { kind: 'text', name: 'branchCode', label: 'arrivalBranch', pattern: '\\d{3}' },
            { kind: 'text', name: 'customsDocument', max: 20 },
          ],
        },
      ],
    },
    ADDITIONAL_INFO,
  ],
  renewed: ['startDate', 'endDate'],
  on: {
    '01': {
      title: 'newDeliveryGuideOn',
      open: ({ body, number, issueDate, authorizationNumber, issuer, type }) => {
        const { id, name, address, email } = /** @type {Draft} */ (body['buyer'] ?? {});
        const items = /** @type {readonly Draft[]} */ (body['items'] ?? []);
        const supportingDocument = { documentType: type, number, issueDate, authorizationNumber };
        return {
          departureAddress: issuer?.branchAddress,
          recipients: [{ ...{ id, name, address, email, supportingDocument }, items: items.map(goodsOf) }],
        };
      },
    },
  },
};

// --- internal ---

/** A line of an invoice as goods on the way. @param {Draft} line */
function goodsOf({ mainCode, auxiliaryCode, auxCode, description, quantity, additionalDetails }) {
  return { mainCode, auxiliaryCode: auxiliaryCode ?? auxCode, description, quantity, additionalDetails };
}
