// Lines with different rates of IVA, a discount on one of them, paid in two ways.
import { client, coffee, maria } from './client.ts';

//#region recipe
const invoice = await client.documents.issue({
  documentType: '01',
  buyer: maria,
  items: [
    {
      ...coffee,
      discount: '1.00',
      taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '9.00', taxAmount: '1.35' }],
    },
    {
      mainCode: 'ARR-02',
      description: 'Arroz, quintal',
      quantity: '2',
      unitPrice: '45.50',
      // 0 % is rate code 0; «no objeto» is 6 and «exento» is 7.
      taxes: [{ code: '2', rateCode: '0', rate: '0', taxableBase: '91.00', taxAmount: '0.00' }],
    },
  ],
  payments: [
    { method: '01', total: '50.00' },
    { method: '20', total: '51.35', term: 30, termUnit: 'dias' },
  ],
});
console.log(invoice.status, invoice.total);
//#endregion
