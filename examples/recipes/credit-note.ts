// Part of what was sold comes back.
import { client, coffee, maria } from './client.ts';

//#region recipe
const { accessKey: invoiceKey } = await client.documents.issue({
  documentType: '01',
  buyer: maria,
  items: [coffee],
  payments: [{ method: '01', total: '11.50' }],
});
const invoice = await client.documents.get(invoiceKey);
const creditNote = await client.documents.issue({
  documentType: '04',
  buyer: maria,
  originalDocument: {
    documentType: '01',
    // Branch, issue point and number stand in the access key.
    number: invoiceKey.slice(24, 39).replace(/^(...)(...)/, '$1-$2-'),
    issueDate: invoice.issueDate,
  },
  motivo: 'Devolución de la mitad',
  items: [
    {
      ...coffee,
      quantity: '0.5',
      taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '5.00', taxAmount: '0.75' }],
    },
  ],
});
const { remaining } = await client.documents.creditNotes(invoiceKey);
console.log(creditNote.status, 'left to credit:', remaining);
//#endregion
