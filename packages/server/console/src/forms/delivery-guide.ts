import { partOf, rowsOf } from './form.js';
import type { DocumentForm } from './forms.js';
import { ADDITIONAL_DETAILS, ADDITIONAL_INFO, NAMED, NUMBER, party, rare } from './parts.js';

/** Guía de remisión (06). */
export const DELIVERY_GUIDE: DocumentForm = {
  fields: [
    party('carrier', 'carrier', { codes: NAMED, email: 'optional' }),
    {
      kind: 'section',
      name: 'transport',
      fields: [
        { kind: 'text', name: 'licensePlate', required: true, hint: 'licensePlateHint' },
        { kind: 'text', name: 'departureAddress', required: true },
        { kind: 'date', name: 'startDate', required: true },
        { kind: 'date', name: 'endDate', required: true },
      ],
    },
    {
      kind: 'list',
      name: 'recipients',
      required: true,
      add: 'addRecipient',
      fields: [
        { kind: 'text', name: 'id', required: true },
        { kind: 'text', name: 'name', required: true },
        { kind: 'text', name: 'address', label: 'arrivalAddress', required: true },
        { kind: 'text', name: 'reason', label: 'transferReason', required: true, catalog: 'transfer-reasons' },
        { kind: 'email', name: 'email', hint: 'emailOptionalHint' },
        {
          kind: 'list',
          name: 'items',
          label: 'goods',
          look: 'line',
          required: true,
          completes: 'item',
          add: 'addGoods',
          open: (entry) => entry ?? { quantity: '1' },
          fields: [
            { kind: 'text', name: 'description', required: true },
            { kind: 'amount', name: 'quantity', required: true },
            { kind: 'text', name: 'mainCode' },
            { kind: 'text', name: 'auxiliaryCode' },
            { ...ADDITIONAL_DETAILS, folded: true },
          ],
        },
        {
          kind: 'group',
          name: 'supportingDocument',
          folded: true,
          fields: [
            { kind: 'choice', name: 'documentType', label: 'type', catalog: 'document-types' },
            { ...NUMBER, name: 'number', label: 'documentNumber' },
            { kind: 'text', name: 'authorizationNumber' },
            { kind: 'date', name: 'issueDate', label: 'issuedOn' },
          ],
        },
        rare([
          { kind: 'text', name: 'route' },
          { kind: 'text', name: 'branchCode', label: 'arrivalBranch' },
          { kind: 'text', name: 'customsDocument' },
        ]),
      ],
    },
    ADDITIONAL_INFO,
  ],
  renewed: ['startDate', 'endDate'],
  once: ['recipients.supportingDocument', 'recipients.customsDocument'],
  on: {
    '01': {
      title: 'on.06',
      open: ({ body, number, issueDate, authorizationNumber, branchAddress, type }) => {
        const { id, name, address, email } = partOf(body, 'buyer');
        const goods = rowsOf(body, 'items').map(
          ({ mainCode, auxiliaryCode, auxCode, description, quantity, additionalDetails }) => ({
            ...{ mainCode, description, quantity, additionalDetails },
            auxiliaryCode: auxiliaryCode ?? auxCode,
          }),
        );
        const supportingDocument = { documentType: type, number, issueDate, authorizationNumber };
        return {
          departureAddress: branchAddress,
          recipients: [{ id, name, address, email, supportingDocument, items: goods }],
        };
      },
    },
  },
};
