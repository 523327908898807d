import { partOf, rowsOf } from './form.js';
import type { DocumentForm } from './forms.js';
import { ADDITIONAL_INFO, NAMED, NUMBER, party } from './parts.js';

/** Guía de remisión (06). */
export const DELIVERY_GUIDE: DocumentForm = {
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
          look: 'line',
          required: true,
          completes: 'item',
          add: 'addGoods',
          open: (entry) => entry ?? { quantity: '1' },
          fields: [
            { kind: 'text', name: 'description', max: 300, required: true },
            { kind: 'amount', name: 'quantity', required: true },
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
            { kind: 'text', name: 'authorizationNumber', max: 49 },
            { kind: 'date', name: 'issueDate', label: 'issuedOn' },
          ],
        },
        {
          kind: 'section',
          name: 'more',
          folded: true,
          fields: [
            { kind: 'text', name: 'route', max: 300 },
            { kind: 'text', name: 'branchCode', label: 'arrivalBranch', max: 3 },
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
